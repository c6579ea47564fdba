"""What users wait while tasks run beside them: the network solved for one slot, and remembered."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from operator import attrgetter
from typing import Any, Self

from advisor.configuration.configuration import Configuration
from advisor.configuration.hours import Window
from advisor.predicting.outlook import Outlook
from advisor.predicting.prediction import networks_of, predict
from advisor.predicting.solving import solve_network
from advisor.predicting.workload import ways_of
from advisor.scheduling.day import Day
from calibration.agreements.ensemble import combine
from calibration.estimation.interval import Range
from qmodel import DelayStation, Solution, Unstable

#: The peak of a configuration that is one slot, and a time beside it.
SLOT, ANOTHER = Window(0, 1), Window(1, 2)


@dataclass(frozen=True, slots=True)
class State:
    """One slot solved, the mean over the admissible calibrations by their weights."""

    #: The mean over requests, 0 where no user is at work, infinite without a steady state. [s]
    response_time: float
    #: Response time of one interaction of each task. [s]
    batch_times: dict[str, float]
    #: Of each station that has a queue, by all there is. [1]
    utilizations: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Responses:
    """Every state that was asked for, each solved once."""

    #: The server, its users and its batch tasks.
    configuration: Configuration
    #: Whole users to the share of all users, for arrivals from outside.
    shares: dict[int, float]
    states: dict[tuple[int, frozenset[str]], State] = field(default_factory=dict)

    @classmethod
    def of(cls, configuration: Configuration, day: Day) -> Self:
        """None solved yet."""
        shares: dict[int, float] = {}
        for users, share in zip(day.users, day.shares, strict=True):
            shares[users] = max(share, shares.get(users, 0.0))
        return cls(configuration, shares)

    def state(self, users: int, running: Collection[str]) -> State:
        """The state of a slot."""
        key = (users, frozenset(running))
        if key not in self.states:
            self.states[key] = self._solve(*key)
        return self.states[key]

    def time(self, users: int, running: Collection[str]) -> float:
        """Mean response time over the users' requests. [s]"""
        return self.state(users, running).response_time

    def added(self, users: int, task: str) -> float:
        """What one task alone adds to the users' response time. [s]"""
        return max(0.0, self.time(users, (task,)) - self.time(users, ()))

    def range(self, users: int, running: Collection[str]) -> Range | None:
        """Mean response time over their requests with its interval; None without users at work."""
        if not users:
            return None
        if len(ways_of(self.configuration)) == 1:  # nothing is uncertain: solved already
            time = self.time(users, running)
            return Range(time, time, time)
        found = predict(self._at(users, running))
        pairs = zip(found.times, found.throughputs, strict=True)
        return combine(found.ways, [self._mean(times, rates) for times, rates in pairs])

    def outlook(self, users: int, running: Collection[str]) -> Outlook:
        """All that is predicted of a slot with users."""
        return predict(self._at(users, running)).outlook

    def _solve(self, users: int, running: frozenset[str]) -> State:
        if not users and not running:
            return State(0.0, {})
        try:
            solutions = [
                solve_network(each.network) for each in networks_of(self._at(users, running))
            ]
        except Unstable:
            return State(inf, dict.fromkeys(running, inf))
        rows, rates = (
            [dict(zip(s.network.class_names, of(s), strict=True)) for s in solutions]
            for of in (attrgetter("response_times"), attrgetter("throughputs"))
        )
        of_model = [way.weight or 1.0 for way in ways_of(self.configuration) if way.axis == 0]

        def average(values: Sequence[float]) -> float:
            return _weighted(values, of_model)

        return State(
            average([self._mean(*each) for each in zip(rows, rates, strict=True)])
            if users
            else 0.0,
            {name: average([row[name] for row in rows]) for name in sorted(running)},
            tuple(map(average, zip(*map(_queues, solutions), strict=True))),
        )

    def _mean(self, times: Mapping[str, float], rates: Mapping[str, float]) -> float:
        """The mean over the requests of those classes that have any users."""
        names = [each.name for each in self.configuration.settings.workload.classes]
        present = [name for name in names if name in times]
        return _weighted([times[name] for name in present], [rates[name] for name in present])

    def _at(self, users: int, running: Collection[str]) -> Configuration:
        return at_slot(self.configuration, users, self.shares.get(users, 1.0), running)


def at_slot(
    configuration: Configuration, users: int, share: float, running: Collection[str]
) -> Configuration:
    """The configuration as if all its peak were one slot, with so many users at work, none if 0.

    ``share`` is the same of all users, for arrivals from outside [1]. Tasks that do not run
    keep their place in the file, for the same model.
    """
    settings = configuration.settings
    workload = settings.workload
    rate = workload.arrival_rate
    changed: dict[str, Any] = {"users": users, "peak": SLOT}
    if rate is not None:
        changed["arrival_rate"] = rate * share if users else None
    batch = tuple(
        each.model_copy(
            update={
                "window": SLOT if each.name in running else ANOTHER,
                **dict.fromkeys(("start", "duration", "work")),
            }
        )
        for each in settings.batch
    )
    update = {"workload": workload.model_copy(update=changed), "batch": batch}
    return replace(configuration, settings=settings.model_copy(update=update))


def _queues(solution: Solution) -> list[float]:
    """Utilizations of the stations that have a queue."""
    pairs = zip(solution.network.stations, solution.station_utilizations, strict=True)
    return [busy for station, busy in pairs if not isinstance(station, DelayStation)]


def _weighted(values: Sequence[float], weights: Sequence[float]) -> float:
    """The mean of numbers with weights, 0 of none; one after the other, alike on any machine."""
    total = weighted = 0.0
    for value, weight in zip(values, weights, strict=True):
        total += weight
        weighted += weight * value
    return weighted / total if total else 0.0
