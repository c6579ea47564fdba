"""What the model predicts for a configuration: times, throughputs, utilizations, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.config import BatchTask, Configuration
from advisor.workload import hardware_of, loads_of, members_of, peak_sets, used_tasks
from calibration.ensemble import Range, Variant, combine, variants
from calibration.server import ServerNetwork, server_network
from qmodel import Solution, solve


@dataclass(frozen=True, slots=True)
class ClassOutlook:
    """One class of users or one batch task.

    Parameters
    ----------
    name : str
        Name of the class.
    batch : bool
        Whether it is a batch task.
    population : int
        Users, or copies of the task, at work. [customers]
    response_time : Range
        Of one interaction. [s]
    throughput : Range
        Interactions per second, all users together. [1/s]
    """

    name: str
    batch: bool
    population: int
    response_time: Range
    throughput: Range


@dataclass(frozen=True, slots=True)
class ResourceOutlook:
    """One resource: its busiest station, by all classes together. [1]"""

    name: str
    utilization: Range
    stations: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """The prediction for one configuration.

    Parameters
    ----------
    users : int
        Users at work. [customers]
    classes : tuple of ClassOutlook
        Users first, then batch tasks.
    resources : tuple of ResourceOutlook
        Those that customers can queue at.
    bottleneck : str
        The busiest measured resource.
    by_member : tuple of (str, float)
        Each admissible calibration's own response time of the first class at work. [s]
    method : str
        How the networks were solved.
    extrapolated : bool
        Whether the number of users lies outside the fitted ones.
    """

    users: int
    classes: tuple[ClassOutlook, ...]
    resources: tuple[ResourceOutlook, ...]
    bottleneck: str
    by_member: tuple[tuple[str, float], ...]
    method: str
    extrapolated: bool

    def resource(self, name: str) -> ResourceOutlook:
        """The resource of this name."""
        (found,) = (r for r in self.resources if r.name == name)
        return found

    def response_time(self, name: str) -> Range | None:
        """Response time of a class, None if nobody is in it. [s]"""
        return next((c.response_time for c in self.classes if c.name == name), None)


@dataclass(frozen=True, slots=True)
class Prediction:
    """An outlook and the solutions of every variant behind it.

    Parameters
    ----------
    outlook : Outlook
        The ranges.
    ways : tuple of Variant
        Every way the world may be.
    times : tuple of dict of str to float
        Response time of each class at work, by variant. [s]
    utilizations : tuple of dict of str to float
        Of each resource's busiest station, by variant. [1]
    """

    outlook: Outlook
    ways: tuple[Variant, ...]
    times: tuple[dict[str, float], ...]
    utilizations: tuple[dict[str, float], ...]


def outlook(configuration: Configuration, *, batch: bool = True) -> Outlook:
    """Predict a configuration at its busiest peak hour: `predict` without the variants."""
    return predict(configuration, batch=batch).outlook


def predict(configuration: Configuration, *, batch: bool = True) -> Prediction:
    """Predict a configuration at its busiest peak hour.

    Parameters
    ----------
    configuration : Configuration
        The server, its users and its batch tasks.
    batch : bool
        Whether the batch tasks of the busiest peak hour run beside the users.

    Raises
    ------
    qmodel.Unstable
        If users arrive faster than the server can serve.
    """
    ways = variants(members_of(configuration), used_tasks(configuration))
    running = _busiest_set(configuration, ways[0]) if batch else ()
    servers = [_server(configuration, way, running) for way in ways]
    solutions = [solve(server.network) for server in servers]
    loads = loads_of(configuration, ways[0], running)
    times = tuple(
        {load.name: time for (load, _), time in zip(loads, s.response_times, strict=True)}
        for s in solutions
    )
    resources = [(name, members) for name, members in servers[0].resources if name != "client"]
    utilizations = tuple(
        {name: _busiest(s, members) for name, members in resources} for s in solutions
    )
    found = tuple(
        ResourceOutlook(name, combine(ways, [u[name] for u in utilizations], 1.0), len(members))
        for name, members in resources
    )
    measured = [r for r in found if r.name != "unseen"]
    users = configuration.settings.workload.users
    return Prediction(
        Outlook(
            users=users,
            classes=tuple(
                ClassOutlook(
                    name=load.name,
                    batch=is_batch,
                    population=load.population,
                    response_time=combine(ways, [t[load.name] for t in times]),
                    throughput=combine(ways, [s.throughputs[c] for s in solutions]),
                )
                for c, (load, is_batch) in enumerate(loads)
            ),
            resources=found,
            bottleneck=max(measured, key=lambda r: r.utilization.mid).name,
            by_member=tuple(
                (way.member, solution.response_times[0])
                for way, solution in zip(ways, solutions, strict=True)
                if way.axis == 0
            ),
            method=solutions[0].method,
            extrapolated=_extrapolated(configuration, users),
        ),
        ways,
        times,
        utilizations,
    )


def networks_of(configuration: Configuration) -> tuple[ServerNetwork, ...]:
    """The networks behind `outlook`, one for each member, unmoved."""
    ways = variants(members_of(configuration), used_tasks(configuration))
    running = _busiest_set(configuration, ways[0])
    return tuple(_server(configuration, way, running) for way in ways if way.axis == 0)


def _server(
    configuration: Configuration, way: Variant, running: Sequence[BatchTask]
) -> ServerNetwork:
    # Every variant gets the same stations: a member without an unseen queue has it empty.
    return server_network(
        hardware_of(configuration),
        [load for load, _ in loads_of(configuration, way, running)],
        way.write_share,
        unseen=True,
    )


def _busiest_set(configuration: Configuration, way: Variant) -> tuple[BatchTask, ...]:
    """Of the sets of batch tasks that run together at the peak, the one users feel most."""
    sets = peak_sets(configuration)
    if len(sets) == 1:
        return sets[0]

    def felt(running: tuple[BatchTask, ...]) -> float:
        solution = solve(_server(configuration, way, running).network)
        batch = len(running)
        rates = solution.throughputs[: len(solution.throughputs) - batch]
        weighted = sum(x * r for x, r in zip(rates, solution.response_times, strict=False))
        return weighted / sum(rates)

    return max(sets, key=felt)


def _busiest(solution: Solution, indices: tuple[int, ...]) -> float:
    utilizations = solution.station_utilizations
    return max(utilizations[k] for k in indices)


def _extrapolated(configuration: Configuration, users: int) -> bool:
    fitted = [
        f.populations
        for member in members_of(configuration)
        for f in member.fitted
        if f.task.name in {c.task_name for c in configuration.settings.workload.classes}
    ]
    return any(not low <= users <= high for low, high in fitted)
