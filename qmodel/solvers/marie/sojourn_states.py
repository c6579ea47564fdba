"""What Marie's method knows of the states of the stations that it solves as Markov chains.

For the percentiles of response times: the weights of the numbers of customers, as if the station
stood in a network of product form, and the stationary distribution of its chain. Original.
"""

from typing import NamedTuple

from qmodel.model.solution import Solution
from qmodel.numerics.arrays import Array
from qmodel.solvers.marie.fixed_point import FixedPoint
from qmodel.solvers.marie.subnetworks import QueueSubnetwork
from qmodel.solvers.markov.ordered_queue import QueueCTMC


class StationStates(NamedTuple):
    """The stations that are chains of their own."""

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
