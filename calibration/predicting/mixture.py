"""One interval from several models: the quantiles of their weighted mixture."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, exp, inf, log, pi, sqrt

from calibration.estimation.interval import NINETY, Range


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one model says of a number: its own value, and standard deviations to either side."""

    #: The model.
    model: str
    #: Its part in the mixture. [1]
    weight: float
    #: Its own value.
    middle: float
    #: Half of its mass lies to either side of it, each half normal with this deviation.
    below: float
    above: float

    @property
    def interval(self) -> Range:
        """Its own 90 % interval."""
        low, high = self.middle - NINETY * self.below, self.middle + NINETY * self.above
        return Range(low, self.middle, high)


def mixture(estimates: Sequence[Estimate], nothing: float = 0.0) -> Range:
    """The 5 %, 50 % and 95 % quantiles of several models by their weights.

    ``nothing`` is the part of the weight of all models that lies at minus infinity beside them.
    """
    low, mid, high = (
        quantile(estimates, (p - nothing) / (1.0 - nothing)) if p > nothing else -inf
        for p in (0.05, 0.5, 0.95)
    )
    return Range(low, mid, high)


def ratio_mixture(estimates: Sequence[Estimate], most: float = inf, nothing: float = 0.0) -> Range:
    """`mixture` of a number whose estimates are of its logarithm, or 0; at most ``most``."""
    found = mixture(estimates, nothing)
    low, mid, high = (min(exp(end), most) for end in (found.low, found.mid, found.high))
    return Range(low, mid, high)


def estimate(
    model: str, weight: float, middle: float, pairs: Sequence[Sequence[float]], *,
    ratio: bool = True, noise: float = 0.0,
) -> Estimate:  # fmt: skip
    """An estimate from values at the ends of a 90 % interval along each axis of uncertainty.

    A pair has the number with the parameters moved both ways along an independent axis; the effects
    add in quadrature, of logarithms where the number is positive and varies by ratios, with
    ``noise`` as one more standard deviation to both sides.
    """
    centre = log(middle) if ratio else middle
    if abs(centre) == inf:
        return Estimate(model, weight, centre, 0.0, 0.0)
    below = above = noise**2
    for pair in pairs:
        ends = [
            ((log(v) if ratio else v) - centre) / NINETY
            for v in pair
            if (v > 0.0 or not ratio) and abs(v) < inf
        ]
        below += min([0.0, *ends]) ** 2
        above += max([0.0, *ends]) ** 2
    return Estimate(model, weight, centre, sqrt(below), sqrt(above))


def quantile(estimates: Sequence[Estimate], probability: float) -> float:
    """The value that so much of the mass of several models lies below; some may lie at infinity.

    By Newton's method, and by bisection wherever that leaves the bracket.
    """
    total = sum(e.weight for e in estimates)
    if under := sum(e.weight for e in estimates if e.middle == -inf):
        if probability * total <= under:
            return -inf
        rest = [e for e in estimates if e.middle > -inf]
        return quantile(rest, (probability * total - under) / (total - under))
    estimates = [e for e in estimates if e.middle < inf]
    if probability * total >= sum(e.weight for e in estimates):
        return inf
    if len(estimates) == 1 and total == estimates[0].weight and probability == 0.5:
        return estimates[0].middle
    parts = [(e.weight, e.middle, e.below, e.above) for e in estimates]
    known = sum(e.weight for e in estimates)
    wanted = 2.0 * probability * total - known
    low = min(e.middle - 4.0 * e.below for e in estimates)
    high = max(e.middle + 4.0 * e.above for e in estimates)
    if not any(e.below or e.above for e in estimates):
        missing = known + wanted
        for middle, weight in sorted((e.middle, e.weight) for e in estimates):
            missing -= 2.0 * weight
            if missing <= 0.0:
                return middle
    near = 1e-9 * (high - low)  # of a step by Newton, after which the error is far smaller
    # A normal distribution of the same mean and variance is a good start.
    centre = sum(weight * middle for weight, middle, _, _ in parts) / known
    variance = sum(w * (0.5 * (b * b + a * a) + (m - centre) ** 2) for w, m, b, a in parts) / known
    part = min(max(0.5 + 0.5 * wanted / known, 1e-6), 1.0 - 1e-6)
    x: float = centre + 4.91 * (part**0.14 - (1.0 - part) ** 0.14) * sqrt(variance)
    x = min(max(x, low), high)
    for turn in range(100):
        missing, density = wanted, 0.0
        for weight, middle, below, above in parts:
            distance = x - middle
            if deviation := below if distance < 0.0 else above:
                missing -= weight * erf(distance / deviation * sqrt(0.5))
                density += weight / deviation * exp(-0.5 * (distance / deviation) ** 2)
            else:
                missing -= weight if distance >= 0.0 else -weight
        low, high = (x, high) if missing > 0.0 else (low, x)
        step = missing * sqrt(0.5 * pi) / density if density else inf
        if abs(step) <= near:
            return x + step
        if high - low <= 1e-8 * near:
            break
        x = x + step if low < x + step < high and turn % 4 < 3 else 0.5 * (low + high)
    return x
