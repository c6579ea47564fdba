"""How response times spread about their mean, as measured percentiles say; see THEORY.md."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import exp, hypot, inf, log, log10
from typing import NamedTuple

from calibration.estimation.interval import NINETY, Range

#: Below this share a percentile does not rise with the variance. [1]
LEAST = 0.75
#: Shares that are late are sought up to here. [1]
MOST = 0.999
#: No share that is late is told from none. [1]
TINY = 1e-12
#: Logarithm of how far a network's p95, and those beyond, are off in 95 of 100, by
#: `benchmarks.accuracy`, percentiles-drives. [1]
COMPUTED, BEYOND = 0.06, 0.12
#: Least variance over the squared mean. [1]
CALM = 1e-4


class TailShape(NamedTuple):
    """What a measured percentile of a class says of its response times."""

    customer_class: str
    #: Which percentile. [1]
    share: float
    #: v, the SCV of the time of a request alone, and w, what waiting varies. [1]
    alone: float
    waiting: float
    #: Standard deviation of the logarithm of measured over said. [1]
    scatter: float

    def variance(self, mean: float, percentile: float, services: Sequence[float]) -> float:
        """Of the response time, by the model's percentile and the times when alone. [s^2]"""
        of_model = self.of_model(mean, percentile)
        waits = max(0.0, of_model - sum(s * s for s in services))
        return max(CALM * mean * mean, self.alone * sum(services) ** 2 + self.waiting * waits)

    def of_model(self, mean: float, percentile: float) -> float:
        """The variance of the response time by the model's percentile. [s^2]"""
        return gamma_variance(mean, self.share, percentile)

    def ratio(
        self, mean: float, percentile: float, services: Sequence[float], share: float
    ) -> float:
        """Another percentile over what the model says of it: those of gammas as they vary. [1]"""
        variance = self.variance(mean, percentile, services)
        model = gamma_percentile(mean, self.of_model(mean, percentile), share)
        return gamma_percentile(mean, variance, share) / model


def shapes_of_class(shapes: Sequence[TailShape], name: str) -> tuple[TailShape, ...]:
    """Those of the percentiles of one class."""
    return tuple(each for each in shapes if each.customer_class == name)


def nearest(own: Sequence[TailShape], share: float) -> TailShape:
    """Of the percentile of a class that is nearest to one asked for."""
    return min(own, key=lambda each: abs(log((1.0 - each.share) / (1.0 - share))))


def corrected(
    own: Sequence[TailShape], mean: float, said: Mapping[float, float], services: Sequence[float],
    shares: Iterable[float],
) -> dict[float, float]:  # fmt: skip
    """Percentiles of a class, as those measured correct what the model says of it. [s]

    Between two measured ones the logarithm of the share that is late falls evenly with time.
    ``said`` has those of the model that are asked for, and those of the shapes.
    """
    if not own or mean == inf:
        return {share: said[share] for share in shares}

    own = sorted(own, key=lambda each: each.share)
    at = _times(own, mean, said, services)
    found = {}
    for share in shares:
        shape = nearest(own, share)
        found[share] = said[share] * shape.ratio(mean, said[shape.share], services, share)
        if share >= own[-1].share:
            found[share] = max(found[share], at[-1])
        for (one, low), (two, high) in pairwise(zip(own, at, strict=True)):
            if one.share <= share < two.share:
                less, least = (log((1.0 - each) / (1.0 - one.share)) for each in (share, two.share))
                found[share] = low + less / least * (high - low)
    return found


def _times(
    own: Sequence[TailShape], mean: float, said: Mapping[float, float], services: Sequence[float]
) -> list[float]:
    """The percentiles measured, as corrected: none is below that of a smaller share. [s]"""
    variances = [each.variance(mean, said[each.share], services) for each in own]
    each = (gamma_percentile(mean, v, own[i].share) for i, v in enumerate(variances))
    return [*accumulate(each, max)]


def late(
    own: Sequence[TailShape], mean: float, said: Mapping[float, float], services: Sequence[float],
    limit: float, model: Callable[[float], float],
) -> float:  # fmt: skip
    """The share of a class that takes longer: the inverse of `corrected`. [1]

    ``model`` is the share that the model says takes longer than a time.
    """
    from scipy.optimize import brentq

    own = sorted(own, key=lambda each: each.share)
    at = _times(own, mean, said, services)
    for (one, low), (two, high) in pairwise(zip(own, at, strict=True)):
        if low < limit <= high:
            part = (limit - low) / (high - low)
            return float((1.0 - one.share) ** (1.0 - part) * (1.0 - two.share) ** part)
    end = own[0 if limit <= at[0] else -1]
    given = (mean, said[end.share], services)

    def off(power: float) -> float:
        part = 10.0**power
        return log(max(TINY, model(limit / end.ratio(*given, 1.0 - part)))) - log(part)

    low, high = log10(TINY), log10(MOST)
    if off(low) <= 0.0 or off(high) >= 0.0:
        return TINY if off(low) <= 0.0 else MOST
    return float(10.0 ** brentq(off, low, high, xtol=1e-6))


def spread(own: Sequence[TailShape], share: float) -> float:
    """Of the logarithm of a percentile, by those measured beside what was said of them.

    It is at least that of a network: one or two that were measured are met by v and w exactly.
    """
    shape = nearest(own, share) if own else None
    far = share > 0.95 or (shape is not None and abs(shape.share - share) > TINY)
    return max(BEYOND if far else COMPUTED, NINETY * shape.scatter if shape else 0.0)


def scattered(found: Range, own: Sequence[TailShape], share: float) -> Range:
    """A percentile with how far it may be off even if its mean is right."""
    off = spread(own, share)
    return wider(found, off, off)


def wider(found: Range, below: float, above: float) -> Range:
    """A range with the logarithms of something else that it may be off by as well."""
    if not found.low > 0.0 or found.high == inf:
        return found
    low, high = log(found.mid / found.low), log(found.high / found.mid)
    low, high = hypot(low, below), hypot(high, above)
    return Range(found.mid * exp(-low), found.mid, found.mid * exp(high))


def gamma_percentile(mean: float, variance: float, share: float) -> float:
    """Of the gamma distribution of a mean and a variance. [s]"""
    from scipy.special import gammaincinv

    shape = mean * mean / variance
    return float(gammaincinv(shape, share)) * mean / shape


@lru_cache
def _widest(share: float) -> float:
    """The SCV at which a percentile of the gamma distribution is largest, over its mean. [1]"""
    from scipy.optimize import minimize_scalar

    ends = CALM, 1.0 / (1.0 - share)
    found = minimize_scalar(lambda scv: -gamma_percentile(1.0, scv, share), bounds=ends)
    return float(found.x)


def gamma_variance(mean: float, share: float, time: float) -> float:
    """Of the gamma distribution with a mean whose percentile is ``time``. [s^2]"""
    from scipy.optimize import brentq

    def beyond(scv: float) -> float:
        return gamma_percentile(mean, scv * mean * mean, share) - time

    low, high = CALM, _widest(share)
    if beyond(low) >= 0.0 or beyond(high) <= 0.0:
        return low * mean * mean if beyond(low) >= 0.0 else high * mean * mean
    return float(brentq(beyond, low, high)) * mean * mean
