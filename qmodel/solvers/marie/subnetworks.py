"""The subnetworks of Marie's method (1979): what breaks product form, each as a Markov chain.

A subnetwork takes the rates lambda_c(n) at which customers arrive, by the numbers n present, and
gives the marginal probabilities P(n) and mean queue lengths; see `qmodel.solvers.marie.marie`.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Protocol

import numpy as np

from qmodel.model.closed_network import service_rates
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.population_limits import PopulationLimit
from qmodel.model.stations import DelayStation
from qmodel.numerics.arrays import Array
from qmodel.solvers import solve
from qmodel.solvers.marie.marginal_weights import arrival_rates, convolve, product_form_weights
from qmodel.solvers.markov.limited_region import RegionCTMC
from qmodel.solvers.markov.ordered_queue import OrderedStation, QueueCTMC

#: States of the chain of a subnetwork at most.
LARGEST = 16_000


class Subnetwork(Protocol):
    """What Marie's method asks of a subnetwork."""

    #: Positions of its stations.
    stations: tuple[int, ...]

    def solve(self, arrivals: Array) -> tuple[Array, Array]:
        """Marginal probabilities P(n), and mean numbers of each class at its stations.

        ``arrivals`` are the interactions of each class that arrive, by the numbers present, shape
        (C, N_1 + 1, ... N_C + 1) [1/s]; the answer has shapes (N_1 + 1, ... N_C + 1) and (C,
        stations).
        """
        ...


class QueueSubnetwork:
    """A station where the order of service matters."""

    def __init__(
        self, network: Network, classes: Sequence[int], population: Sequence[int], k: int
    ) -> None:
        self.stations: tuple[int, ...] = (k,)
        self.visits = [network.visits_at(c, k) for c in classes]
        self.shape = tuple(n + 1 for n in population)
        visiting = [
            n if network.demand[c][k] else 0 for c, n in zip(classes, population, strict=True)
        ]
        self.chain = QueueCTMC(OrderedStation.of(network, classes, k), visiting)
        #: Stationary distribution over the states when the chain was last solved.
        self.stationary: Array = np.zeros(len(self.chain.space.states))

    def solve(self, arrivals: Array) -> tuple[Array, Array]:
        """See `Subnetwork`."""
        rates = visit_rates(arrivals, self.visits, self.chain.population)
        self.stationary = self.chain.stationary(rates)
        marginal = padded(self.chain.marginal(self.stationary), self.shape)
        return marginal, mean_numbers(marginal)[:, None]


class RegionSubnetwork:
    """The stations inside a limit, and the one where customers wait for admission."""

    def __init__(
        self, network: Network, classes: Sequence[int], population: Sequence[int],
        limit: PopulationLimit,
    ) -> None:  # fmt: skip
        names = network.station_names
        inside = [names.index(name) for name in limit.stations]
        self.stations: tuple[int, ...] = (names.index(limit.name), *inside)
        visits = [any(network.demand[c][k] for k in inside) for c in classes]
        self.shape = tuple(n + 1 for n in population)
        visiting = [c for c, visited in enumerate(visits) if visited]
        counted = [limit.counts(network.class_names[c]) for c in classes]
        most = [min(population[c], limit.customers) if counted[c] else population[c]
                for c in visiting]  # fmt: skip
        alone = inside_network(network, classes, inside).with_population(*most)
        lattice = None if alone.product_form_violation() else on_lattice(alone, most)

        def flow_equivalent(counts: tuple[int, ...]) -> tuple[list[float], list[list[float]]]:
            throughput = [0.0] * len(classes)
            queues = [[0.0] * len(inside)] * len(classes)
            numbers = tuple(counts[c] for c in visiting)
            if any(counts):
                solution = None if lattice else solve(alone.with_population(*numbers))
                for row, c in enumerate(visiting):
                    if lattice:
                        throughput[c], queues[c] = (part[row][numbers].tolist() for part in lattice)
                    elif solution:
                        throughput[c] = solution.throughputs[row]
                        queues[c] = list(solution.queue_lengths[row])
            return throughput, queues

        self.chain = RegionCTMC(
            [n if visited else 0 for n, visited in zip(population, visits, strict=True)],
            limit.customers, counted, flow_equivalent,
        )  # fmt: skip

    def solve(self, arrivals: Array) -> tuple[Array, Array]:
        """See `Subnetwork`."""
        rates = visit_rates(arrivals, [1.0] * len(arrivals), self.chain.population)
        stationary = self.chain.stationary(rates)
        return padded(self.chain.marginal(stationary), self.shape), self.chain.means(stationary)


