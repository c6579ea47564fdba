"""The parts of a network beyond product form, solved in turn until nothing changes.

What for, and where it comes from, is told in `qmodel.solvers.marie.marie`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from qmodel.model.closed_network import service_rates
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.stations import ORDERLESS, DelayStation, ForkJoinStation, QueueingStation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.solvers.marie.subnetworks import Part

    Array = NDArray[np.float64]

#: Relative change of a throughput and of a queue length at which to stop, and turns at most.
TOLERANCE, TURNS = 1e-10, 200
#: Change that is good enough after some turns, where rounding keeps it from becoming less.
SETTLED, SOME_TURNS = 1e-6, 30
#: Time, over that of an interaction, that a class is away from a part that it never leaves.
MOMENT = 1e-9
#: Weights below which there is no telling what others are worth beside them.
LEAST = 1e-250


class Settled(NamedTuple):
    """The parts of a network as they have settled with each other.

    Attributes
    ----------
    classes : list of int
        Positions of the classes with customers.
    unit : list of float
        A time for each of them, in which weights are told. [s]
    parts : list of Part
        What breaks product form.
    isolated : list of array
        The weights that stand for each part.
    plain : dict of int to array
        The weights of the other stations that are queued at.
    delays : array
        The weights of think times and delays.
    throughput : array, shape (C,)
        [1/s]
    queues : list of array, shape (C, stations of the part)
        Mean numbers at each part's stations. [customers]
    turns : int
        How often all parts were solved.
    change : float
        What the last turn changed.
    """

    classes: list[int]
    unit: list[float]
    parts: list[Part]
    isolated: list[Array]
    plain: dict[int, Array]
    delays: Array
    throughput: Array
    queues: list[Array]
    turns: int
    change: float


def settled(network: Network, tolerance: float = TOLERANCE, turns: int = TURNS) -> Settled:
    """The parts of a network with customers, solved in turn until nothing changes."""
    import numpy as np

    from qmodel.solvers.marie.marginal_weights import (
        arrival_rates,
        convolved,
        rest_of_network,
    )

    classes = [c for c, x in enumerate(network.classes) if getattr(x, "population", 0)]
    sizes = np.array([getattr(network.classes[c], "population", 0) for c in classes])
    unit = _units(network, classes)
    parts = _parts(network, classes, sizes.tolist(), unit)
    taken = {k for part in parts for k in part.stations}
    plain = {
        k: _weights(network, classes, k, unit)
        for k in range(len(network.stations))
        if k not in taken and not isinstance(network.stations[k], DelayStation)
    }
    delays = unbroken = _delays(network, classes, parts, unit)
    for weights in plain.values():
        unbroken = convolved(unbroken, weights)
    isolated = [_first_guess(network, classes, part, unit) for part in parts]
    throughput = arrival_rates(unbroken).reshape(len(classes), -1)[:, 0] / unit
    queues = [np.zeros((len(classes), len(part.stations))) for part in parts]
    once = len(parts) == 1 and parts[0].settles
    used, change = 0, inf
    while used < turns and change > tolerance:
        used += 1
        change = 0.0
        for i, part in enumerate(parts):
            outside = unbroken
            for j, weights in enumerate(isolated):
                if j != i:
                    outside = convolved(outside, weights)
            elsewhere = rest_of_network(outside)
            arrivals = arrival_rates(outside)
            for c, scale in enumerate(unit):
                arrivals[c] /= scale
            found, mean = part.solve(arrivals, elsewhere)
            isolated[i] = np.divide(
                found, elsewhere, out=np.zeros_like(found), where=elsewhere > LEAST
            )
            isolated[i] /= isolated[i].max()
            # Arrivals that the part has seen are the throughput of the whole network.
            now = (arrivals * found).reshape(len(classes), -1).sum(axis=1)
            if not now.min() > 0.0:
                throughput = now
                break
            if not once:
                change = max(change, float(np.max(np.abs(now - throughput) / now)))
                change = max(change, float(np.max(np.abs(mean - queues[i]) / sizes[:, None])))
            throughput, queues[i] = now, mean
        if used >= SOME_TURNS and change <= SETTLED:
            break  # what is left is rounding that goes round in circles
    return Settled(classes, unit, parts, isolated, plain, delays, throughput, queues, used, change)


def _parts(
    network: Network, classes: Sequence[int], population: Sequence[int], unit: Sequence[float]
) -> list[Part]:
    """The parts that break product form."""
    from qmodel.solvers.marie.fork_join_subnetwork import ForkedPart
    from qmodel.solvers.marie.subnetworks import LimitedPart, OrderedPart

    found: list[Part] = []
    for limit in network.limits:
        inside_of_it = [network.station_names.index(name) for name in limit.stations]
        if any(network.demand[c][k] for c in classes for k in inside_of_it):
            found.append(LimitedPart(network, classes, population, limit))
    inside = {k for part in found for k in part.stations}
    for k, station in enumerate(network.stations):
        if k in inside or not any(network.demand[c][k] for c in classes):
            continue
        if isinstance(station, ForkJoinStation):
            found.append(ForkedPart(network, classes, population, k, unit))
        elif isinstance(station, QueueingStation) and station.discipline not in ORDERLESS:
            found.append(OrderedPart(network, classes, population, k))
    return found


def _units(network: Network, classes: Sequence[int]) -> list[float]:
    """A time for each class in which to measure its demands: 1 over a bound of its throughput."""
    found = []
    for c in classes:
        customers = network.classes[c]
        assert isinstance(customers, ClosedClass)
        alone, most = customers.think_time, 0.0
        for station, demand in zip(network.stations, network.demand[c], strict=True):
            alone += demand
            most = max(most, demand / station.max_rate)
        found.append(max(most, alone / customers.population))
    return found


def _weights(network: Network, classes: Sequence[int], k: int, unit: Sequence[float]) -> Array:
    """The weights of a station of product form."""
    from qmodel.solvers.marie.marginal_weights import product_form_weights

    station = network.stations[k]
    work = [network.demand[c][k] / u for c, u in zip(classes, unit, strict=True)]
    sizes = [getattr(network.classes[c], "population", 0) for c in classes]
    rates = None
    if not isinstance(station, DelayStation):
        rates = service_rates(station, max(1, sum(sizes)))
    return product_form_weights(sizes, work, rates)


def _first_guess(
    network: Network, classes: Sequence[int], part: Part, unit: Sequence[float]
) -> Array:
    """The weights of a part as if it had product form."""
    from qmodel.solvers.marie.marginal_weights import convolved

    first, *others = part.stations
    found = _weights(network, classes, first, unit)
    for k in others:
        found = convolved(found, _weights(network, classes, k, unit))
    return found


def _delays(
    network: Network, classes: Sequence[int], parts: Sequence[Part], unit: Sequence[float]
) -> Array:
    """The weights of think times and all delay stations together.

    Who never leaves a part is away for a moment all the same, so that the part sees it come.
    """
    from qmodel.solvers.marie.marginal_weights import product_form_weights

    taken = {k for part in parts for k in part.stations}
    work = []
    for c, u in zip(classes, unit, strict=True):
        time = network.think_time[c]
        for k, station in enumerate(network.stations):
            if k not in taken and isinstance(station, DelayStation):
                time += network.demand[c][k]
        visited = {k for k, demand in enumerate(network.demand[c]) if demand}
        if not time and any(visited <= set(part.stations) for part in parts):
            time = MOMENT * u
        work.append(time / u)
    sizes = [getattr(network.classes[c], "population", 0) for c in classes]
    return product_form_weights(sizes, work, None)
