"""Where a calibrated system saturates: the number of users, and the throughput it cannot pass.

N* = (D + Z) / D_max, where the asymptotes of throughput meet, and X_max = 1 / D_max, D_max being
the largest demand per server [1]_. Background load takes its share of a station's capacity first.

References
----------
.. [1] E. D. Lazowska, J. Zahorjan, G. S. Graham and K. C. Sevcik, "Quantitative System
   Performance," Prentice-Hall, 1984, ch. 5.
"""

from __future__ import annotations

from dataclasses import dataclass

from calibration.estimation.data import NOT_MEASURED, Conditions
from calibration.estimation.interval import Range
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import ServiceModel, load_of

#: A demand that varies with load is one at the saturation point itself, found by repetition.
_REPETITIONS = 100


@dataclass(frozen=True, slots=True)
class Saturation:
    """Where a system saturates."""

    #: The one that does so in the best model.
    station: str
    #: N*, at which queueing cannot be avoided any more; None where they are not what varies.
    #: [customers]
    users: Range | None
    #: What it cannot pass. [1/s]
    throughput: Range


@dataclass(frozen=True, slots=True)
class SaturationPoint:
    """The saturation point of one model."""

    station: str
    users: float
    throughput: float


def saturation_point(model: ServiceModel, run: Conditions) -> SaturationPoint | None:
    """N* and the largest throughput; None where no station limits it.

    Several classes are taken together in the proportions of their throughputs in the run.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from calibration.model_evaluation.model import blank
    >>> model = replace(blank(("users",), ("cpu", "disk")), demand=((0.5, 0.25),))
    >>> saturation_point(model, Conditions("", (1,), None, (2.0,), (1, 1)))
    SaturationPoint(station='cpu', users=5.5, throughput=2.0)
    """
    weights = [1.0]
    if run.population is None and run.arrival_rate is not None:
        weights = [rate / sum(run.arrival_rate) for rate in run.arrival_rate]
    elif len(model.classes) > 1:
        answer = answers(model, [run])[0]
        if answer is None or not sum(answer.throughput):
            return None
        weights = [x / sum(answer.throughput) for x in answer.throughput]
    load = load_of(run)
    found: SaturationPoint | None = None
    for _ in range(_REPETITIONS if any(model.growth) else 1):
        found = _at_load(model, run, load, weights)
        if found is None:
            return None
        at = found.users if run.population is not None else found.throughput
        # Half way on a scale of ratios: demands that grow fast would make it swing.
        load = (load * max(at, 1e-9)) ** 0.5
    return found


def _at_load(
    model: ServiceModel, run: Conditions, load: float, weights: list[float]
) -> SaturationPoint | None:
    demand = model.demand_at(load)
    total, worst, where = 0.0, 0.0, ""
    for k, name in enumerate(model.stations):
        here = 0.0
        for weight, row in zip(weights, demand, strict=True):
            here += weight * row[k] * model.scale[k]
        total += here
        if model.exponent[k] > 0.0:
            continue
        if model.exponent[k] < 0.0:
            return None
        capacity = run.servers[k] * (1.0 - model.background[k])
        if capacity <= 0.0:
            return None
        if here / capacity > worst:
            worst, where = here / capacity, name
    hidden = 0.0
    for weight, value in zip(weights, model.hidden_queue, strict=True):
        hidden += weight * value
    total += hidden
    if hidden > worst:
        worst, where = hidden, NOT_MEASURED
    for c, weight in enumerate(weights):
        given = run.think_time[c]
        total += weight * (
            model.hidden_delay[c] + (model.think_time[c] if given is None else given)
        )
    return SaturationPoint(where, total / worst, 1.0 / worst) if worst else None
