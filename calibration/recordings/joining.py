"""Recordings of one system together: one clock, the hosts that are meant, each quantity once."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np

from calibration.recordings.clocks import aligned
from calibration.recordings.consecutive import appended, consecutive, covered
from calibration.recordings.counted_once import POOLS, together
from calibration.recordings.counters import Metrics
from calibration.recordings.percentiles import SHARES
from calibration.recordings.series import Recording, Series
from qmodel.errors import FileError

#: What is measured at a computer.
_AT_HOST = {"utilization", "operations", "volume", "servers", "processors", "throttled", "pressure"}
#: What services count of their requests.
_OF_REQUESTS = {"throughput", "response_time", *SHARES}
#: Words of refusals and notes.
SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


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
    every: dict[tuple[str, str, str], Series] = {}
    notes = dict.fromkeys((*shifts, *(note for each in recordings for note in each.notes)))
    if clock == "local" and len(recordings) > 1:
        notes["times name no zone: those of all files are taken for one clock's"] = None
    start, end, runs = -np.inf, np.inf, 0.0
    for recording in recordings:
        check_clock(recordings[0], recording)
        before, kept = runs, set(series)
        measured = any(quantity in _OF_REQUESTS for quantity, _ in kept)
        chosen = _meant(recording, hosts, measured=measured)
        first, last = covered(chosen)
        if clock == "runs":  # one after the other
            runs = before + last
        elif first >= end or last <= start:
            told = f"covers {spanned(first, last)}, and {recordings[0].path} {spanned(start, end)}"
            raise FileError(recording.path, f"{told}: {_apart((first, last), (start, end))}")
        start, end = max(start, first), min(end, last)
        _check_once(recording.path, chosen)
        for one in chosen:
            each = replace(one, end=one.end + before)
            key = each.quantity, each.of
            of = each.of.removeprefix(f"{each.host}.")
            every.setdefault((each.quantity, of, each.host), replace(each, of=of))
            if clock == "runs" and key in kept:
                series[key] = appended(series[key], each)
            elif clock == "runs" or key not in kept:
                series[key] = each
            else:
                alike = (recording.kind, each.host) == (recordings[0].kind, "")
                if alike and key == ("throughput", ""):
                    users = SAID["all_users"] * (("population", "") in series)  # of one file alone
                    raise FileError(
                        recording.path, SAID["twice"].format(recordings[0].path) + users
                    )
                of = f" of {each.host}" if each.host and each.quantity not in _AT_HOST else ""
                if each.quantity != "servers" or each.host in {"", series[key].host}:
                    said = f"{each.quantity}{of} not used; an earlier file has it"
                    notes[f"{recording.path}: {said}"] = None
    found, more = _busy_cpus(list(series.values()), [*every.values()])
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
        problem = f"{SAID['clock'][other.clock]}, and {first.path} {SAID['clock'][first.clock]}"
        remedy = SAID["utc"]
        if {first.clock, other.clock} == {"UTC", "local"}:
            remedy = f"{SAID['zone']}{remedy}, or {SAID['levels']}"
        raise FileError(other.path, f"{problem}; {remedy}")


def _apart(one: tuple[float, float], other: tuple[float, float]) -> str:
    """What is said of times that two files cover, none in common: another time zone, or a day."""
    shorter = min(end - start for start, end in (one, other))
    for half in sorted(range(-28, 29), key=abs):
        start, end = (at - 1800.0 * half for at in one)
        if min(end, other[1]) - max(start, other[0]) > 0.9 * shorter:
            return f"{SAID['apart'].format(abs(half) / 2)}, or {SAID['levels']}"
    return "no time in common; give others"


def _meant(recording: Recording, wanted: Sequence[str], *, measured: bool) -> list[Series]:
    """Series of the computers and of the service that are meant.

    Where a file before has `measured` the requests, those of several services are not asked about.
    """
    hosts = _named(recording, _AT_HOST, wanted, *SAID["hosts"])
    services = _named(recording, _OF_REQUESTS, wanted, *SAID["services"], must=not measured)
    owners = {s.host for s in recording.series if s.quantity in POOLS}
    prefixed = (_AT_HOST if len(hosts) > 1 else set()) | (POOLS if len(owners) > 1 else set())
    places = dict.fromkeys(_OF_REQUESTS, services) | {each: [*owners] for each in POOLS}
    return [
        replace(s, of=f"{s.host}.{s.of}") if s.host and s.quantity in prefixed else s
        for s in recording.series
        if s.host in ("", *(places.get(s.quantity, hosts) or [s.host]))
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
        some = names[:6] if of is _AT_HOST else names[:1]
        raise FileError(recording.path, f"{problem}, as --host {','.join(some)}")
    return chosen or names[:1]


def _busy_cpus(series: list[Series], every: Sequence[Series]) -> tuple[list[Series], list[str]]:
    """Utilization from the processors that processes or containers kept busy, if nothing else.

    Of each computer whose utilization was not measured; `every` has those that others hide.
    """
    known = {s.host for s in series if s.quantity == "utilization" and s.of.endswith("cpu")}
    busy = [each for each in every if each.quantity == "processors"]
    hosts, notes = list(dict.fromkeys(each.host for each in busy)), []
    several = bool(known) or len({*hosts} - {""}) > 1
    for host in [each for each in (hosts if several else hosts[:1]) if each not in known]:
        used = [each for each in busy if each.host == host or not several]
        names = ", ".join(dict.fromkeys(each.of or "the container" for each in used[:4]))
        counts = [s for s in every if s.name == "servers:cpu" and (s.host == host or not several)]
        if several and not (host and all(known)):
            notes += [SAID["placeless"].format(names)]
        elif not counts:
            notes += [SAID["countless"].format(names)]
        else:
            of = f"{host}.cpu" if several else "cpu"
            end, interval, value = together([(s.end, s.interval, s.value) for s in used])
            value = value / np.interp(end, counts[0].end, counts[0].value)
            if several:
                here = {("servers:cpu", host), (f"servers:{of}", host)}
                series = [s for s in series if (s.name, s.host) not in here]
                series.append(replace(counts[0], of=of))
            series.append(Series("utilization", of, host, end, interval, value, busy=True))
            notes += [f"utilization:{of} is what {names} used of it"]
    return series, notes


def spanned(start: float, end: float) -> str:
    """From when to when, as times of UTC."""
    return " to ".join(
        f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S}" for at in (start, end)
    )
