"""Control variates: a simulation's own random numbers narrow its intervals; see THEORY.md."""

from collections.abc import Sequence

import numpy as np

from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.numerics.arrays import Array
from qmodel.simulation.estimates import Counts

#: Stations whose work is a control, and replications for each control at least.
STATIONS, EACH = 2, 5
#: What varies less, relative to what it is of, is rounding error.
ROUNDING = 1e-7
#: Controls at most: those and an open class.
CONTROLS = STATIONS + 1


def controls_of(network: Network, counts: Sequence[Counts]) -> Array:
    """What each replication has beyond its expectation, shape (R, q)."""
    stations = len(network.stations)
    time = np.array([c.time for c in counts])
    means = np.array([t for row in network.service_time for t in row])
    work = np.array([c.work for c in counts])
    beyond = work - np.array([c.visits for c in counts]) * means
    by_station = beyond.reshape(len(counts), -1, stations).sum(axis=1)
    rates = [min(s.max_rate, 1e9) for s in network.stations]
    used = work.sum(axis=0).reshape(-1, stations).sum(axis=0) / rates
    most = np.argsort(-used, kind="stable")[:STATIONS]
    found = [by_station[:, k] for k in most]
    scales = [float(used[k] * rates[k]) / len(counts) for k in most]
    loads = [
        (c.arrival_rate * sum(row), i)
        for i, (c, row) in enumerate(zip(network.classes, network.demand, strict=True))
        if isinstance(c, OpenClass)
    ]
    if loads:
        customers = network.classes[max(loads)[1]]
        assert isinstance(customers, OpenClass)
        done = np.array([c.done[max(loads)[1]] + c.lost[max(loads)[1]] for c in counts])
        found.append(done - customers.arrival_rate * time)
        scales.append(float(done.mean()))
    # Constant services leave rounding errors: no control, and their expectation is not 0.
    spread = [z for z, scale in zip(found, scales, strict=True) if np.ptp(z) > ROUNDING * scale]
    return np.array(spread[: len(counts) // EACH], float).reshape(-1, len(counts)).T
