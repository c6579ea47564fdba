"""M/M/m//N: N customers that think, then queue for m servers; machines and repairmen.

References
----------
.. [1] L. Kleinrock, "Queueing Systems, Volume I: Theory," Wiley, 1975, ch. 3.8 and 3.10.
.. [2] D. Gross and C. M. Harris, "Fundamentals of Queueing Theory," 3rd ed., Wiley, 1998, ch. 2.7:
   finite-source queues; (2.54) ff. for what a customer finds on arrival, the state of the
   station with one customer less.
"""

from __future__ import annotations

from dataclasses import dataclass

from qmodel.errors import InvalidInput
from qmodel.single_station.arguments import assign, at_least_zero, count, positive
from qmodel.single_station.services_ahead import ServicesAhead
from qmodel.single_station.time_distributions import ExponentialServers

#: Larger populations take too long: the work grows with their square root.
MOST = 10**9
#: Weight over the highest below which a state is left out: about the smallest float.
_NOTHING = 1e-300


@dataclass(frozen=True, slots=True)
class MachineRepair(ExponentialServers):
    """A closed station: N customers, exponential think and service times, several servers.

    Machines that run (think) until they break, and repairmen (servers); or users at terminals and
    the processors they share. The means hold for think times of any distribution.

    Parameters
    ----------
    population : int
        Number of customers N, at least 1. [customers]
    think_time : float
        Mean time Z before a customer comes again, at least 0. [s]
    service_time : float
        Mean service time. [s]
    servers : int
        Number of servers m, at least 1.

    Raises
    ------
    InvalidInput
        If a value is out of range; the text names it.

    Examples
    --------
    >>> from qmodel.single_station import MachineRepair
    >>> station = MachineRepair(population=2, think_time=1.0, service_time=1.0)
    >>> round(station.throughput, 12), round(station.residence_time, 12)
    (0.8, 1.5)
    """

    population: int
    think_time: float
    service_time: float
    servers: int = 1

    def __post_init__(self) -> None:
        assign(self, population=count(self.population, "population", 1))
        if self.population > MOST:
            raise InvalidInput(f"population is {self.population}, expected <= {MOST}")
        assign(
            self,
            think_time=at_least_zero(self.think_time, "think time", "s"),
            service_time=positive(self.service_time, "service time", "s"),
            servers=count(self.servers, "number of servers", 1),
        )

    @property
    def throughput(self) -> float:
        """Customers served per second. [1/s]"""
        first, weights = self._states(self.population)
        busy = total = 0.0
        for n, weight in enumerate(weights, first):
            total += weight
            busy += weight * min(n, self.servers)
        return busy / total / self.service_time

    @property
    def queue_length(self) -> float:
        """Mean number of customers, waiting and in service. [customers]"""
        first, weights = self._states(self.population)
        present = total = 0.0
        for n, weight in enumerate(weights, first):
            total += weight
            present += weight * n
        return present / total

    @property
    def waiting_time(self) -> float:
        """Mean time before service begins, of all customers. [s]"""
        # On arrival: the state with one customer less. Each service ahead takes S / m.
        mean = 0.0
        ahead = self._ahead()
        for j, probability in enumerate(ahead.probabilities, ahead.first):
            mean += probability * j
        return mean * self.service_time / self.servers

    @property
    def waiting_probability(self) -> float:
        """Fraction of customers that find all servers busy. [1]"""
        ahead, waiting = self._ahead(), 0.0
        for probability in ahead.probabilities[1 if ahead.first == 0 else 0 :]:
            waiting += probability
        return waiting

    def probability(self, n: int) -> float:
        """Probability that n customers are at the station; 0 for more than N [1]. [1]"""
        n = count(n, "number of customers", 0)
        first, weights = self._states(self.population)
        if not first <= n < first + len(weights):
            return 0.0
        total = 0.0
        for weight in weights:
            total += weight
        return weights[n - first] / total

    def _ahead(self) -> ServicesAhead:
        """By the arrival theorem: the station with one customer less."""
        first, weights = self._states(self.population - 1)
        total = 0.0
        for weight in weights:
            total += weight
        least = max(0, first - self.servers + 1)
        numbers = [0.0] * (max(0, first + len(weights) - self.servers) - least + 1)
        for n, weight in enumerate(weights, first):
            numbers[max(0, n - self.servers + 1) - least] += weight / total
        return ServicesAhead(least, tuple(numbers))

    def _states(self, population: int) -> tuple[int, list[float]]:
        """Weights of the numbers present, from the first that matters to the last."""
        think, service, servers = self.think_time, self.service_time, self.servers
        if think == 0.0:
            return population, [1.0]

        def up(n: int) -> float:  # weight of n customers over that of n - 1; falls with n
            return (population - n + 1) * service / (min(n, servers) * think)

        low, high = 0, population  # the likeliest number is the last n that up(n) >= 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if up(middle) >= 1.0 else (low, middle - 1)
        below, weight = [], 1.0
        for n in range(low, 0, -1):
            weight /= up(n)
            if weight < _NOTHING:
                break
            below.append(weight)
        above, weight = [1.0], 1.0
        for n in range(low + 1, population + 1):
            weight *= up(n)
            if weight < _NOTHING:
                break
            above.append(weight)
        return low - len(below), [*reversed(below), *above]
