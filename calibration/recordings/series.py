"""What a file recorded: series of samples, whichever tool wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

#: Of monitors that count in kilobytes. [bytes]
KILOBYTE = 1024.0
#: Classes of requests that are kept one by one; a name with a number in it makes ever more.
CLASSES = 50


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Samples of one quantity, in order of time.

    Parameters
    ----------
    quantity : str
        As in a user's table: population, throughput, response_time, utilization, operations,
        volume, servers; or one that no table has: pressure, throttled, memory, processors.
    of : str
        The station, or the class of customers; empty for all classes.
    host : str
        The computer, empty if the file names none.
    end, interval : array
        End of each sample, in seconds since 1970 or since the recording began, and its length. [s]
    value : array
        In base units.
    weight : array, optional
        Requests behind each mean.
    """

    quantity: str
    of: str
    host: str
    end: Any
    interval: Any
    value: Any
    weight: Any = None

    @property
    def name(self) -> str:
        """As it heads a column of a user's table."""
        return f"{self.quantity}:{self.of}" if self.of else self.quantity

    def mean(self, start: float, end: float) -> float | None:
        """Mean over the samples that lie inside an interval, None if there is none."""
        inside = (self.end <= end + 1e-6) & (self.end - self.interval >= start - 1e-6)
        weight = (self.interval if self.weight is None else self.weight)[inside]
        total = float(weight.sum())
        return float((self.value[inside] * weight).sum()) / total if total > 0.0 else None


@dataclass(frozen=True, slots=True)
class Recording:
    """What a file, or several of one kind, recorded.

    Parameters
    ----------
    path : str
        The file, as it was given.
    kind : str
        What writes such a file, as a user would call it.
    clock : str
        "UTC"; "local" where times name no zone; "own" where they count from the file's beginning;
        "runs" where a sample is the summary of a whole run.
    series : tuple of Series
        What was understood.
    mapping : tuple of (str, str)
        Names in the file and what each was taken for.
    notes : tuple of str
        What is to be known of it.
    """

    path: str
    kind: str
    clock: str
    series: tuple[Series, ...]
    mapping: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


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
        return tuple(series_of(*name, rows) for name, rows in self.rows.items() if rows)


def series_of(
    quantity: str, of: str, host: str, rows: Iterable[tuple[float, float, float]]
) -> Series:
    """A series from samples: end, interval and value, in any order."""
    table = np.array(sorted(rows), dtype=float).reshape(-1, 3)
    return Series(quantity, of, host, table[:, 0], table[:, 1], table[:, 2])


@dataclass(slots=True)
class Requests:
    """Finished requests, counted by second and class as they are read.

    Parameters
    ----------
    count, busy : dict
        By class and second: requests, and the sum of their times. [1], [s]
    users : dict
        Most users seen in each second.
    failed : int
        Requests that failed; they count like the others.
    names : set of str
        Classes.
    """

    count: dict[tuple[str, int], int] = field(default_factory=dict)
    busy: dict[tuple[str, int], float] = field(default_factory=dict)
    users: dict[int, float] = field(default_factory=dict)
    failed: int = 0
    names: set[str] = field(default_factory=set)

    def known(self, name: str) -> str:
        """The class of a name, one for all that are seen after so many."""
        if name not in self.names and len(self.names) < CLASSES:
            self.names.add(name)
        return name if name in self.names else "others"

    def add(self, end: float, seconds: float | None, name: str = "") -> None:
        """A request that ended at a time and took so long, None if that is not known."""
        key = self.known(name), int(end)
        self.count[key] = self.count.get(key, 0) + 1
        if seconds is not None:
            self.busy[key] = self.busy.get(key, 0.0) + seconds

    def add_users(self, moment: float, users: float) -> None:
        """Users at a time."""
        second = int(moment)
        self.users[second] = max(self.users.get(second, 0.0), users)

    def series(self, host: str = "") -> tuple[Series, ...]:
        """Throughput and response time of all requests and by class, and the users."""
        found = []
        if self.count:
            seconds = [second for _, second in self.count]
            first, last = min(seconds), max(seconds)
            names = dict.fromkeys(name for name, _ in self.count)
            count = {name: np.zeros(last - first + 1) for name in names}
            busy = {name: np.zeros(last - first + 1) for name in names}
            for (name, second), number in self.count.items():
                count[name][second - first] = number
            for (name, second), total in self.busy.items():
                busy[name][second - first] = total
            every = [("", sum(count.values()), sum(busy.values()))]
            by_class = [(name, count[name], busy[name]) for name in names] if len(names) > 1 else []
            for name, number, total in [*every, *by_class]:
                end = np.arange(first, last + 1) + 1.0
                one = np.ones(len(end))
                found.append(Series("throughput", name, host, end, one, number))
                if self.busy:
                    seen = number > 0
                    mean, weight = total[seen] / number[seen], number[seen]
                    found.append(
                        Series("response_time", name, host, end[seen], one[seen], mean, weight)
                    )
        if self.users:
            rows = [(second + 1.0, 1.0, users) for second, users in self.users.items()]
            found.append(series_of("population", "", host, rows))
        return tuple(found)

    @property
    def notes(self) -> tuple[str, ...]:
        """How many failed."""
        total = sum(self.count.values())
        return (f"{self.failed:,} of {total:,} requests failed",) if self.failed else ()


def summary(rows: Sequence[dict[tuple[str, str], float]]) -> tuple[Series, ...]:
    """Series of whole runs, one sample a run, one run after the other."""
    table = SampleTable()
    for number, row in enumerate(rows, 1):
        for (quantity, of), value in row.items():
            table.add(float(number), 1.0, quantity, of, value)
    return table.series()
