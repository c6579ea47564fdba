"""A PostgreSQL server of its own: in a temporary folder, on a socket there, and for a while."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.live.programs import CannotRecordError

#: No network, nothing that works by itself at odd moments, one plan for all queries.
SETTINGS = (
    "listen_addresses=",
    "unix_socket_permissions=0700",
    "shared_buffers=128MB",
    "max_connections=100",
    "fsync=off",
    "autovacuum=off",
    "jit=off",
    "max_parallel_workers_per_gather=0",
)

DATABASE, ROLE = "postgres", "bench"

#: A server that has not answered by then does not come. [s]
PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Database:
    """A running server.

    Parameters
    ----------
    folder : Path
        Where its data and its socket are.
    pid : int
        Its first process, the parent of those that serve clients.
    """

    folder: Path
    pid: int

    @property
    def connection(self) -> list[str]:
        """How pgbench reaches it."""
        return ["-h", str(self.folder), "-U", ROLE]


@contextmanager
def running(
    programs: Mapping[str, str],
    folder: Path,
    identity: dict[str, Any],
    seconds: int,
    settings: Sequence[str] = (),
    launched: Callable[[list[str]], list[str]] | None = None,
) -> Iterator[Database]:
    """A server, which ends with the block and after some seconds anyway.

    ``settings`` come after `SETTINGS` and win; ``launched`` turns its command into one that runs
    elsewhere, by itself under the right user.
    """
    data, log = folder / "data", folder / "server.log"
    _run([programs["initdb"], "-D", str(data), "-A", "trust", "-U", ROLE, "--no-sync"], identity)
    given = [part for each in (*SETTINGS, *settings) for part in ("-c", each)]
    command = [programs["postgres"], "-D", str(data), "-k", str(folder), *given]
    limited = [programs["timeout"], "--signal=INT", "--kill-after=10", str(seconds), *command]
    if launched is not None:
        limited, identity = launched(limited), {}
    with log.open("wb") as output:
        server = subprocess.Popen(
            limited, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **identity
        )
    try:
        yield Database(folder, _first_process(data, server, log))
    finally:
        if server.poll() is None:
            server.send_signal(2)  # a fast shutdown; `timeout` passes it on
        try:
            server.wait(timeout=15)
        except subprocess.TimeoutExpired:
            server.kill()


def _first_process(data: Path, server: subprocess.Popen[bytes], log: Path) -> int:
    """The server's own process, once it takes connections."""
    until = time.monotonic() + PATIENCE
    lines: list[str] = []
    while time.monotonic() < until and server.poll() is None:
        try:
            lines = (data / "postmaster.pid").read_text().splitlines()
        except OSError:
            lines = []
        if len(lines) >= 8 and lines[7].strip() == "ready":
            return int(lines[0])
        time.sleep(0.1)
    said = log.read_text(errors="replace").splitlines()[-1:] or ["nothing"]
    raise CannotRecordError(f"PostgreSQL did not start; it said: {said[0]}")


def _run(command: list[str], identity: dict[str, Any]) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, **identity
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise CannotRecordError(f"{Path(command[0]).name} failed; it said: {said}")
