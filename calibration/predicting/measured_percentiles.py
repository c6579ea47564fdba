"""Measured percentiles of response times beside those of a fitted model.

Models are fitted to means; no percentile takes part, since which of the service times vary is not
known. They are compared: where times vary more than the model's, whose service is exponential but
for what was fitted, the service is more variable, or something is missing that delays few requests
for long (a lock, a pause, a cache that is filled). How variable: the variance of the response time
that a percentile asks for, as that of a gamma distribution of the same mean, beyond the model's is
given to the longest service, whose SCV then is 1 plus that over its square. Rough, original.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from calibration.fitting.fitted_model import Calibration
from calibration.hardware.in_order import in_order
from calibration.model_evaluation.model import load_of
from calibration.model_evaluation.network import network_of, stations_of
from calibration.recordings.header import PERCENTILES
from calibration.recordings.user_table import UserTable
from qmodel import ClosedClass, Network, OpenClass, QmodelError, percentiles, solve

#: A deviation up to this share is none.
NEAR = 0.10


@dataclass(frozen=True, slots=True)
class MeasuredPercentile:
    """One measured percentile of one run."""

    #: Of the run, and its users or requests per second.
    run: str
    load: float
    #: The class; empty for the only one.
    of: str
    #: Which percentile, [1], what was measured and what the best model says. [s]
    share: float
    measured: float
    predicted: float
    #: SCV of the longest service at which the model would say the measured one. [1]
    scv: float

    @property
    def deviation(self) -> float:
        """Predicted over measured, less 1."""
        return self.predicted / self.measured - 1.0


def measured_percentiles(
    calibration: Calibration, table: UserTable
) -> tuple[MeasuredPercentile, ...]:
    """Every percentile that a table holds of the runs of a calibration.

    Left out where the model has none.
    """
    columns = [each for each in table.columns if each.quantity in PERCENTILES]
    if not columns:
        return ()
    shares = sorted({PERCENTILES[each.quantity] for each in columns})
    rows = {name: i for i, name in enumerate(table.rows)}
    found: list[MeasuredPercentile] = []
    for number, run in enumerate(calibration.data.runs):
        network = _network(calibration, number)
        if run.name not in rows or network is None:
            continue
        try:
            solution = in_order(solve(network))
            said = percentiles(solution, shares, visits=False)
        except QmodelError:
            continue
        for column in columns:
            value = table.values(column.quantity, column.of)[rows[run.name]]
            name = column.of or network.class_names[0]
            if not value or name not in calibration.data.classes:
                continue
            c = network.class_names.index(name)
            mean, share = solution.response_times[c], PERCENTILES[column.quantity]
            longest = max(network.service_time_at(c, k) for k in range(len(network.stations)))
            beyond = _variance(mean, share, value) - _variance(mean, share, said[name][share])
            found.append(
                MeasuredPercentile(
                    run.name,
                    load_of(run),
                    column.of,
                    share,
                    value,
                    said[name][share],
                    max(0.0, 1.0 + beyond / longest**2),
                )
            )
    return tuple(found)


def deviations(found: Sequence[MeasuredPercentile]) -> Iterator[str]:
    """What measured percentiles say, in sentences: the farthest off, and the SCV asked for."""
    if not found:
        return
    worst = max(found, key=lambda each: abs(each.deviation))
    if abs(worst.deviation) <= NEAR:
        yield f"measured percentiles are met within {100 * abs(worst.deviation):.0f} %"
        return
    name = f"p{100 * worst.share:g}"
    yield (
        f"{name} of {worst.run} measured {worst.measured:.3g} s, the model says "
        f"{worst.predicted:.3g} s ({100 * worst.deviation:+.0f} %)"
    )
    calm = min(found, key=lambda each: (each.load, -each.share))
    if worst.deviation < 0.0 and calm.scv > 1.0 + NEAR:
        yield f"times vary more than its service, as if with an SCV of {calm.scv:.2g} there"


def _network(calibration: Calibration, number: int) -> Network | None:
    """The network of the best model under the conditions of a run, processors sharing."""
    run, service = calibration.data.runs[number], calibration.service(calibration.best)
    stations = stations_of(service, run.servers, service.demand_at(service.load(run)))
    loads = run.population or run.arrival_rate or ()
    classes = [
        ClosedClass(name, round(load), think or 0.0)
        if run.population is not None
        else OpenClass(name, load)
        for name, load, think in zip(calibration.data.classes, loads, run.think_time, strict=True)
        if load
    ]
    present = [name for name, load in zip(calibration.data.classes, loads, strict=True) if load]
    keep = [calibration.data.classes.index(name) for name in present]
    kept = [replace(each, demand=tuple(each.demand[c] for c in keep)) for each in stations]
    try:
        return network_of(
            kept,
            classes,
            tuple(service.hidden_delay[c] for c in keep),
            tuple(service.hidden_queue[c] for c in keep),
        )
    except QmodelError:
        return None


def _variance(mean: float, share: float, time: float) -> float:
    """Of a gamma distribution with a mean whose percentile is ``time``. [s^2]"""
    from scipy.optimize import brentq
    from scipy.stats import gamma

    def beyond(scv: float) -> float:
        return float(gamma.ppf(share, 1.0 / scv, scale=mean * scv)) - time

    low, high = 1e-3, 1.0 / (1.0 - share)
    if beyond(low) >= 0.0 or beyond(high) <= 0.0:
        return low * mean * mean if beyond(low) >= 0.0 else high * mean * mean
    return float(brentq(beyond, low, high)) * mean * mean
