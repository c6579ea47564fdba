"""The response time of the only closed class, by following a tagged customer; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import LoadDependentStation, QueueingStation
from qmodel.model.visit_routing import ImpliedRouting
from qmodel.numerics import absorbing_ctmc as ctmc
from qmodel.numerics.laplace import quantiles_of_tail
from qmodel.response_times.population_distribution import ServedStation, population_distribution
from qmodel.response_times.tagged_customer import tagged_chain
from qmodel.response_times.tagged_routing import is_markovian, others_routing, tagged_routing

#: Probability of states that may be left out, and the error of the tail: first what leaves 8
#: digits, then the least that is affordable.
LEVELS = ((1e-13, 1e-12), (1e-5, 1e-7), (1e-4, 1e-6), (1e-3, 1e-5), (3e-3, 1e-5), (1e-2, 1e-5))
#: The most that may be left out where all stations are passed once: beyond, independent times given
#: the state on arrival are better.
ONCE = 1e-3
#: Multiplications that are affordable, and where exact times are asked for; states of the others,
#: and of the chain.
WORK, EXACT_WORK, NUMBERS, MOST = 2e7, 3e8, 300_000, 100_000
#: Customers at most, and where exact times are asked for.
CUSTOMERS, EXACT_CUSTOMERS = 200, 3_000
#: A mean this near to that of the solution is the same; one farther off is not scaled.
NEAR, FAR = 1e-6, 0.1


@dataclass(frozen=True, slots=True)
class TaggedResponse:
    """A response time."""

    #: Of the tagged customer.
    time: ctmc.AbsorptionTime
    #: Probability of the states that are left out; 0 where that leaves 8 digits.
    left_out: float
    #: Mean of the solution over that of the tagged customer. [1]
    scaling: float
    #: Whether the routes of the others depend on their stations alone.
    markovian: bool

    @property
    def exact(self) -> bool:
        """Whether it is that of the model, to about 8 digits."""
        return self.left_out == 0.0 and self.markovian and abs(self.scaling - 1.0) <= NEAR

    def percentiles(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Percentiles. [s]"""
        times = quantiles_of_tail(self.time.tail, shares, *self.time.moments())
        return tuple(self._factor * time for time in times)

    def late_shares(self, times: Sequence[float]) -> tuple[float, ...]:
        """Probabilities of longer times. [1]"""
        return tuple(self.time.tail(np.array(times) / self._factor).tolist())

    @property
    def _factor(self) -> float:
        return 1.0 if self.exact else self.scaling


def tagged_response(
    solution: Solution, c: int, orders: Sequence[str], *, exact: bool = False
) -> TaggedResponse | None:
    """The response time of class ``c``; ``exact`` affords more work.

    None where the class is not alone, service not exponential, or no chain affordable.
    """
    network = solution.network
    users = network.classes[c]
    visited = [k for k, demand in enumerate(network.demand[c]) if demand]
    if len(network.classes) > 1 or not isinstance(users, ClosedClass) or not users.population:
        return None
    if users.population > (EXACT_CUSTOMERS if exact else CUSTOMERS):
        return None
    if not visited or network.product_form_violation() is not None:
        return None
    if any(network.scv_at(c, k) != 1.0 for k in visited):
        return None
    visits = [network.visits_at(c, k) for k in range(len(network.stations))]
    rounds = ImpliedRouting.of(visits)
    others, tagged = others_routing(rounds, visits), tagged_routing(rounds, visits)
    flow, population = solution.throughputs[c], users.population
    response_time, think_time = solution.response_times[c], users.think_time
    stations = [_station(network, k, orders[k], flow, population) for k in others.station]
    work = EXACT_WORK if exact else WORK
    for rare, negligible in LEVELS if exact else LEVELS[:1]:
        if rounds.passes == 1.0 and rare > ONCE:
            break
        # Customers at the delay return at least as fast as they do in the mean.
        fastest = flow + sum(float(server.rate[-1]) / server.time for server in stations)
        events = ctmc.uniformized_events(fastest, response_time, negligible)
        most = min(MOST, max(ctmc.STATES, int(work / ((2 * len(stations) + 1) * events))))
        numbers = min(most, NUMBERS)
        states = population_distribution(stations, population - 1, flow * think_time, rare, numbers)
        if states is None:
            continue
        chain = tagged_chain(states, tagged, others, think_time, most)
        if chain is None:
            continue
        time = ctmc.absorption_time(chain, negligible)
        if rare > LEVELS[0][0] or time.error <= negligible:
            left_out = rare if rare > LEVELS[0][0] else 0.0
            scaling = response_time / time.moments()[0]
            if left_out and abs(scaling - 1.0) > FAR:
                continue
            return TaggedResponse(time, left_out, scaling, is_markovian(rounds))
    return None


def _station(network: Network, k: int, order: str, flow: float, most: int) -> ServedStation:
    """A station of the only class, with up to ``most`` customers."""
    station, number = network.stations[k], np.arange(most + 1)
    time, load = network.service_time_at(0, k), flow * network.demand[0][k]
    if isinstance(station, LoadDependentStation):
        rates = np.array([0.0, *station.rates])
        return ServedStation(time, load, rates[np.minimum(number, len(rates) - 1)], 0)
    if isinstance(station, QueueingStation):
        rate = np.minimum(number, station.servers).astype(float)
        return ServedStation(time, load, rate, station.servers if order == "fcfs" else 0)
    return ServedStation(time, load, number.astype(float), 0)
