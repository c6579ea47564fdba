"""Additivity of class mixes: what users of each class ask for adds up, and none is negative.

With shares p of classes that ask for a_c >= 0 each, any rate is N sum(p_c a_c). Between two mixes
of as many users it can change by no more than the share of some class does.
"""

from collections.abc import Iterator
from itertools import combinations
from math import log, sqrt

from calibration.audits.contradiction import Silence, Suspicion
from calibration.audits.law import Evidence, Law
from calibration.audits.observation import Observation


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Pairs of runs that differ in the mix of their users alone."""
    for one, other in combinations([run for run in evidence.runs if run.shares], 2):
        if one.shares == other.shares or dict(one.shares).keys() != dict(other.shares).keys():
            continue
        if one.place.table != other.place.table:
            continue
        what = f"{one.name} and {other.name}"
        if one.task != other.task:
            yield Silence(LAW.name, what, "more than the mix differs between them")
        elif one.population is None or other.population is None:
            yield Silence(LAW.name, what, "the number of users is not given")
        elif one.population.value != other.population.value:
            yield Silence(LAW.name, what, "the number of users differs")
        else:
            yield from _compare(one, other)


def _mix(run: Observation) -> list[float]:
    """Shares of all classes, the rest as the last one."""
    shares = [share for _, share in run.shares]
    return [*shares, max(0.0, 1.0 - sum(shares))]


def _compare(one: Observation, other: Observation) -> Iterator[Suspicion]:
    ratios = [
        after / before if before > 0.0 else float("inf")
        for before, after in zip(_mix(one), _mix(other), strict=True)
        if before > 0.0 or after > 0.0
    ]
    most, least = max(ratios), min(ratios)
    rates = [(series.title, number, other.rate(series)) for series, number in one.rates]
    for title, before, after in [("throughput", one.throughput, other.throughput), *rates]:
        if before is None or after is None or min(before.value, after.value) <= 0.0:
            continue
        ratio = after.value / before.value
        beyond = max(log(ratio / most), log(least / ratio) if least > 0.0 else float("-inf"))
        if beyond > 0.0:
            bound = most if ratio > most else least
            found = LAW.contradiction(
                (one.name, other.name),
                abs(log(ratio / bound)) / sqrt(before.relative**2 + after.relative**2),
                (before.place, after.place), title=title, before=before.show(), after=after.show(),
                change=(ratio - 1.0) * 100.0, bound=(bound - 1.0) * 100.0,
                most=after.show(before.value * bound),
            )  # fmt: skip
            yield Suspicion(found)


LAW = Law.of(
    __file__, suspects=suspects,
    applies=lambda evidence: len({run.shares for run in evidence.runs if run.shares}) > 1,
)  # fmt: skip
