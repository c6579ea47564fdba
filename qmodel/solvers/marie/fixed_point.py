"""The fixed point of Marie's method (1979): subnetworks solved in turn until nothing changes.

See `qmodel.solvers.marie.marie` for the method and its sources.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from qmodel.model.closed_network import service_rates
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation, ForkJoinStation
from qmodel.numerics.arrays import Array
from qmodel.solvers.marie.fork_join_subnetwork import ForkJoinSubnetwork
from qmodel.solvers.marie.marginal_weights import arrival_rates, convolve, product_form_weights
from qmodel.solvers.marie.subnetworks import QueueSubnetwork, RegionSubnetwork, Subnetwork
from qmodel.solvers.markov.ordered_queue import QueueCTMC, keeps_order

#: Relative change of a throughput and of a queue length at which to stop, and iterations at most.
TOLERANCE, ITERATIONS = 1e-10, 200
#: Change that will do after some iterations, where rounding keeps it from becoming less.
ROUNDING, ENOUGH = 1e-6, 30
#: Time, relative to that of an interaction, that a class is away from a subnetwork it never leaves.
MOMENT = 1e-9
#: Weights of the rest of the network below which ratios have no digits.
LEAST = 1e-250


class FixedPoint(NamedTuple):
    """The subnetworks of a network, each consistent with all others."""

    #: Positions of the classes with customers.
    classes: list[int]
    #: The unit of time of the weights, for each of them. [s]
    unit: list[float]
    #: What breaks product form.
    subnetworks: list[Subnetwork]
    #: The weights that stand for each subnetwork.
    weights: list[Array]
    #: The weights of the other stations that are queued at.
    queues: dict[int, Array]
    #: The weights of think times and delays.
    delays: Array
    #: Shape (C,). [1/s]
    throughput: Array
    #: Mean numbers at the stations of each subnetwork, shape (C, stations of the subnetwork).
    #: [customers]
    means: list[Array]
    #: How often all subnetworks were solved.
    iterations: int
    #: What the last iteration changed.
    change: float


def fixed_point(network: Network) -> FixedPoint:
    """The fixed point of a network with customers."""
    classes = [c for c, n in enumerate(network.populations) if n]
    sizes = np.array([network.populations[c] for c in classes])
    unit = _units(network, classes)
    subnetworks = _subnetworks(network, classes, sizes.tolist())
    inside = {k for subnetwork in subnetworks for k in subnetwork.stations}
    queues = {
        k: _weights(network, classes, k, unit)
        for k in range(len(network.stations))
        if k not in inside and not isinstance(network.stations[k], DelayStation)
    }
    delays = product_form = _delays(network, classes, subnetworks, unit)
    for station in queues.values():
        product_form = convolve(product_form, station)
    weights = []
    for subnetwork in subnetworks:  # at first as if they had product form
        first, *others = subnetwork.stations
        weights.append(_weights(network, classes, first, unit))
        for k in others:
            weights[-1] = convolve(weights[-1], _weights(network, classes, k, unit))
    throughput = arrival_rates(product_form).reshape(len(classes), -1)[:, 0] / unit
    means: list[Array] = [np.zeros((len(classes), len(each.stations))) for each in subnetworks]
    done, change = 0, inf
    while done < ITERATIONS and change > TOLERANCE:
        done += 1
        change = 0.0
        for i, subnetwork in enumerate(subnetworks):
            rest = product_form
            for j, others_weights in enumerate(weights):
                if j != i:
                    rest = convolve(rest, others_weights)
            elsewhere = np.flip(rest)
            arrivals = arrival_rates(rest) / np.reshape(unit, (-1, *(1,) * rest.ndim))
            marginal, mean = subnetwork.solve(arrivals)
            weights[i] = np.divide(
                marginal, elsewhere, out=np.zeros_like(marginal), where=elsewhere > LEAST
            )
            weights[i] /= weights[i].max()
            # The arrivals that the subnetwork sees are the throughput of the whole network.
            now = (arrivals * marginal).reshape(len(classes), -1).sum(axis=1)
            if not now.min() > 0.0:
                throughput = now
                break
            if len(subnetworks) > 1:  # one alone depends on nothing that it changes
                change = max(change, float(np.max(np.abs(now - throughput) / now)))
                change = max(change, float(np.max(np.abs(mean - means[i]) / sizes[:, None])))
            throughput, means[i] = now, mean
        if done >= ENOUGH and change <= ROUNDING:
            break
    return FixedPoint(
        classes, unit, subnetworks, weights, queues, delays, throughput, means, done, change
    )


def _subnetworks(
    network: Network, classes: Sequence[int], population: Sequence[int]
) -> list[Subnetwork]:
    """What breaks product form."""
    subnetworks: list[Subnetwork] = []
    for limit in network.limits:
        stations = [network.station_names.index(name) for name in limit.stations]
        if any(network.demand[c][k] for c in classes for k in stations):
            subnetworks.append(RegionSubnetwork(network, classes, population, limit))
    inside = {k for subnetwork in subnetworks for k in subnetwork.stations}
    for k, station in enumerate(network.stations):
        if k in inside or not any(network.demand[c][k] for c in classes):
            continue
        if isinstance(station, ForkJoinStation):
            subnetworks.append(ForkJoinSubnetwork(network, classes, population, k))
        elif keeps_order(station):
            subnetworks.append(QueueSubnetwork(network, classes, population, k))
    return subnetworks


def _units(network: Network, classes: Sequence[int]) -> list[float]:
    """For each class a unit of time: the inverse of a bound of its throughput. [s]"""
    units = []
    for c in classes:
        alone, most = network.think_time[c], 0.0
        for station, demand in zip(network.stations, network.demand[c], strict=True):
            alone += demand
            most = max(most, demand / station.max_rate)
        units.append(max(most, alone / network.populations[c]))
    return units


def _weights(network: Network, classes: Sequence[int], k: int, unit: Sequence[float]) -> Array:
    """The weights of a station of product form."""
    station = network.stations[k]
    work = [network.demand[c][k] / u for c, u in zip(classes, unit, strict=True)]
    sizes = [network.populations[c] for c in classes]
    rates = None
    if not isinstance(station, DelayStation):
        rates = service_rates(station, max(1, sum(sizes)))
    return product_form_weights(sizes, work, rates)


def _delays(
    network: Network, classes: Sequence[int], subnetworks: Sequence[Subnetwork], unit: list[float]
) -> Array:
    """The weights of think times and all delay stations together.

    A class that never leaves a subnetwork is away for a moment, so that its arrivals are seen.
    """
    inside = {k for subnetwork in subnetworks for k in subnetwork.stations}
    work = []
    for c, u in zip(classes, unit, strict=True):
        time = network.think_time[c]
        for k, station in enumerate(network.stations):
            if k not in inside and isinstance(station, DelayStation):
                time += network.demand[c][k]
        visited = {k for k, demand in enumerate(network.demand[c]) if demand}
        if not time and any(visited <= set(s.stations) for s in subnetworks):
            time = MOMENT * u
        work.append(time / u)
    return product_form_weights([network.populations[c] for c in classes], work, None)


class StationStates(NamedTuple):
    """What is known of the states of the stations that are chains of their own, for percentiles.

    The weights are as if the station stood in a network of product form. Original.
    """

    #: Positions of the classes with customers: the axes of the weights.
    classes: list[int]
    #: The time of each of them in which the weights are expressed. [s]
    unit: list[float]
    #: By station, weights of the numbers of each class, and stationary probabilities.
    stations: dict[int, tuple[Array, Array]]

    def chain(self, solution: Solution, k: int) -> QueueCTMC:
        """The Markov chain of station ``k``."""
        network = solution.network
        sizes = [network.populations[c] for c in self.classes]
        return QueueSubnetwork(network, self.classes, sizes, k).chain


def states_of(record: FixedPoint) -> StationStates:
    """The record of a fixed point, without its chains, which are large."""
    stations: dict[int, tuple[Array, Array]] = {
        part.stations[0]: (weights, part.stationary)
        for part, weights in zip(record.subnetworks, record.weights, strict=True)
        if isinstance(part, QueueSubnetwork)
    }
    return StationStates(record.classes, record.unit, stations)
