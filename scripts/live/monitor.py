"""sysstat's recording of the machine: started, stopped, and written as JSON."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.live.programs import CannotRecordError

#: Length of a sample. [s]
INTERVAL = 2


@contextmanager
def recording(
    programs: dict[str, str], file: Path, identity: dict[str, Any], seconds: int
) -> Iterator[None]:
    """Record processors, disks and networks until the block ends, or after some seconds."""
    count = -(-seconds // INTERVAL)
    monitor = subprocess.Popen(
        [programs["sar"], "-o", str(file), "-d", "-n", "DEV", "-u", str(INTERVAL), str(count)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **identity,
    )  # fmt: skip
    try:
        yield
    finally:
        monitor.terminate()
        try:
            monitor.wait(timeout=10)
        except subprocess.TimeoutExpired:
            monitor.kill()


def as_json(programs: dict[str, str], file: Path) -> dict[str, Any]:
    """What ``sadf -j FILE -- -u`` writes of a recording, without what names the machine."""
    done = subprocess.run(
        [programs["sadf"], "-j", str(file), "--", "-u"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        env={**os.environ, "LC_ALL": "C", "TZ": "UTC"},
    )  # fmt: skip
    if done.returncode:
        raise CannotRecordError(f"sadf failed; it said: {done.stderr.strip()}")
    found: dict[str, Any] = json.loads(done.stdout)
    for host in found["sysstat"]["hosts"]:
        host.update(nodename="server", release="")
    return found
