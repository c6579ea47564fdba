"""Recordings of one system together: one clock, the hosts that are meant, each quantity once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from calibration.recordings.clocks import aligned
from calibration.recordings.consecutive import appended, consecutive
from calibration.recordings.counted_once import together
from calibration.recordings.counters import Metrics
from calibration.recordings.percentiles import SHARES
from calibration.recordings.series import Recording, Series
from qmodel.errors import FileError

#: What is measured at a computer.
_AT_HOST = {"utilization", "operations", "volume", "servers", "processors", "throttled", "pressure"}
#: What services count of their requests.
_OF_REQUESTS = {"throughput", "response_time", *SHARES}
_CLOCKS = {
    "UTC": "has times in UTC", "local": "has times without a time zone",
    "own": "has no times of day", "runs": "sums up whole runs",
}  # fmt: skip

#: What a monitor's file is joined by whatever its clock.
_LEVELS = (
    "start and end of each level by the monitor's clock, in place of the load generator's file"
)


@dataclass(frozen=True, slots=True)
class Joined:
    """Series on one clock, each name once, and the time that all files cover. [s]"""

    path: str
    clock: str
    series: tuple[Series, ...]
    span: tuple[float, float]
    notes: tuple[str, ...] = ()


def joined(recordings: Sequence[Recording], hosts: Sequence[str] = ()) -> Joined:
    """Series of several recordings of one system; of what two of them measure the first's count.

    FileError if a recording has several computers and `hosts` names none of them, or clocks differ.
    """
    recordings = consecutive(recordings)
    clock = recordings[0].clock
    recordings, shifts = aligned(recordings)
    series: dict[tuple[str, str], Series] = {}
    notes = dict.fromkeys((*shifts, *(note for each in recordings for note in each.notes)))
    if clock == "local" and len(recordings) > 1:
        notes["times name no zone: those of all files are taken for one clock's"] = None
    start, end, runs = -np.inf, np.inf, 0.0
    for recording in recordings:
        check_clock(recordings[0], recording)
        before, kept = runs, set(series)
        measured = any(quantity in _OF_REQUESTS for quantity, _ in kept)
        chosen = _meant(recording, hosts, measured=measured)
        first = min(float((each.end - each.interval).min()) for each in chosen)
        last = max(float(each.end[-1]) for each in chosen)
        if clock == "runs":  # one after the other
            runs = before + last
        elif first >= end or last <= start:
            told = f"covers {_span(first, last)}, and {recordings[0].path} {_span(start, end)}"
            raise FileError(recording.path, f"{told}: {_apart((first, last), (start, end))}")
        start, end = max(start, first), min(end, last)
        _check_once(recording.path, chosen)
        for each in chosen:
            key = each.quantity, each.of
            if clock == "runs" and key in kept:
                series[key] = appended(series[key], replace(each, end=each.end + before))
            elif clock == "runs" or key not in kept:
                series[key] = replace(each, end=each.end + before)
            else:
                alike = (recording.kind, each.host) == (recordings[0].kind, "")
                if alike and key == ("throughput", ""):
                    problem = f"counts requests at the same times as {recordings[0].path}"
                    remedy = "leave out what is behind the other; if both serve users, cat both"
                    levels = ", and give start, end and all users of each level in a table"
                    levels *= ("population", "") in series  # of which each file has its own alone
                    raise FileError(recording.path, f"{problem}: {remedy} into one{levels}")
                of = f" of {each.host}" if each.host and each.quantity not in _AT_HOST else ""
                said = f"{recording.path}: {each.quantity}{of} not used; an earlier file has it"
                notes[said] = None
    found, more = _busy_processors(list(series.values()))
    span = (0.0, runs) if clock == "runs" else (start, end)
    path = " + ".join(each.path for each in recordings)
    return Joined(path, clock, tuple(found), span, (*notes, *more))


def _check_once(path: str, series: Sequence[Series]) -> None:
    """FileError if a quantity is of a computer or service, and of another or of who knows what."""
    for one, other in pairwise(sorted(series, key=lambda each: (each.name, each.host))):
        if one.name == other.name:
            problem = f"{one.name} is of {other.host} and of {one.host or 'one without a name'}"
            raise FileError(path, f"{problem}, which may be a part or all; export one of them")


def check_clock(first: Recording | Metrics, other: Recording | Metrics) -> None:
    """FileError if what two files hold cannot be on one clock."""
    if other is not first and (other.clock != first.clock or first.clock == "own"):
        problem = f"{_CLOCKS[other.clock]}, and {first.path} {_CLOCKS[first.clock]}"
        remedy = (
            "record both with times in UTC (TZ=UTC sar, vmstat -t, pgbench --progress-timestamp, "
            "a heading Time (UTC) or Time (UTC+1))"
        )
        if {first.clock, other.clock} == {"UTC", "local"}:
            remedy += f", or give a table with {_LEVELS}"
        raise FileError(other.path, f"{problem}; {remedy}")


def _apart(one: tuple[float, float], other: tuple[float, float]) -> str:
    """What is said of times that two files cover, none in common: another time zone, or a day."""
    shorter = min(end - start for start, end in (one, other))
    for half in sorted(range(-28, 29), key=abs):
        start, end = (at - 1800.0 * half for at in one)
        if min(end, other[1]) - max(start, other[0]) > 0.9 * shorter:
            zone = f"looks like a time zone: {abs(half) / 2:g} h apart"
            return f"no time in common; {zone}; write both in UTC, or give a table with {_LEVELS}"
    return "no time in common; give others"


def _meant(recording: Recording, wanted: Sequence[str], *, measured: bool) -> list[Series]:
    """Series of the computers and of the service that are meant.

    Where a file before has `measured` the requests, those of several services are not asked about.
    """
    hosts = _named(recording, _AT_HOST, wanted, "hosts", "those of this system")
    asked = "services that count requests", "the one that users call"
    services = _named(recording, _OF_REQUESTS, wanted, *asked, must=not measured)
    several = len(hosts) > 1
    return [
        replace(each, of=f"{each.host}.{each.of}")
        if several and each.quantity in _AT_HOST
        else each
        for each in recording.series
        if each.host in ("", *(services if each.quantity in _OF_REQUESTS else hosts or [each.host]))
    ]


def _named(
    recording: Recording, of: set[str], wanted: Sequence[str], what: str, those: str, *,
    must: bool = True,
) -> list[str]:  # fmt: skip
    """Names of computers or services in a recording; of several those wanted, or the first."""
    names = list(dict.fromkeys(s.host for s in recording.series if s.host and s.quantity in of))
    chosen = [name for name in names if name in wanted]
    if len(names) > 1 and not chosen and must:
        shown = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
        problem = f"{len(names)} {what} ({shown}); with qmodel import --host name {those}"
        raise FileError(recording.path, problem)
    return chosen or names[:1]


def _busy_processors(series: list[Series]) -> tuple[list[Series], tuple[str, ...]]:
    """Utilization from the processors that processes or containers kept busy, if nothing else."""
    by_name = {each.name: each for each in series}
    busy = [each for each in series if each.quantity == "processors"]
    if not busy or any(name.startswith("utilization") and name.endswith("cpu") for name in by_name):
        return series, ()
    if "servers:cpu" not in by_name:
        problem = "processor time is known, but not the number of processors: add a file with it, "
        return series, (f"{problem}as of sar, node_exporter or cpu.max",)
    end, interval, used = together([(each.end, each.interval, each.value) for each in busy])
    count = by_name["servers:cpu"]
    value = used / np.interp(end, count.end, count.value)
    names = ", ".join(each.of or "the container" for each in busy[:4])
    made = Series("utilization", "cpu", "", end, interval, value, busy=True)
    return [*series, made], (f"utilization:cpu is what {names} used of it",)


def _span(start: float, end: float) -> str:
    return " to ".join(
        f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S}" for at in (start, end)
    )
