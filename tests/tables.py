"""Cases that stand as data beside their test: ``test_name.toml`` of ``test_name.py``."""

import tomllib
from pathlib import Path
from typing import Any


def rows(test: str, name: str) -> list[tuple[Any, ...]]:
    """The rows of one table; ``test`` is the ``__file__`` of who asks."""
    text = Path(test).with_suffix(".toml").read_text(encoding="utf-8")
    return [tuple(row) for row in tomllib.loads(text)[name]]


def text_of(test: str, name: str) -> str:
    """A text of several lines that a test reads, from the same file."""
    return str(tomllib.loads(Path(test).with_suffix(".toml").read_text(encoding="utf-8"))[name])


def asked(call: str, names: dict[str, Any]) -> Any:
    """What a call gives that stands as text in a table, with the names of the test's module."""
    return eval(call, names)
