"""One run of the command in a process of its own, forked from one that has all imported.

A fork costs milliseconds, and gives what a new process would: an exit code, what it printed, its
time and its memory, whatever it did to itself.
"""

import os
import resource
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

#: What a process has that has imported all and done nothing: a fork of an older one has more. [MB]
STARTED = 130.0
#: Beyond this a run is ended. [s]
MOST_SECONDS = 20


@dataclass(frozen=True)
class Run:
    """What a run did."""

    code: int  # negative: ended by a signal
    out: str
    err: str
    seconds: float  # of the processor
    megabytes: float  # most memory at one time, as of a process of its own


def forked(call: Callable[[], int], folder: Path) -> Run:
    """Call in a fork; what it returns is the exit code."""
    sys.stdout.flush()
    sys.stderr.flush()
    inherited = _resident()
    child = os.fork()
    if not child:
        _child(call, folder)
    _, status, used = os.wait4(child, 0)
    return Run(
        os.waitstatus_to_exitcode(status),
        (folder / "out").read_text(encoding="utf-8", errors="replace"),
        (folder / "err").read_text(encoding="utf-8", errors="replace"),
        used.ru_utime + used.ru_stime,
        max(0.0, used.ru_maxrss / 1024 - inherited) + STARTED,
    )


def _resident() -> float:
    """Memory of this process. [MB]"""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def _child(call: Callable[[], int], folder: Path) -> None:
    code = 101
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**26, 2**26))
        for number, name in ((1, "out"), (2, "err")):
            file = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        os.chdir(folder)
        code = call()
    except BaseException:  # noqa: BLE001 - whatever it is, the verdict shows it
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def command(arguments: list[str]) -> int:
    """The whole command, as ``main`` runs it."""
    from advisor.cli import main

    sys.argv = ["qmodel", *arguments]
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    return 0
