"""Measured percentiles beside the model's, and how response times spread that have both.

By least squares of logarithms, a percentile and a class at a time; see `estimation.tail_shape`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf, isfinite, log, log10
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.estimation.tail_shape import LEAST, TailShape, corrected
from calibration.fitting.fitted_model import Calibration
from calibration.hardware.in_order import in_order
from calibration.model_evaluation.network import (
    BACKGROUND,
    classes_of,
    network_of,
    stations_of,
    within_pool,
)
from calibration.recordings.header import PERCENTILES
from calibration.recordings.user_table import UserTable
from qmodel import Network, QmodelError, percentiles, solve

#: w that is expected; a factor of two from it counts as much as a percentile a tenth off.
EXPECTED, TRUST = 0.5, 0.14
#: Least and most of v and w. [1]
BOUNDS = (1e-3, 20.0)


class Tail(NamedTuple):
    """A measured percentile of one run beside that of the best model."""

    #: Of the run, among those of the calibration.
    run: int
    #: The class, as the column has it: empty for the only one.
    of: str
    customer_class: str
    share: float
    #: [s]
    measured: float
    #: Of the model: mean, percentiles by share, and times at its resources when alone. [s]
    mean: float
    said: dict[float, float]
    services: tuple[float, ...]


def tail_shapes(calibration: Calibration, table: UserTable) -> tuple[TailShape, ...]:
    """What every percentile that a table holds says; none where the model has none."""
    by: dict[tuple[str, float], list[Tail]] = {}
    for each in tails(calibration, table):
        if each.share >= LEAST:
            by.setdefault((each.customer_class, each.share), []).append(each)
    return tuple(_fitted(name, share, some) for (name, share), some in by.items())


def _fitted(name: str, share: float, some: Sequence[Tail]) -> TailShape:
    from scipy.optimize import least_squares

    def off(logs: NDArray[np.float64], /) -> list[float]:
        v, w = (float(10.0**each) for each in logs)
        shape = TailShape(name, share, v, w, 0.0)
        times = [corrected([shape], t.mean, t.said, t.services, [share])[share] for t in some]
        said = (log(time / t.measured) for time, t in zip(times, some, strict=True))
        return [*said, TRUST * log(w / EXPECTED)]

    best = least_squares(off, [log10(EXPECTED)] * 2, bounds=(log10(BOUNDS[0]), log10(BOUNDS[1])))
    v, w = (float(10.0**each) for each in best.x)
    error = float((best.fun[:-1] @ best.fun[:-1] / max(1, len(some) - 1)) ** 0.5)
    return TailShape(name, share, v, w, error)


def tails(calibration: Calibration, table: UserTable) -> Iterator[Tail]:
    """Every percentile that a table holds of the runs of a calibration, beside the best model's."""
    columns = [each for each in table.columns if each.quantity in PERCENTILES]
    if not columns:
        return
    shares = sorted({PERCENTILES[each.quantity] for each in columns})
    rows = {name: i for i, name in enumerate(table.rows)}
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
            together = not column.of and sum(n != BACKGROUND for n in network.class_names) > 1
            if not value or name not in network.class_names or together:
                continue
            if not all(isfinite(time) for time in said[name].values()):
                continue
            c, share = network.class_names.index(name), PERCENTILES[column.quantity]
            yield Tail(
                number, column.of, name, share, value,
                solution.response_times[c], said[name], network.demand[c],
            )  # fmt: skip


def of_a_mixture(calibration: Calibration, table: UserTable) -> tuple[str, ...]:
    """What is said of percentiles of several classes together, which are held against no model."""
    names = [c.quantity for c in table.columns if c.quantity in PERCENTILES and not c.of]
    loads = (run.population or run.arrival_rate or () for run in calibration.data.runs)
    if not names or all(sum(load > 0.0 for load in each) < 2 for each in loads):
        return ()
    example = f"{names[0]}:{calibration.data.classes[0]}"
    return (f"{', '.join(names)} of all classes together not used; {example} would be of one",)


def _network(calibration: Calibration, number: int) -> Network | None:
    """The network of the best model under the conditions of a run, processors sharing."""
    run, service = calibration.data.runs[number], calibration.service(calibration.best)
    stations = stations_of(service, run.servers, service.demand_at(service.load(run)))
    loads = run.population or run.arrival_rate or ()
    keep = [c for c, load in enumerate(loads) if load]
    classes = [each for each, load in zip(classes_of(service, run), loads, strict=True) if load]
    kept = [replace(each, demand=tuple(each.demand[c] for c in keep)) for each in stations]
    hidden = (service.hidden_delay, service.hidden_queue)
    delay, queue = (tuple(times[c] for c in keep) for times in hidden)
    limited = service.places < inf and run.population is not None
    try:
        network = network_of(kept, classes, delay, queue, slowed=limited)
        return within_pool(network, service.places) if limited else network
    except QmodelError:
        return None
