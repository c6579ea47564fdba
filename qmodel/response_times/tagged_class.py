"""The response time of a closed class alone, whose customers are followed one by one.

Exact where no state is left out. Else states are left out until the rest is affordable, first those
that are hardly ever found; and as leaving out long queues makes times short, all are stretched to
the mean of the solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.stations import LoadDependentStation, QueueingStation
from qmodel.model.visit_routing import ImpliedRouting
from qmodel.numerics.absorbing_ctmc import STATES, events, passage
from qmodel.numerics.laplace import where
from qmodel.response_times.population_distribution import ServedStation, numbers
from qmodel.response_times.tagged_customer import chain
from qmodel.response_times.tagged_routing import Ways, forget, of_one, of_others

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qmodel.model.network import Network
    from qmodel.model.solution import Solution
    from qmodel.numerics.absorbing_chain import Chain
    from qmodel.numerics.absorbing_ctmc import Passage

#: Probability of all that may be left out, and what is nothing of a tail then: first what leaves
#: 8 digits, then the least that is affordable.
LEVELS = ((1e-13, 1e-12), (1e-5, 1e-7), (1e-4, 1e-6), (1e-3, 1e-5), (3e-3, 1e-5), (1e-2, 1e-5))
#: What may be left out where all stations are passed once, in which case what is found at them is
#: taken as independent else: that is off by less than leaving out more.
ONCE = 1e-3
#: Multiplications that are affordable; ways of the others to be at the stations, and states.
WORK, WAYS, MOST = 3e8, 300_000, 100_000
#: Customers at most.
CUSTOMERS = 3_000
#: A mean this near to that of the solution is the same; one farther is no time to be stretched.
NEAR, FAR = 1e-6, 0.1


@dataclass(frozen=True, slots=True)
class Followed:
    """A response time.

    Parameters
    ----------
    passage : Passage
        Of the tagged customer.
    left_out : float
        Probability of the numbers of others that are left out; 0 where that leaves 8 digits.
    stretch : float
        Mean of the solution over that of the passage. [1]
    forgets : bool
        Whether the ways of the others depend on nothing but where they are.
    """

    passage: Passage
    left_out: float
    stretch: float
    forgets: bool

    @property
    def exact(self) -> bool:
        """Whether it is that of the model, to about 8 digits."""
        return self.left_out == 0.0 and self.forgets and abs(self.stretch - 1.0) <= NEAR

    def percentiles(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Times that shares of customers stay within. [s]"""
        found = where(self.passage.tail, shares, *self.passage.moments())
        factor = 1.0 if self.exact else self.stretch
        return tuple(factor * time for time in found)


def followed(solution: Solution, c: int, orders: Sequence[str]) -> Followed | None:
    """The response time of class ``c``; ``orders`` are those of `service_order`.

    None where the class is not alone, or service not exponential, or too much is found too often.
    """
    network = solution.network
    users = network.classes[c]
    served = [k for k, demand in enumerate(network.demand[c]) if demand]
    if len(network.classes) > 1 or not isinstance(users, ClosedClass) or not users.population:
        return None
    if not served or users.population > CUSTOMERS or network.product_form_violation() is not None:
        return None
    if any(network.scv_at(c, k) != 1.0 for k in served):
        return None
    visits = [network.visits_at(c, k) for k in range(len(network.stations))]
    rounds = ImpliedRouting.of(visits)
    others, mine = of_others(rounds, visits), of_one(rounds, visits)
    flow, number = solution.throughputs[c], users.population
    alone = _Class(
        tuple(_station(network, k, orders[k], flow, number) for k in others.station),
        others,
        mine,
        number - 1,
        users.think_time,
        flow,
        solution.response_times[c],
    )
    for never, nothing in LEVELS:
        if rounds.passes == 1.0 and never > ONCE:
            break
        states = alone.chain(never, nothing)
        found = passage(states, nothing) if states is not None else None
        if found is not None and (never > LEVELS[0][0] or found.error <= nothing):
            left_out = never if never > LEVELS[0][0] else 0.0
            stretch = alone.response_time / found.moments()[0]
            if left_out and abs(stretch - 1.0) > FAR:
                continue
            return Followed(found, left_out, stretch, forget(rounds))
    return None


class _Class(NamedTuple):
    """A class alone: stations, ways of all and of one, others; and what its solution says."""

    stations: tuple[ServedStation, ...]
    others: Ways
    mine: Ways
    number: int
    think_time: float
    flow: float
    response_time: float

    def chain(self, never: float, nothing: float) -> Chain | None:
        """The chain of a tagged customer, if it is affordable."""
        thinking = self.flow * self.think_time
        found = numbers(self.stations, self.number, thinking, never, WAYS)
        if found is None:
            return None
        fastest = sum(float(server.speed[-1]) / server.time for server in self.stations)
        if self.think_time:
            fastest += float(found.thinking.max()) / self.think_time
        work = (2 * len(self.stations) + 1) * events(fastest, self.response_time, nothing)
        most = min(MOST, max(STATES, int(WORK / work)))
        return chain(found, self.mine, self.others, self.think_time, most)


def _station(network: Network, k: int, order: str, flow: float, most: int) -> ServedStation:
    """A station of the only class, with up to ``most`` customers."""
    import numpy as np

    station, number = network.stations[k], np.arange(most + 1)
    time, load = network.service_time_at(0, k), flow * network.demand[0][k]
    if isinstance(station, LoadDependentStation):
        rates = np.array([0.0, *station.rates])
        return ServedStation(time, load, rates[np.minimum(number, len(rates) - 1)], 0)
    if isinstance(station, QueueingStation):
        speed = np.minimum(number, station.servers).astype(float)
        return ServedStation(time, load, speed, station.servers if order == "fcfs" else 0)
    return ServedStation(time, load, number.astype(float), 0)
