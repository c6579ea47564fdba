"""Recordings of one system put together: one clock, the hosts that are meant, each quantity once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from calibration.recordings.series import Recording, Series
from qmodel.errors import FileError

#: What is measured at a computer.
_AT_HOST = {"utilization", "operations", "volume", "servers", "processors", "throttled", "pressure"}


@dataclass(frozen=True, slots=True)
class Joined:
    """Series on one clock.

    Parameters
    ----------
    path : str
        The files.
    clock : str
        As of a `Recording`.
    series : tuple of Series
        Each name once.
    span : (float, float)
        The time that all recordings cover. [s]
    notes : tuple of str
        What was not used, and why.
    """

    path: str
    clock: str
    series: tuple[Series, ...]
    span: tuple[float, float]
    notes: tuple[str, ...] = ()


def joined(recordings: Sequence[Recording], hosts: Sequence[str] = ()) -> Joined:
    """Series of several recordings.

    Parameters
    ----------
    recordings : sequence of Recording
        Of one system; of what two of them measure the first one's counts.
    hosts : sequence of str
        Which computers are meant, where a recording has several.

    Raises
    ------
    FileError
        If a recording has several computers and none is named, or clocks differ.
    """
    clock = _clock(recordings)
    series: dict[tuple[str, str], tuple[str, Series]] = {}
    notes = [note for each in recordings for note in each.notes]
    span = (-np.inf, np.inf)
    for recording in recordings:
        chosen = _of_hosts(recording, hosts)
        if clock == "runs":
            for each in chosen:
                before = series.get((each.quantity, each.of))
                end = each.end + span[0] if np.isfinite(span[0]) else each.end
                moved = replace(each, end=end)
                series[each.quantity, each.of] = (
                    recording.path,
                    _appended(before[1], moved) if before else moved,
                )
            span = (max(max(s.end[-1] for _, s in series.values()), 0.0), np.inf)
            continue
        first = min(float((each.end - each.interval).min()) for each in chosen)
        last = max(float(each.end[-1]) for each in chosen)
        if first >= span[1] or last <= span[0]:
            raise FileError(recording.path, _apart(recordings[0], clock, span, (first, last)))
        span = max(span[0], first), min(span[1], last)
        refused = set()
        for each in chosen:
            kept = series.setdefault((each.quantity, each.of), (recording.path, each))
            if kept[0] != recording.path:
                refused.add(f"{each.quantity}, which {kept[0]} has as well")
        notes += [f"{recording.path}: not used: {text}" for text in sorted(refused)]
    found = [each for _, each in series.values()]
    if clock == "runs":
        span = (0.0, span[0])
    path = " + ".join(each.path for each in recordings)
    found, more = _busy_processors(found)
    return Joined(path, clock, tuple(found), span, (*notes, *more))


def _clock(recordings: Sequence[Recording]) -> str:
    first = recordings[0]
    for other in recordings[1:]:
        if other.clock == first.clock != "own":
            continue
        words = {
            "UTC": "has times in UTC", "local": "has times of no time zone",
            "own": "has no times of day", "runs": "sums up whole runs",
        }  # fmt: skip
        problem = (
            f"{words[other.clock]}, and {first.path} {words[first.clock]}; record both with times "
            "in UTC (TZ=UTC sar, vmstat -t, pgbench --progress-timestamp)"
        )
        raise FileError(other.path, problem)
    return first.clock


def _of_hosts(recording: Recording, wanted: Sequence[str]) -> list[Series]:
    names = dict.fromkeys(s.host for s in recording.series if s.host and s.quantity in _AT_HOST)
    chosen = [name for name in names if name in wanted or name.partition(":")[0] in wanted]
    if len(names) > 1 and not chosen:
        shown = ", ".join(list(names)[:6]) + (", ..." if len(names) > 6 else "")
        problem = f"{len(names)} hosts ({shown}); name those of this system with qmodel import --host"
        raise FileError(recording.path, problem)
    several = len(chosen) > 1
    return [
        replace(each, of=f"{each.host.partition(':')[0]}.{each.of}" if several else each.of, host="")
        if each.quantity in _AT_HOST
        else replace(each, host="")
        for each in recording.series
        if not chosen or each.host in chosen or each.quantity not in _AT_HOST
    ]


def _appended(one: Series, other: Series) -> Series:
    parts = (np.concatenate([getattr(one, k), getattr(other, k)]) for k in ("end", "interval", "value"))
    return Series(one.quantity, one.of, "", *parts)


def _busy_processors(series: list[Series]) -> tuple[list[Series], tuple[str, ...]]:
    """Utilization from the processors that processes or containers kept busy, if nothing else."""
    if any(each.quantity == "utilization" and each.of.endswith("cpu") for each in series):
        return series, ()
    busy = [each for each in series if each.quantity == "processors"]
    count = next((each for each in series if each.name == "servers:cpu"), None)
    if not busy:
        return series, ()
    if count is None:
        return series, (
            "processor time is known, but not how many processors there are: give a file that says "
            "it, as sar, node_exporter or cpu.max do",
        )
    total: dict[float, float] = {}
    length = dict(zip(busy[0].end.tolist(), busy[0].interval.tolist(), strict=True))
    for each in busy:
        length |= dict(zip(each.end.tolist(), each.interval.tolist(), strict=True))
        for end, value in zip(each.end.tolist(), each.value.tolist(), strict=True):
            total[end] = total.get(end, 0.0) + value
    end = np.array(sorted(total))
    interval = np.array([length[each] for each in end.tolist()])
    servers = np.interp(end, count.end, count.value)
    value = np.minimum(np.array([total[each] for each in end.tolist()]) / servers, 1.0)
    names = ", ".join(each.of or "the container" for each in busy[:4])
    made = Series("utilization", "cpu", "", end, interval, value)
    return [*series, made], (f"utilization:cpu is what {names} used of it",)


def _apart(
    first: Recording, clock: str, one: tuple[float, float], other: tuple[float, float]
) -> str:
    def shown(moment: float) -> str:
        return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M:%S}"

    zone = " UTC" if clock == "UTC" else ""
    return (
        f"covers {shown(other[0])} to {shown(other[1])}{zone}, and {first.path} {shown(one[0])} to "
        f"{shown(one[1])}: no time in common"
    )
