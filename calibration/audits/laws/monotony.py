"""Monotony in load: with more users, throughput and response time do not fall.

Holds for closed networks whose demands do not depend on load (R. Suri, "A concept of monotonicity
and its characterization for closed queueing networks," Operations Research 33, 1985, pp. 606-624).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import sqrt

from calibration.audits.contradiction import Silence, Suspicion
from calibration.audits.group import Group
from calibration.audits.law import Evidence, Law
from calibration.audits.observation import Number, Observation


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Neighbouring loads of one configuration, for each number that should not fall."""
    for group in evidence.groups:
        if len(_loads(group)) < 2:
            continue
        if group.labelled:
            yield Silence(LAW.name, group.task, "each load was measured on another configuration")
            continue
        for block in dict.fromkeys(group.block(i) for i in range(len(group.runs))):
            mine = [run for i, run in enumerate(group.runs) if group.block(i) == block]
            yield from _falling(group, mine)


def _loads(group: Group) -> set[float]:
    return {run.population.value for run in group.runs if run.population is not None}


def _falling(group: Group, runs: list[Observation]) -> Iterator[Suspicion]:
    """Each number at one load against the next, runs at one load averaged."""
    levels: dict[object, dict[float, list[Observation]]] = {}
    for run in runs:
        if run.population is not None:
            # Users who think longer, or more servers, are another system.
            system = (run.think_time.value if run.think_time is not None else None, run.servers)
            levels.setdefault(system, {}).setdefault(run.population.value, []).append(run)
    measures: list[tuple[str, Callable[[Observation], Number | None]]] = [
        ("throughput", lambda run: run.throughput),
        ("response time", lambda run: run.response_time),
    ]
    measures += [(each.title, partial(Observation.rate, series=each)) for each in group.series]
    for by_load in levels.values():
        for fewer, more in pairwise(sorted(by_load)):
            for title, measure in measures:
                low, high = (_mean(by_load[load], measure) for load in (fewer, more))
                if low is not None and high is not None and high.value < low.value:
                    found = LAW.contradiction(
                        (run.name for run in (*low.runs, *high.runs)),
                        (low.value - high.value) / sqrt(low.deviation**2 + high.deviation**2),
                        (number.place for number in (*low.numbers, *high.numbers)),
                        title=title, low=low.shown, users=fewer, high=high.shown, more=more,
                    )  # fmt: skip
                    yield Suspicion(found, consequence=True)


@dataclass(frozen=True, slots=True)
class _Mean:
    """The mean of one number over the runs at one load."""

    value: float
    deviation: float
    shown: str
    runs: tuple[Observation, ...]
    numbers: tuple[Number, ...]


def _mean(runs: list[Observation], measure: Callable[[Observation], Number | None]) -> _Mean | None:
    found = [(run, number) for run in runs if (number := measure(run)) is not None]
    if not found:
        return None
    numbers = tuple(number for _, number in found)
    value = sum(number.value for number in numbers) / len(numbers)
    deviation = sqrt(sum(number.deviation**2 for number in numbers)) / len(numbers)
    return _Mean(value, deviation, numbers[0].show(value), tuple(run for run, _ in found), numbers)


LAW = Law.of(
    __file__, suspects=suspects,
    applies=lambda evidence: any(len(_loads(group)) > 1 for group in evidence.groups),
)  # fmt: skip
