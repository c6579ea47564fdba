"""A control group that a server runs in: who it is, what it has used, and how much it may use.

Both versions of control groups are known. Without the right to make one (only root has it) the
server is told by its session, and has no quota.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from scripts.live.programs import CannotRecordError

#: Period of a quota, as containers have it. [s]
PERIOD = 0.1

_FIRST, _SECOND = Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/cgroup.controllers")


@dataclass(frozen=True, slots=True)
class Group:
    """Processes of one server.

    Parameters
    ----------
    folders : tuple of Path
        Of the control group; empty where none could be made.
    cores : tuple of int
        Where its processes run.
    """

    folders: tuple[Path, ...]
    cores: tuple[int, ...]

    def command(self, command: Sequence[str], user: int | None = None) -> list[str]:
        """A command that runs in the group, on its cores, and as another user if root starts it."""
        into = [str(each / "cgroup.procs") for each in self.folders]
        enter = f"for f in {' '.join(into)}; do echo $$ > $f; done; " if into else ""
        found = ["sh", "-c", f'{enter}exec "$@"', "sh", "taskset", "-c", _list(self.cores)]
        if user is not None and os.geteuid() == 0:
            found += ["setpriv", f"--reuid={user}", "--regid", str(user), "--clear-groups"]
        return [*found, *command]

    def used(self) -> float | None:
        """Processor time of the group. [s]"""
        for each in self.folders:
            if (each / "cpuacct.usage").exists():
                return int((each / "cpuacct.usage").read_text()) / 1e9
            words = (each / "cpu.stat").read_text().split()
            if "usage_usec" in words:
                return int(words[words.index("usage_usec") + 1]) / 1e6
        return None

    def throttled(self) -> float:
        """Time for which a quota stopped the group. [s]"""
        for each in self.folders:
            if not (each / "cpu.stat").exists():
                continue
            words = (each / "cpu.stat").read_text().split()
            for name, unit in (("throttled_usec", 1e6), ("throttled_time", 1e9)):
                if name in words:
                    return int(words[words.index(name) + 1]) / unit
        return 0.0


@contextmanager
def group(name: str, cores: Sequence[int], quota: float | None) -> Iterator[Group]:
    """A group for as long as the block lasts; what still runs in it then is ended.

    Raises
    ------
    CannotRecordError
        If there has to be a quota and no group can be made.
    """
    folders = _folders(f"qmodel-{name}")
    try:
        for each in folders:
            each.mkdir(exist_ok=True)
    except OSError as error:
        folders = ()
        if quota is not None:
            raise CannotRecordError(f"no control group can be made here ({error})") from None
    made = Group(folders, tuple(cores))
    if quota is not None:
        _limit(folders, quota)
    try:
        yield made
    finally:
        for each in folders:
            _end(each)


def _folders(name: str) -> tuple[Path, ...]:
    if _SECOND.exists():
        return (_FIRST / name,)
    return tuple(_FIRST / kind / name for kind in ("cpu", "cpuacct"))


def _limit(folders: Sequence[Path], quota: float) -> None:
    period = round(PERIOD * 1e6)
    allowed = round(quota * period)
    for each in folders:
        if (each / "cpu.cfs_quota_us").exists():
            (each / "cpu.cfs_period_us").write_text(str(period))
            (each / "cpu.cfs_quota_us").write_text(str(allowed))
            return
        if (each / "cpu.max").exists():
            (each / "cpu.max").write_text(f"{allowed} {period}")
            return
    raise CannotRecordError("the control groups of this machine know no quota of processors")


def _end(folder: Path) -> None:
    """End what the group still holds, and remove it."""
    for attempt in range(50):
        left = (folder / "cgroup.procs").read_text().split()
        if not left:
            break
        for pid in left:
            try:
                os.kill(int(pid), 15 if attempt < 20 else 9)
            except ProcessLookupError:
                continue
        sleep(0.1)
    with suppress(OSError):  # an empty group does no harm
        folder.rmdir()


def _list(cores: Sequence[int]) -> str:
    return ",".join(str(each) for each in cores)
