"""Classes whose rates rise together: the sum of demands is known, not its split; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev

from calibration.audits.observation import Number, Observation

#: A split is worth its error where the mix varies by so many times the noise of a mean.
ENOUGH = 5.0


def one_of_collinear(
    observations: Sequence[Observation], noise: float
) -> tuple[list[Observation], list[str]]:
    """Observations in which classes that rise together are one, and a note for each such group.

    Runs count whose throughput is known by class and by nothing else; others are left as they are.
    ``noise`` is the relative standard deviation of one throughput. [1]
    """
    rates = [
        {c: number for q, c, number in each.by_class if q == "throughput"} for each in observations
    ]
    other = any(q != "throughput" for each in observations for q, _, _ in each.by_class)
    names = sorted({c for row in rates for c in row})
    if other or len(rates) < 3 or len(names) < 2:
        return list(observations), []
    if any(each.population is not None for each in observations) or any(
        c not in row or row[c].value <= 0.0 for row in rates for c in names
    ):
        return list(observations), []
    groups: list[list[str]] = []
    for name in names:
        for group in groups:
            ratios = [row[name].value / row[group[0]].value for row in rates]
            # They vary by no more than noise would let it be told.
            if stdev(ratios) * sqrt(len(ratios)) < ENOUGH * noise * fmean(ratios):
                group.append(name)
                break
        else:
            groups.append([name])
    notes = []
    for group in groups:
        if len(group) > 1:
            parts = ", ".join(
                f"{fmean(row[c].value / row[group[0]].value for row in rates):.3g} {c}"
                for c in group[1:]
            )
            notes.append(
                f"{' and '.join(group)} rise together ({parts} to each {group[0]}): their sum is "
                "known, not the split; an hour with another mix would separate them"
            )
    if not notes:
        return list(observations), []
    return [
        replace(
            each,
            by_class=tuple(
                ("throughput", " + ".join(group), _sum([row[c] for c in group])) for group in groups
            ),
        )
        for each, row in zip(observations, rates, strict=True)
    ], notes


def _sum(numbers: Sequence[Number]) -> Number:
    return replace(
        numbers[0], value=sum(number.value for number in numbers),
        rounding=sum(number.rounding for number in numbers),
        noise=sqrt(sum(number.noise**2 for number in numbers)),
    )  # fmt: skip