def on_lattice(alone: Network, most: Sequence[int]) -> tuple[Array, Array]:
    """Stations of product form alone, without think times, with all numbers up to so many.

    With G the convolution of all weights and j_c the customers of class c, throughputs are
    X_c(n) = G(n - 1_c) / G(n) and mean numbers the convolution of j_c w(j) with the weights of the
    other stations, over G(n): shapes (C, n_1 + 1, ...) [1/s] and (C, n_1 + 1, ..., K).
    """
    stations = alone.stations
    units = [
        max([sum(row) / n, *(d / s.max_rate for d, s in zip(row, stations, strict=True))])
        for row, n in zip(alone.demand, most, strict=True)
    ]
    weights = [
        product_form_weights(
            most,
            [row[k] / unit for row, unit in zip(alone.demand, units, strict=True)],
            None
            if isinstance(station, DelayStation)
            else service_rates(station, max(1, sum(most))),
        )
        for k, station in enumerate(stations)
    ]
    empty = np.zeros_like(weights[0])
    empty[(0,) * empty.ndim] = 1.0
    whole = reduce(convolve, weights)
    throughput = np.flip(arrival_rates(whole), tuple(range(1, empty.ndim + 1)))
    throughput /= np.reshape(units, (-1, *(1,) * empty.ndim))
    numbers = np.zeros((len(most), *whole.shape, len(weights)))
    for k, here in enumerate(weights):
        others = reduce(convolve, weights[:k] + weights[k + 1 :], empty)
        for c, present in enumerate(np.indices(whole.shape)):
            numbers[c, ..., k] = convolve(present * here, others) / whole
    return throughput, numbers


def visit_rates(arrivals: Array, visits: Sequence[float], population: Sequence[int]) -> Array:
    """Rates at which visits begin, where no more than these are ever present. [1/s]"""
    within = tuple(slice(0, n + 1) for n in population)
    each = np.reshape(visits, (-1, *(1,) * len(population)))
    return np.asarray(arrivals[(slice(None), *within)] * each)


def padded(marginal: Array, shape: tuple[int, ...]) -> Array:
    """Marginal probabilities on the lattice of all populations."""
    whole = np.zeros(shape)
    whole[tuple(slice(0, n) for n in marginal.shape)] = marginal
    return whole


def inside_network(network: Network, classes: Sequence[int], inside: Sequence[int]) -> Network:
    """The stations inside a limit as a network of their own, without think times."""
    kept = []
    for c in classes:
        customers = network.classes[c]
        assert isinstance(customers, ClosedClass)
        if any(network.demand[c][k] for k in inside):
            kept.append((c, replace(customers, think_time=0.0)))

    def part(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
        return [[matrix[c][k] for k in inside] for c, _ in kept]

    named = {*(c.name for _, c in kept), *(network.station_names[k] for k in inside)}
    return Network(
        [network.stations[k] for k in inside],
        [customers for _, customers in kept],
        part(network.demand),
        visit_ratio=part(network.visit_ratio) if network.visit_ratio else None,
        scv=part(network.scv) if network.scv else None,
        distributions=[law for law in network.distributions if named.issuperset(law[0])],
    )


def mean_numbers(probability: Array) -> Array:
    """Mean number of each class."""
    return np.asarray([float((n * probability).sum()) for n in np.indices(probability.shape)])
