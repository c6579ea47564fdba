"""What a file recorded: series of samples, whichever tool wrote them."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from calibration.recordings.percentiles import SHARES, percentile
from calibration.recordings.span_trees import Service

#: Of monitors that count in kilobytes. [bytes]
KILOBYTE = 1024.0
#: Classes of requests that are kept one by one, the most frequent of so many names, and the rest.
CLASSES, NAMES, REST = 50, 500, "other"
#: Parts of a path that name one of many things: numbers, UUIDs, long hexadecimal ones.
_ID = re.compile(r"(?i)(?<=/)(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{16,})(?=/|$)")
#: Part of the requests that may fail [1], and what is said of more.
FEW, FAILED = 0.05, "they count as served, and shorten the response times if they fail fast"
#: Requests whose times are kept for percentiles.
KEPT = 10_000_000
#: Longest recording. [days]
MOST_DAYS = 400


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Samples of one quantity, in order of time.

    The quantity is one of a user's table (population, throughput, utilization, ...) or one that no
    table has (pressure, throttled, memory, processors), ``of`` the station or class, empty for all.
    ``end`` counts seconds since 1970 or since the recording began; ``value`` is in base units;
    ``weight`` are the requests behind each mean, if it is one. Of a percentile the values are
    times of that many requests, or, without a weight, percentiles that somebody else took. Of
    counted ``busy`` time a sample may lie beyond 0 or 1, as its counter is read late; no mean does.
    """

    quantity: str
    of: str
    host: str
    end: Any
    interval: Any
    value: Any
    weight: Any = None
    busy: bool = field(default=False, kw_only=True)

    @property
    def name(self) -> str:
        """As it heads a column of a user's table."""
        return f"{self.quantity}:{self.of}" if self.of else self.quantity

    def mean(self, start: float, end: float) -> float | None:
        """Mean, or percentile, of the samples inside an interval, None if there is none."""
        part = self.inside(start, end)
        if share := SHARES.get(self.quantity):
            if self.weight is not None:
                return percentile(part.value, part.weight, share)
            return float(part.value[0]) if len(part.value) == 1 else None  # they have no mean
        total = float(part.weights.sum())
        mean = float((part.value * part.weights).sum()) / total if total > 0.0 else None
        return mean if mean is None or not self.busy else min(max(mean, 0.0), 1.0)

    @property
    def weights(self) -> Any:
        """What each sample counts in a mean: its requests, or else its length."""
        return self.interval if self.weight is None else self.weight

    def inside(self, start: float, end: float) -> "Series":
        """The samples that lie inside an interval."""
        some = (self.end <= end + 1e-6) & (self.end - self.interval >= start - 1e-6)
        weight = None if self.weight is None else self.weight[some]
        end, interval, value = (each[some] for each in (self.end, self.interval, self.value))
        return replace(self, end=end, interval=interval, value=value, weight=weight)


@dataclass(frozen=True, slots=True)
class Recording:
    """What a file, or several of one kind, recorded.

    ``clock`` is "UTC"; "local" where times name no zone; "own" where they count from the file's
    beginning; "runs" where a sample is the summary of a whole run. ``mapping`` says what each name
    in the file was taken for; ``services`` is what traces say of the services behind it; ``names``
    are all in the file that a user may say the meaning of.
    """

    path: str
    kind: str
    clock: str
    series: tuple[Series, ...]
    mapping: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    services: tuple[Service, ...] = ()
    names: tuple[str, ...] = ()


