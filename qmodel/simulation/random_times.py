"""Random service and interarrival times by mean and coefficient of variation; see THEORY.md."""

from bisect import bisect_right
from math import ceil, log1p, sqrt
from typing import Any

import numpy as np

from qmodel.model.distributions import Distribution, MarkovianArrivals, moments_of
from qmodel.model.phases import Phases, Quantiles
from qmodel.numerics.arrays import Array


class Times:
    """A distribution of a mean [s] and an SCV [1] that can be drawn from.

    ``family`` is a name, measured times, which are drawn with equal probability, phases, quantiles
    or arrivals; all but names are scaled to the mean and have an SCV of their own.
    """

    def __init__(self, mean: float, scv: float, family: Distribution = "phase-type") -> None:
        own, self.scv = moments_of(family, scv)
        self.mean, self.family, self.scale = mean, family, mean / own
        self.values: Array | None = None
        if isinstance(family, Phases):  # a renewal process; its first time begins anywhere
            starts = [[-sum(row) * p for p in family.start] for row in family.generator]
            family = self.family = MarkovianArrivals(family.generator, tuple(map(tuple, starts)))
        if isinstance(family, MarkovianArrivals):
            self.phase = 0
            self.rates, self.upto, self.leads = _transitions(family)
        elif isinstance(family, tuple) and not isinstance(family, Phases | Quantiles):
            self.values = np.array(family) * self.scale

    def draw(self, random: np.random.Generator, number: int) -> Array:
        """So many independent times, or of arrivals those that follow."""
        if self.values is not None:
            return random.choice(self.values, number)
        if isinstance(self.family, MarkovianArrivals):
            return self._arrivals(random, number)
        if isinstance(self.family, Quantiles):
            return self.scale * np.interp(random.random(number), *self.family)
        if self.scv == 0.0:
            return np.full(number, self.mean)
        if self.family == "lognormal":
            spread = log1p(self.scv)
            normal = random.standard_normal(number)
            return np.asarray(self.mean * np.exp(normal * sqrt(spread) - 0.5 * spread))
        if self.family == "pareto":  # P(T > t) = (low / t)^shape from ``low`` on
            shape = 1.0 + sqrt(1.0 + 1.0 / self.scv)
            low = self.mean * (shape - 1.0) / shape
            return np.asarray(low * np.exp(random.standard_exponential(number) / shape))
        if self.scv == 1.0:
            return self.mean * random.standard_exponential(number)
        if self.family == "gamma":
            return random.gamma(1.0 / self.scv, self.mean * self.scv, number)
        if self.scv > 1.0:  # hyperexponential of balanced means
            first = 0.5 * (1.0 + sqrt((self.scv - 1.0) / (self.scv + 1.0)))
            p = np.where(random.random(number) < first, first, 1.0 - first)
            return np.asarray(random.standard_exponential(number) * self.mean / (2.0 * p))
        # An Erlang distribution of k phases, or with some probability of one less.
        k = ceil(1.0 / self.scv - 1e-9)
        root = sqrt(max(0.0, k * (1.0 + self.scv) - k * k * self.scv))
        shorter = (k * self.scv - root) / (1.0 + self.scv)
        phases = np.where(random.random(number) < shorter, k - 1.0, float(k))
        return np.asarray(random.standard_gamma(phases) * self.mean / (k - shorter))

    def _arrivals(self, random: np.random.Generator, number: int) -> Array:
        """Times between arrivals, the phase going on from the last one."""
        time, phase = 0.0, self.phase
        found: list[float] = []
        while len(found) < number:
            waits = random.standard_exponential(256).tolist()
            for wait, u in zip(waits, random.random(256).tolist(), strict=True):
                time += wait / self.rates[phase]
                way = bisect_right(self.upto[phase], u)
                phase, arrives = self.leads[phase][min(way, len(self.leads[phase]) - 1)]
                if arrives:
                    found.append(time * self.scale)
                    time = 0.0
                    if len(found) == number:
                        break
        self.phase = phase
        return np.array(found)


def _transitions(arrivals: MarkovianArrivals) -> tuple[list[float], list[list[float]], list[Any]]:
    """Rate out of each phase, and where to: cumulative probability, the phase, if with arrival."""
    rates, upto, leads = [], [], []
    for i, rows in enumerate(zip(arrivals.d0, arrivals.d1, strict=True)):
        rate = -rows[0][i]
        ways = [(j, a, r) for a, row in enumerate(rows) for j, r in enumerate(row) if r > 0.0]
        rates.append(rate)
        upto.append(np.cumsum([r / rate for _, _, r in ways]).tolist())
        leads.append([(j, a) for j, a, _ in ways])
    return rates, upto, leads
