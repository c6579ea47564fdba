"""A server process of a live system: started in its group, waited for, and ended."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.live.programs import CannotRecordError, unprivileged
from scripts.live.system import Place

#: A server that takes no connection by then does not come. [s]
PATIENCE = 60.0


def own(folder: Path) -> int | None:
    """Give a folder and what is in it to the user that servers run as; who that is."""
    identity = unprivileged()
    if identity:
        for each in (folder, *folder.rglob("*")):
            shutil.chown(each, identity["user"], identity["group"])
    return identity.get("user")


@contextmanager
def serving(
    place: Place, command: Sequence[str], address: str | list[Any], *, as_root: bool = False
) -> Iterator[Any]:
    """A server at an address, as an unprivileged user unless it drops its rights itself."""
    user = None if as_root else own(place.folder)
    log = place.folder / "server.log"
    with log.open("ab") as output:
        server = subprocess.Popen(
            place.group.command(command, user),
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=place.folder,
        )  # fmt: skip
    try:
        _wait(server, address, log)
        yield address
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(server: subprocess.Popen[bytes], address: str | list[Any], log: Path) -> None:
    """Until somebody listens."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        with socket.socket(family) as trial:
            try:
                trial.connect(address if isinstance(address, str) else tuple(address))
            except OSError:
                time.sleep(0.1)
                continue
        return
    said = log.read_text(errors="replace").strip().splitlines()[-1:] or ["nothing"]
    raise CannotRecordError(f"the server did not start; it said: {said[0]}")


def free_port() -> list[Any]:
    """An address on this machine that nobody listens on."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return list(trial.getsockname())


def run(command: Sequence[str], **more: Any) -> str:
    """A command that prepares something; what it printed.

    Raises
    ------
    CannotRecordError
        If it fails.
    """
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, **more
    )
    if done.returncode:
        said = ((done.stderr or done.stdout).strip().splitlines() or ["nothing"])[-1]
        raise CannotRecordError(f"{Path(command[0]).name} failed; it said: {said}")
    return done.stdout
