"""The monitors whose recordings are read; a new one is a file and a line here."""

from __future__ import annotations

from os import PathLike

from calibration.recordings import sysstat
from calibration.recordings.recording import Monitor, Recording
from qmodel.errors import FileError

MONITORS: tuple[Monitor, ...] = (sysstat.MONITOR,)


def load_recording(path: str | PathLike[str]) -> Recording:
    """The recording in a file, by the first monitor that reads it.

    Raises
    ------
    FileError
        Why the first of them does not, if none does.
    """
    refusals: list[FileError] = []
    for monitor in MONITORS:
        try:
            return monitor.load(path)
        except FileError as error:
            refusals.append(error)
    raise refusals[0]
