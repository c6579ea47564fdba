"""Another process that holds one core for as long as a recording takes."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

_LOOP = "while :; do :; done"


def beside(occupied: bool, identity: dict[str, Any], seconds: int) -> AbstractContextManager[None]:
    """A process that does nothing but hold a core, or none."""
    return _hog(identity, seconds) if occupied else nullcontext()


@contextmanager
def _hog(identity: dict[str, Any], seconds: int) -> Iterator[None]:
    process = subprocess.Popen(
        ["timeout", str(seconds), "sh", "-c", _LOOP],
        stdin=subprocess.DEVNULL, cwd="/", **identity,
    )  # fmt: skip
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=10)
