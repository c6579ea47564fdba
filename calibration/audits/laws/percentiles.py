"""Percentiles rise with their share, and Markov's inequality, (1 - q) t_q <= E[T].

A. A. Markov (1884); W. Feller, An Introduction to Probability Theory and Its Applications, vol. II,
2nd ed., Wiley 1971, section V.7.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from calibration.audits.contradiction import Suspicion
from calibration.audits.law import Evidence, Law
from calibration.audits.observation import Number, Observation

#: A share, and its percentile.
Percentile = tuple[float, Number]
#: The share from which on a mean above its percentile needs an explanation: a convention. [1]
_HIGH = 0.95


def suspects(evidence: Evidence) -> Iterator[Suspicion]:
    """All percentiles of each class of each run."""
    for run in evidence.runs:
        means = {c: number for q, c, number in run.by_class if q == "response_time"}
        for of in dict.fromkeys(of for of, _, _ in run.percentiles):
            own = sorted({q: number for c, q, number in run.percentiles if c == of}.items())
            for (less, low), (more, high) in pairwise(own):
                if high.value + high.rounding < low.value - low.rounding:
                    yield _falling(run, (less, low), (more, high))
            if mean := means.get(of, run.response_time if not of else None):
                far = [found for each in own if (found := _against(run, mean, each))]
                yield from sorted(far, key=lambda each: not each.exact)[:1]


def _falling(run: Observation, lower: Percentile, higher: Percentile) -> Suspicion:
    (less, low), (more, high) = lower, higher
    size = (low.value - high.value) / hypot(low.deviation, high.deviation)
    found = LAW.contradiction(
        (run.name,), size, (low.place, high.place), "falling",
        less=f"p{100 * less:g}", low=low.show(), more=f"p{100 * more:g}", high=high.show(),
    )  # fmt: skip
    return Suspicion(found, exact=True)


def _against(run: Observation, mean: Number, percentile: Percentile) -> Suspicion | None:
    """A percentile further above the mean than can be, or a high one that is clearly below it."""
    (share, number), rest = percentile, 1.0 - percentile[0]
    beyond = rest * (number.value - number.rounding) > mean.value + mean.rounding
    if not beyond and (share < _HIGH or number.value >= mean.value):
        return None
    times = 1.0 / rest if beyond else 1.0
    size = abs(number.value - times * mean.value) / hypot(number.deviation, times * mean.deviation)
    found = LAW.contradiction(
        (run.name,), size, (mean.place, number.place), "beyond" if beyond else "below",
        percentile=f"p{100 * share:g}", value=number.show(), mean=mean.show(), times=f"{times:.4g}",
        slowest=f"{100 * rest:.2g} %", least=mean.show((mean.value - share * number.value) / rest),
    )  # fmt: skip
    return Suspicion(found, exact=beyond)


LAW = Law.of(
    __file__, suspects=suspects, applies=lambda evidence: any(r.percentiles for r in evidence.runs)
)