class SampleTable:
    """Collects samples one by one, and makes series of them."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str, str], list[tuple[float, float, float]]] = {}

    def add(
        self, end: float, interval: float, quantity: str, of: str, value: float, host: str = ""
    ) -> None:
        """A sample; values of one name and time add up, as the two directions of a network do."""
        rows = self.rows.setdefault((quantity, of.lower(), host), [])
        if rows and rows[-1][0] == end:
            value += rows.pop()[2]
        rows.append((end, interval, value))

    def series(self) -> tuple[Series, ...]:
        """One for each name."""
        return tuple(series_of(*name, rows) for name, rows in self.rows.items())


def series_of(
    quantity: str, of: str, host: str, rows: Iterable[tuple[float, float, float]]
) -> Series:
    """A series from samples: end, interval and value, in any order."""
    return Series(quantity, of, host, *np.array(sorted(rows), dtype=float).reshape(-1, 3).T)


def summary(rows: Sequence[dict[tuple[str, str], float]]) -> tuple[Series, ...]:
    """Series of whole runs, one sample a run, one run after the other."""
    table = SampleTable()
    for number, row in enumerate(rows, 1):
        for (quantity, of), value in row.items():
            table.add(float(number), 1.0, quantity, of, value)
    return table.series()


@dataclass(slots=True)
class Requests:
    """Finished requests, counted by class and second as they are read, with their times. [s]

    Those that failed count like the others.
    """

    count: dict[tuple[str, int], int] = field(default_factory=dict)
    untimed: dict[tuple[str, int], int] = field(default_factory=dict)
    busy: dict[tuple[str, int], float] = field(default_factory=dict)
    users: dict[int, float] = field(default_factory=dict)
    failed: int = 0
    names: Counter[str] = field(default_factory=Counter)
    second: "array[int]" = field(default_factory=lambda: array("q"))
    took: "array[float]" = field(default_factory=lambda: array("f"))
    #: Of each time the number of its class, and that number by name.
    whose: "array[int]" = field(default_factory=lambda: array("H"))
    numbers: dict[str, int] = field(default_factory=dict)

    def known(self, name: str) -> str:
        """The class of a name, ids as one, and one for all that are seen after so many."""
        name = _ID.sub(":id", name)
        name = name if name in self.names or len(self.names) < NAMES else REST
        self.names[name] += 1
        return name

    def add(self, end: float, seconds: float | None, name: str = "") -> None:
        """A request that ended at a time and took so long, None if that is not known."""
        key = self.known(name), int(end)
        self.count[key] = self.count.get(key, 0) + 1
        if seconds is None:
            self.untimed[key] = self.untimed.get(key, 0) + 1
        else:
            self.busy[key] = self.busy.get(key, 0.0) + seconds
            if len(self.took) < KEPT:
                self.second.append(key[1])
                self.took.append(seconds)
                self.whose.append(self.numbers.setdefault(key[0], len(self.numbers)))

    def add_users(self, moment: float, users: float) -> None:
        """Users at a time; the most of a second count."""
        self.users[int(moment)] = max(self.users.get(int(moment), 0.0), users)

    def series(self) -> tuple[Series, ...]:
        """Throughput and response time of all requests and by class, percentiles, and the users."""
        found = []
        if self.count:
            first, last = (edge(second for _, second in self.count) for edge in (min, max))
            if last - first > MOST_DAYS * 86400:  # each second has its place
                raise ValueError(f"times over {MOST_DAYS} days; leave out lines of a wrong clock")
            kept = [name for name, _ in self.names.most_common(CLASSES) if name != REST]
            names = kept + [REST] * (len(kept) < len(self.names))
            place = {name: names.index(name if name in kept else REST) for name in self.names}
            tables = count, busy, untimed = np.zeros((3, len(names), last - first + 1))
            held: Sequence[Mapping[Any, float]] = self.count, self.busy, self.untimed
            for table, cells in zip(tables, held, strict=True):
                for (name, second), value in cells.items():
                    table[place[name], second - first] += value
            rows = [("", *(table.sum(axis=0) for table in tables))]
            rows += zip(names, count, busy, untimed, strict=True) if len(names) > 1 else ()
            end, one = np.arange(first, last + 1) + 1.0, np.ones(last - first + 1)
            for name, number, total, lacking in rows:
                found.append(Series("throughput", name, "", end, one, number))
                if self.busy and (seen := (timed := number - lacking) > 0).any():
                    some = end[seen], one[seen], total[seen] / timed[seen], timed[seen]
                    found.append(Series("response_time", name, "", *some))
        if 0 < len(self.took) < KEPT:
            order = np.argsort(seconds := np.asarray(self.second), kind="stable")
            end, times = seconds[order] + 1.0, np.asarray(self.took)[order]
            one = np.broadcast_to(1.0, len(end))
            whose = np.array([place[each] for each in self.numbers])[np.asarray(self.whose)[order]]
            found += [Series(p, "", "", end, one, times, one) for p in SHARES]
            for i, name in enumerate(names if len(names) > 1 else ()):
                mine = whose == i
                some = tuple(each[mine] for each in (end, one, times, one))
                found += [Series(p, name, "", *some) for p in SHARES]
        if self.users:
            users = [(second + 1.0, 1.0, value) for second, value in self.users.items()]
            found.append(series_of("population", "", "", users))
        return tuple(found)

    @property
    def notes(self) -> tuple[str, ...]:
        """How many failed or have no time, and where there are too many for percentiles."""
        total, lacking = sum(self.count.values()), sum(self.untimed.values())
        many = f"; {FAILED}: record it without errors, or leave out their lines"
        many *= self.failed > FEW * total
        notes = [f"{self.failed:,} of {total:,} requests failed{many}"] if self.failed else []
        if 0 < lacking < total:
            notes.append(f"{lacking:,} of {total:,} requests have no time and are in no mean of it")
        most = f"no percentiles, because there are {KEPT:,} requests or more; give a shorter part"
        return (*notes, most) if len(self.took) == KEPT else tuple(notes)
