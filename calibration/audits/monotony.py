"""Monotony in load: with more users, throughput and response time do not fall.

Holds for closed networks whose demands do not depend on load (R. Suri, "A concept of monotonicity
and its characterization for closed queueing networks," Operations Research 33, 1985, pp. 606-624).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import sqrt

from calibration.audits.contradiction import Contradiction, Silence, Suspicion
from calibration.audits.group import Group
from calibration.audits.law import Evidence, Law
from calibration.audits.observation import Number, Observation

NAME = "monotony in load"


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Neighbouring loads of one configuration, for each number that should not fall."""
    for group in evidence.groups:
        if len(_loads(group)) < 2:
            continue
        if group.labelled:
            reason = "each load was measured on another configuration"
            yield Silence(NAME, group.task, reason)
            continue
        for block in dict.fromkeys(group.block(i) for i in range(len(group.runs))):
            mine = [run for i, run in enumerate(group.runs) if group.block(i) == block]
            yield from _falling(group, mine)


def _loads(group: Group) -> set[float]:
    return {run.population.value for run in group.runs if run.population is not None}


def _falling(group: Group, runs: list[Observation]) -> Iterator[Suspicion]:
    levels: dict[float, list[Observation]] = {}
    for run in runs:
        if run.population is not None:
            levels.setdefault(run.population.value, []).append(run)
    ordered = sorted(levels)
    for fewer, more in pairwise(ordered):
        for one in levels[fewer]:
            for other in levels[more]:
                if _thinks_alike(one, other):
                    yield from _compare(group, one, other)


def _thinks_alike(one: Observation, other: Observation) -> bool:
    times = [run.think_time.value if run.think_time else None for run in (one, other)]
    return times[0] == times[1]


def _compare(group: Group, one: Observation, other: Observation) -> Iterator[Suspicion]:
    pairs = [
        ("throughput", one.throughput, other.throughput),
        ("response time", one.response_time, other.response_time),
    ]
    pairs += [(series.title, one.rate(series), other.rate(series)) for series in group.series]
    for title, low, high in pairs:
        if low is not None and high is not None and high.value < low.value:
            found = _contradiction(title, (one, low), (other, high))
            yield Suspicion(found, consequence=True)


def _contradiction(
    title: str, fewer: tuple[Observation, Number], more: tuple[Observation, Number]
) -> Contradiction:
    (one, low), (other, high) = fewer, more
    assert one.population is not None
    assert other.population is not None
    return Contradiction(
        law=NAME,
        rows=(one.name, other.name),
        size=(low.value - high.value) / sqrt(low.deviation**2 + high.deviation**2),
        message=(
            f"{title} falls from {low.show()} at {one.population.value:.0f} users to "
            f"{high.show()} at {other.population.value:.0f}"
        ),
        resolves=(
            "more users cannot do less work or wait less unless demands grow with load "
            "(thrashing, contention): measure both runs again"
        ),
        places=(low.place, high.place),
    )


LAW = Law(
    NAME,
    "throughput, response time, utilizations and volumes do not fall with more users",
    "no two loads of one task",
    suspects=suspects,
    applies=lambda evidence: any(len(_loads(group)) > 1 for group in evidence.groups),
)
