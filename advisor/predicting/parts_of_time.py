"""Where the time of a class goes: what it spends at each resource, and what of it is waiting."""

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.configuration.configuration import Configuration
from advisor.predicting.overload import least_times
from advisor.predicting.solving import solve_network
from advisor.predicting.workload import network_of, peak_sets, ways_of
from qmodel import Unstable

#: Part of a response time that is nearly all of it. [1]
NEARLY_ALL = 0.95


@dataclass(frozen=True, slots=True)
class PartsOfTime:
    """Response time of one class at the worst hour of the peak, the mean of models by weight."""

    #: What one interaction takes without queueing. [s]
    demand: float
    #: Its response time. [s]
    whole: float
    #: What it spends at each resource, waiting included. [s]
    at: dict[str, float]

    @property
    def longest(self) -> str:
        """The resource at which it spends most."""
        return max(self.at, key=lambda name: self.at[name])

    def nearly_all(self, resource: str) -> bool:
        """Whether it spends nearly all of its time at a resource."""
        return self.at[resource] >= NEARLY_ALL * self.whole


def parts_of_time(configuration: Configuration, name: str) -> PartsOfTime:
    """Where the time of a class of users goes, which somebody is in."""
    found = []
    ways = [each for each in ways_of(configuration) if each.axis == 0]
    for way in ways:
        some = []
        for running in peak_sets(configuration):
            server = network_of(configuration, way, running)
            c = server.network.class_names.index(name)
            try:
                times: Sequence[float] = solve_network(server.network).residence_times[c]
            except Unstable:
                times = least_times(server.network, c)
            at = {
                resource: _total([times[k] for k in stations])
                for resource, stations in server.resources
            }
            demand = _total(server.network.demand[c])
            some.append(PartsOfTime(demand, _total(list(at.values())), at))
        found.append(max(some, key=lambda each: each.whole))
    weights = [way.weight or 1.0 for way in ways]

    def mean(values: Sequence[float]) -> float:
        weighted = [weight * value for weight, value in zip(weights, values, strict=True)]
        return _total(weighted) / _total(weights)

    return PartsOfTime(
        mean([each.demand for each in found]),
        mean([each.whole for each in found]),
        {
            name: mean([each.at.get(name, 0.0) for each in found])
            for name in dict.fromkeys(name for each in found for name in each.at)
        },
    )


def _total(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total
