"""Calls of one customer to a pool that follow each other at once, and how such runs make it wait.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/runs.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from qmodel.model.layered_records import Users
from qmodel.solvers.layered.durations import Span, mixed


class Work(NamedTuple):
    """Of runs: calls in the mean, and means of S, S^2 and R."""

    calls: float
    mean: float
    square: float
    behind: float

    @classmethod
    def at_random(cls, calls: float, parts: Iterable[tuple[float, Span]]) -> "Work":
        """Of a random number of calls, geometric from 1, each of a mix."""
        mean, variance = mixed(parts)
        square = calls * (variance + (2.0 * calls - 1.0) * mean**2)
        return cls(calls, calls * mean, square, calls**2 * mean)

    @classmethod
    def in_order(cls, calls: Sequence[Span]) -> "Work":
        """Of these calls, one after the other."""
        mean = sum(each.mean for each in calls)
        square = mean**2 + sum(each.variance for each in calls)
        behind = sum((i + 1.0) * each.mean for i, each in enumerate(calls))
        return cls(float(len(calls)), mean, square, behind)


def seen_scv(runs: Iterable[tuple[float, Work]]) -> float:
    """SCV of how long a thread is held, as waiting calls see it, of runs and their rates."""
    some = [(rate, run) for rate, run in runs if run.mean]
    if not sum(rate for rate, _ in some):
        return 1.0
    calls, mean, square, behind = (sum(rate * run[i] for rate, run in some) for i in range(4))
    return square * calls / (mean * behind) - 1.0


def runs_of(
    users: Users, place: Mapping[str, int], t: int, spans: Mapping[str, Span]
) -> list[tuple[float, Work]]:
    """The runs of users' own calls to a pool, and how often there is one, per interaction."""
    own = {name: n for name, n in users.calls if place.get(name) == t}
    if users.fixed:
        found = []
        for here, run in groupby(users.calls, key=lambda call: place.get(call[0])):
            if here == t:
                calls = [spans[name] for name, n in run for _ in range(int(n))]
                found.append((1.0, Work.in_order(calls)))
        return found
    total = sum(own.values())
    v = 1.0 + total / (1.0 + sum(n for _, n in users.calls) - total)
    mix = [(n / total, spans[name]) for name, n in own.items()]
    return [(total / v, Work.at_random(v, mix))] if own else []
