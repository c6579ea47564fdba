"""How much the time varies for which a thread is held: its slices and calls, fixed or random.

With Y calls of mean c and variance v, and 1 + Y slices of mean s that are exponential, the variance
is (1 + Y) s^2 + Y v where Y is fixed; where it is geometric, Y (1 + Y) (s + c)^2 more (and the
calls differ among themselves). As `qmodel.solvers.limits.holding_time` for places. Original.
"""

from __future__ import annotations

from collections.abc import Mapping

from qmodel.layered.nodes import Step

#: Mean and variance. [s], [s^2]
Moments = tuple[float, float]


def holding_scv(
    steps: Mapping[str, Step],
    weights: Mapping[str, float],
    stretch: Mapping[str | int | None, float],
    calls: Mapping[str, Moments],
) -> float:
    """SCV of the time of a mix of steps.

    ``weights`` are those of the mix, ``stretch`` is the time at each processor over the demand
    there, and ``calls`` are the times of steps of other pools, waits included.

    Examples
    --------
    >>> page = Step("web", None, 0.2, {"query": 1.0}, True)
    >>> round(holding_scv({"page": page}, {"page": 1.0}, {None: 1.0}, {"query": (0.1, 0.01)}), 4)
    0.3333
    """
    first = second = 0.0
    for name, weight in weights.items():
        mean, variance = _moments(name, steps, stretch, calls)
        first += weight * mean
        second += weight * (variance + mean**2)
    return max(0.0, second / first**2 - 1.0) if first else 1.0


def _moments(
    name: str,
    steps: Mapping[str, Step],
    stretch: Mapping[str | int | None, float],
    calls: Mapping[str, Moments],
) -> Moments:
    step = steps[name]
    count = sum(step.calls.values())
    slice_ = step.demand * stretch[step.processor if step.demand else None] / (1.0 + count)
    mean = within = square = 0.0
    for other, n in step.calls.items():
        time, spread = calls.get(other) or _moments(other, steps, stretch, calls)
        mean += n * time
        within += n * spread
        square += n * time**2
    variance = (1.0 + count) * slice_**2 + within
    if count and not step.fixed:
        each = mean / count
        variance += square - count * each**2 + count * (1.0 + count) * (slice_ + each) ** 2
    return (1.0 + count) * slice_ + mean, variance
