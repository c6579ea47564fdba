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
                for share, number in own:
                    if (1.0 - share) * (
                        number.value - number.rounding
                    ) > mean.value + mean.rounding:
                        yield _beyond(run, mean, (share, number))
                        break


def _falling(run: Observation, lower: Percentile, higher: Percentile) -> Suspicion:
    (less, low), (more, high) = lower, higher
    found = LAW.contradiction(
        (run.name,),
        (low.value - high.value) / hypot(low.deviation, high.deviation),
        (low.place, high.place),
        "falling",
        less=f"p{100 * less:g}",
        low=low.show(),
        more=f"p{100 * more:g}",
        high=high.show(),
    )
    return Suspicion(found, exact=True)


def _beyond(run: Observation, mean: Number, percentile: Percentile) -> Suspicion:
    share, number = percentile
    most = mean.value / (1.0 - share)
    found = LAW.contradiction(
        (run.name,),
        (number.value - most) / hypot(number.deviation, mean.deviation / (1.0 - share)),
        (mean.place, number.place),
        "beyond",
        percentile=f"p{100 * share:g}",
        value=number.show(),
        mean=mean.show(),
        times=f"{1.0 / (1.0 - share):.4g}",
    )
    return Suspicion(found, exact=True)


LAW = Law.of(
    __file__, suspects=suspects, applies=lambda evidence: any(r.percentiles for r in evidence.runs)
)
