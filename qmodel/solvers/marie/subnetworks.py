"""The parts of a network that break product form, each as a chain fed by the rest.

A part takes the rate at which customers arrive there, by the numbers present, and gives the
probabilities of those numbers; `qmodel.solvers.marie.marie` says what for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.population_limits import PopulationLimit
from qmodel.solvers.markov.limited_region import LimitedChain
from qmodel.solvers.markov.ordered_queue import OrderedChain, OrderedStation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: States of the chain of a part at most.
LARGEST = 16_000


class Part(Protocol):
    """What an isolated part is asked."""

    #: Positions of the stations it stands for.
    stations: tuple[int, ...]
    #: Whether its answer depends on the one before, so that it must be asked again.
    settles: bool

    def solve(self, arrivals: Array, elsewhere: Array) -> tuple[Array, Array]:
        """Probabilities of the numbers there, and the mean numbers at its stations.

        Parameters
        ----------
        arrivals : array, shape (C, N_1 + 1, ... N_C + 1)
            Interactions of each class that arrive, by the numbers there. [1/s]
        elsewhere : array, shape (N_1 + 1, ... N_C + 1)
            Weight of the rest of the network, by the same numbers.

        Returns
        -------
        array of the shape of `elsewhere`, and array of shape (C, stations)
        """
        ...


class OrderedPart:
    """A station where the order of service matters."""

    settles = True
    stations: tuple[int, ...]

    def __init__(
        self, network: Network, classes: Sequence[int], population: Sequence[int], k: int
    ) -> None:
        import numpy as np

        self.stations = (k,)
        self.visits = [network.visits_at(c, k) for c in classes]
        there = [n if network.demand[c][k] else 0 for c, n in zip(classes, population, strict=True)]
        self.shape = tuple(n + 1 for n in population)
        self.chain = OrderedChain(OrderedStation.of(network, classes, k), there)
        #: Probability of each state of the chain when it was last solved.
        self.often = np.zeros(self.chain.states)

    def solve(self, arrivals: Array, elsewhere: Array) -> tuple[Array, Array]:
        """See `Part`."""
        import numpy as np

        del elsewhere  # the arrivals tell
        there = tuple(slice(0, n + 1) for n in self.chain.population)
        rates = arrivals[(slice(None), *there)].copy()
        for c, visits in enumerate(self.visits):
            rates[c] *= visits
        found = np.zeros(self.shape)
        self.often = self.chain.probabilities(rates)
        found[there] = self.chain.by_number(self.often)
        return found, mean_numbers(found)[:, None]


class LimitedPart:
    """The stations inside a limit, and the one where those wait who are outside."""

    settles = True

    def __init__(
        self,
        network: Network,
        classes: Sequence[int],
        population: Sequence[int],
        limit: PopulationLimit,
    ) -> None:
        from qmodel.solvers import solve

        names = network.station_names
        inside = [names.index(name) for name in limit.stations]
        self.stations = (names.index(limit.name), *inside)
        used = [any(network.demand[c][k] for k in inside) for c in classes]
        self.shape = tuple(n + 1 for n in population)
        alone = inside_network(network, classes, inside)
        rows = [c for c, here in enumerate(used) if here]

        def flow(counts: tuple[int, ...]) -> tuple[list[float], list[list[float]]]:
            throughput = [0.0] * len(classes)
            queues = [[0.0] * len(inside)] * len(classes)
            if any(counts):
                found = solve(alone.with_population(*(counts[c] for c in rows)))
                for row, c in enumerate(rows):
                    throughput[c] = found.throughputs[row]
                    queues[c] = list(found.queue_lengths[row])
            return throughput, queues

        self.chain = LimitedChain(
            [n if here else 0 for n, here in zip(population, used, strict=True)],
            limit.customers,
            [limit.counts(network.class_names[c]) for c in classes],
            flow,
        )

    def solve(self, arrivals: Array, elsewhere: Array) -> tuple[Array, Array]:
        """See `Part`."""
        import numpy as np

        del elsewhere  # the arrivals tell
        there = tuple(slice(0, n + 1) for n in self.chain.population)
        found = np.zeros(self.shape)
        found[there], waiting, queues = self.chain.solve(arrivals[(slice(None), *there)])
        return found, np.concatenate([waiting[:, None], queues], axis=1)


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

    return Network(
        [network.stations[k] for k in inside],
        [customers for _, customers in kept],
        part(network.demand),
        visit_ratio=part(network.visit_ratio) if network.visit_ratio else None,
        scv=part(network.scv) if network.scv else None,
    )


def mean_numbers(probability: Array) -> Array:
    """Mean number of each class."""
    import numpy as np

    return np.asarray(
        [float((there * probability).sum()) for there in np.indices(probability.shape)]
    )
