"""Load levels with what a monitor recorded during each of them.

A level is a row of a table with its start and end, its users and what the load generator saw. Every
sample whose whole interval lies inside of the level counts, by the length of its interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from fractions import Fraction

from calibration.recordings.header import Heading
from calibration.recordings.recording import KILOBYTE, Recording
from calibration.recordings.user_table import Reading, UserTable
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

#: A device that is never busier than this says nothing, and a channel that never carries more
#: than this [bytes/s] neither.
LEAST_UTILIZATION, LEAST_VOLUME = 0.01, 1000.0

#: Of what sysstat prints: hundredths of a per cent, of an operation and of a kilobyte.
_HALF = {"utilization": 0.5e-4, "operations": 0.005, "volume": 0.005 * KILOBYTE}


def with_recording(table: UserTable, recording: Recording) -> UserTable:
    """A table of load levels with what was recorded during each of them.

    Parameters
    ----------
    table : UserTable
        One row a level, with its start and end.
    recording : Recording
        What the monitor saw.

    Raises
    ------
    FileError
        If a level has no start or end, or no sample lies inside of it.
    """
    starts, ends = table.words("start"), table.words("end")
    levels = []
    for line, start, end in zip(table.lines, starts, ends, strict=True):
        if start is None or end is None:
            missing = "start" if start is None else "end"
            raise FileError(
                table.path, f"no {missing} of this level; write it as {_shown(recording)}",
                key=missing, line=line,
            )  # fmt: skip
        levels.append(_level(table.path, line, start, end, recording))
    series = _series(levels)
    columns, added = [], []
    measured = {(column.quantity, column.of) for column in table.columns}
    for quantity, station in series:
        if (quantity, station) in measured:
            continue
        unit = {"utilization": "1", "operations": "1/s", "volume": "B/s"}[quantity]
        columns.append(Heading(f"{quantity}:{station}", quantity, station, unit, Fraction(1)))
        added.append([_reading(quantity, level[quantity, station]) for level in levels])
    if ("utilization", "cpu") in series and ("servers", "cpu") not in measured:
        columns.append(Heading("servers:cpu", "servers", "cpu", "", Fraction(1)))
        count = Reading(str(recording.processors), float(recording.processors), 0.0)
        added.append([count] * len(levels))
    return replace(
        table,
        columns=(*table.columns, *columns),
        texts=tuple(
            (*row, *(column[i].text for column in added)) for i, row in enumerate(table.texts)
        ),
        readings=tuple(
            (*row, *(column[i] for column in added)) for i, row in enumerate(table.readings)
        ),
    )


def _level(
    path: str, line: int, start: str, end: str, recording: Recording
) -> dict[tuple[str, str], float]:
    """Means over the samples inside a level, each weighted by its interval."""
    first, last = recording.samples[0], recording.samples[-1]
    begins, ends = (
        _moment(path, line, key, text, recording) for key, text in (("start", start), ("end", end))
    )
    if ends <= begins:
        if ends.date() != begins.date() or isinstance(_parsed(end), datetime):
            problem = f"the level ends at {end}, before it starts at {start}"
            raise FileError(path, problem, key="end", line=line)
        ends += timedelta(days=1)  # over midnight
    inside = [
        sample
        for sample in recording.samples
        if sample.interval > 0.0
        and sample.end <= ends
        and sample.end - timedelta(seconds=sample.interval) >= begins
    ]
    if not inside:
        problem = (
            f"no sample lies inside of {start} to {end}; {recording.path} covers "
            f"{first.end:%Y-%m-%d %H:%M:%S} to {last.end:%Y-%m-%d %H:%M:%S}"
            f"{' UTC' if recording.in_utc else ''}"
        )
        raise FileError(path, problem, key="start", line=line)
    total = sum(sample.interval for sample in inside)
    names = dict.fromkeys(name for sample in inside for name in sample.rates)
    return {
        name: sum(s.rates.get(name, 0.0) * s.interval for s in inside) / total for name in names
    }


def _moment(path: str, line: int, key: str, text: str, recording: Recording) -> datetime:
    """A time of a level in the time zone of the recording."""
    found = _parsed(text)
    if found is None:
        problem = f"expected a time such as {_shown(recording)}, got {show_text(text)}"
        raise FileError(path, problem, key=key, line=line)
    if isinstance(found, time):
        first = recording.samples[0]
        began = first.end - timedelta(seconds=first.interval)
        moment = datetime.combine(began.date(), found)
        # A recording over midnight: the time is the first one after it began.
        if moment < began and recording.samples[-1].end.date() > began.date():
            moment += timedelta(days=1)
        return moment
    if found.tzinfo is not None:
        if not recording.in_utc:
            problem = f"{text} names a time zone and {recording.path} does not; write local time"
            raise FileError(path, problem, key=key, line=line)
        return found.astimezone(UTC).replace(tzinfo=None)
    return found


def _parsed(text: str) -> datetime | time | None:
    for read in (time.fromisoformat, datetime.fromisoformat):
        try:
            return read(text)
        except ValueError:
            continue
    return None


def _shown(recording: Recording) -> str:
    return f"{recording.samples[0].end:%Y-%m-%d %H:%M:%S} or {recording.samples[0].end:%H:%M:%S}"


def _series(levels: Sequence[dict[tuple[str, str], float]]) -> list[tuple[str, str]]:
    """What is worth a column: the processor, devices that are used, channels that carry data."""
    names = dict.fromkeys(name for level in levels for name in level)
    highest = {name: max(level.get(name, 0.0) for level in levels) for name in names}
    used = {
        station
        for (quantity, station), value in highest.items()
        if (quantity == "utilization" and value >= LEAST_UTILIZATION)
        or (quantity == "volume" and value >= LEAST_VOLUME)
    }
    return [
        (quantity, station)
        for quantity, station in names
        if station in used
        and (quantity != "utilization" or highest[quantity, station] >= LEAST_UTILIZATION)
        and all((quantity, station) in level for level in levels)
    ]


def _reading(quantity: str, value: float) -> Reading:
    return Reading(f"{value:.6g}", value, _HALF[quantity])
