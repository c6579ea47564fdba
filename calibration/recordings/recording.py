"""What a monitor recorded, whichever monitor it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from os import PathLike

#: Of monitors that count in kilobytes. [bytes]
KILOBYTE = 1024.0


@dataclass(frozen=True, slots=True)
class Sample:
    """What a monitor saw in one interval."""

    #: Of the interval, in the time zone of the recording.
    end: datetime
    #: Its length. [s]
    interval: float
    #: By quantity and station: utilization [1], operations [1/s], volume [bytes/s].
    rates: dict[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class Recording:
    """A monitor's recording of one computer."""

    path: str
    processors: int
    in_utc: bool
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class Monitor:
    """A monitor whose recordings are read."""

    #: What writes such a file, as a user would call it.
    writes: str
    #: Path to recording; raises `qmodel.FileError` where the file is of another kind or faulty.
    load: Callable[[str | PathLike[str]], Recording]
