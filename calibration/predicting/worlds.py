"""Every way the measured system may be: each admissible model, moved along its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, sqrt
from typing import TYPE_CHECKING

from calibration.estimation.interval import NINETY, Range
from calibration.fitting.fitted_model import CARRIED
from calibration.predicting.mixture import Estimate, estimate, mixture, ratio_mixture
from calibration.predicting.other_servers import as_elsewhere, moved

if TYPE_CHECKING:
    from calibration.fitting.fitted_model import Calibration, FittedModel
    from calibration.model_evaluation.model import ServiceModel

#: Model, weight and axis of a world.
Among = tuple[str, float, int]
#: What lies beyond either end of a 90 % interval. [1]
TAIL = 0.05


@dataclass(frozen=True, slots=True)
class World:
    """One way the system may be."""

    #: The fitted model.
    model: str
    #: Of that model. [1]
    weight: float
    #: 0 for the model as it was fitted; the others come in pairs, to either end of a 90 % interval
    #: along one principal axis of the joint covariance, or of what is expected as elsewhere.
    axis: int
    #: The system then.
    service: ServiceModel


@lru_cache(maxsize=64)
def worlds_of(calibration: Calibration) -> tuple[World, ...]:
    """All worlds of a calibration, each model's own first among its."""
    found = []
    for model in calibration.admissible:
        far = model.reason == CARRIED
        services = [
            (axis, as_elsewhere(calibration.service(model, values), far=far))
            for axis, pair in enumerate([(model.values,), *axes(model, calibration.deviations)])
            for values in pair
        ]
        for axis, ends in enumerate(moved(services[0][1], NINETY, far=far), services[-1][0] + 1):
            services += [(axis, end) for end in ends]
        found += [
            World(model.name, model.weight, axis, _whole_pool(service))
            for axis, service in services
        ]
    return tuple(found)


def _whole_pool(service: ServiceModel) -> ServiceModel:
    """The system with a pool of whole size: a fit may find one in between."""
    (size,) = service.pool
    return service if size == inf else replace(service, pool=(max(1.0, float(round(size))),))


def axes(model: FittedModel, deviations: float) -> list[tuple[list[float], list[float]]]:
    """The parameters of a model moved both ways along each principal axis of their uncertainty.

    The steps are so many standard deviations on the scale on which each parameter was searched, and
    stay within its limits.
    """
    import numpy as np

    sizes = [
        value if p.search.ratio else p.scale or abs(value) or 1.0
        for p, value in zip(model.parameters, model.values, strict=True)
    ]
    scale = np.array(sizes)  # one after the other: a demand may be 1e-200, its square is nothing
    lengths, directions = np.linalg.eigh(np.array(model.covariance) / scale[:, None] / scale)
    found = []
    for length, direction in zip(lengths, directions.T, strict=True):
        step = deviations * sqrt(max(float(length), 0.0)) * direction
        up, down = ([_moved(model, i, s * float(step[i]), sizes) for i in range(len(sizes))]
                    for s in (1.0, -1.0))  # fmt: skip
        found.append((up, down))
    return found


def _moved(model: FittedModel, i: int, step: float, sizes: Sequence[float]) -> float:
    search, value = model.parameters[i].search, model.values[i]
    if search.ratio:
        return search.outward(search.inward(value) + step)
    return min(max(value + step * sizes[i], search.low), search.high)


def estimates(
    among: Sequence[Among], values: Sequence[float | None], *, ratio: bool = True,
    noise: float = 0.0,
) -> list[Estimate]:  # fmt: skip
    """What each model says of a number, from its value in each world: model, weight and axis.

    A value is None where the world has no answer, infinite where the number has no bound. A model
    without one is silent, an end without one is left out; of a positive number, a ratio, a model
    that says 0 is left out, which `interval` counts. ``noise`` is one more standard deviation of
    every model.
    """
    by_model: dict[tuple[str, float], list[tuple[int, float | None]]] = {}
    for (model, weight, axis), value in zip(among, values, strict=True):
        by_model.setdefault((model, weight), []).append((axis, value))
    found = []
    for (model, weight), some in by_model.items():
        (middle,) = (value for axis, value in some if axis == 0)
        if middle is None or (ratio and middle <= 0.0):
            continue
        axes: dict[int, list[float]] = {}
        for axis, value in some:
            if axis:
                axes.setdefault(axis, []).append(middle if value is None else value)
        found.append(estimate(model, weight, middle, list(axes.values()), ratio=ratio, noise=noise))
    return found


def interval(
    among: Sequence[Among], values: Sequence[float | None], *, ratio: bool = True,
    most: float = inf, noise: float = 0.0,
) -> Range:  # fmt: skip
    """The 90 % interval of a number and its median, from its value in each world.

    As `estimates`, but of a positive number models that say 0 count: with a queue that only half of
    them have, it is 0 to what these say. ``most`` is what the number cannot exceed, 1 for a
    utilization.
    """
    if ratio and min((v for v in values if v is not None), default=0.0) < 0.0:
        ratio = False
    found = estimates(among, values, ratio=ratio, noise=noise)
    if not found:
        return Range(0.0, 0.0, 0.0)
    own = [
        (weight, value)
        for (_, weight, axis), value in zip(among, values, strict=True)
        if axis == 0 and value is not None
    ]
    nothing = sum(weight for weight, value in own if not value) / sum(weight for weight, _ in own)
    whole = ratio_mixture(found, most, nothing) if ratio else mixture(found)
    if inf in values and _without_bound(among, values) >= TAIL:
        whole = replace(whole, high=inf)
    if whole.low == inf:  # of some worlds none of whose middles has a bound
        return replace(whole, low=min(v for v in values if v is not None))
    return whole


def _without_bound(among: Sequence[Among], values: Sequence[float | None]) -> float:
    """Part of the weight of all models for which a number has no bound.

    That is all of a model without a bound itself, and of one with a bound but for an end of its
    interval what lies beyond that end.
    """
    parts: dict[tuple[str, float], float] = {}
    for (model, weight, axis), value in zip(among, values, strict=True):
        part = 0.0 if value != inf else TAIL if axis else 1.0
        parts[model, weight] = max(part, parts.get((model, weight), 0.0))
    total = sum(weight for _, weight in parts)
    return sum(part * weight for (_, weight), part in parts.items()) / total if total else 0.0
