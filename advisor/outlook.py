"""What the model predicts for a configuration: times, throughputs, utilizations, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.config import BatchTask, Configuration
from advisor.workload import hardware_of, loads_of, members_of, peak_sets, used_tasks
from calibration.ensemble import Range, Variant, combine, variants
from calibration.server import ServerNetwork, server_network
from qmodel import solve


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
    """Predict a configuration at the worst of its peak hours: `predict` without the variants."""
    return predict(configuration, batch=batch).outlook


def predict(configuration: Configuration, *, batch: bool = True) -> Prediction:
    """Predict a configuration at the worst of its peak hours.

    The sets of batch tasks that run together at the peak are solved one by one; each class and
    each resource is reported at its worst over them, so that no load hides another.

    Parameters
    ----------
    configuration : Configuration
        The server, its users and its batch tasks.
    batch : bool
        Whether batch tasks run beside the users.

    Raises
    ------
    qmodel.Unstable
        If users arrive faster than the server can serve.
    """
    ways = variants(members_of(configuration), used_tasks(configuration))
    sets = peak_sets(configuration) if batch else ((),)
    worst = [_worst(configuration, way, sets) for way in ways]
    users = configuration.settings.workload.users
    resources = tuple(
        ResourceOutlook(name, combine(ways, [w.utilizations[name] for w in worst], 1.0), stations)
        for name, stations in worst[0].stations.items()
    )
    measured = [r for r in resources if r.name != "unseen"]
    loads = {
        load.name: (load.population, is_batch)
        for running in sets
        for load, is_batch in loads_of(configuration, ways[0], running)
    }
    return Prediction(
        Outlook(
            users=users,
            classes=tuple(
                ClassOutlook(
                    name=name,
                    batch=is_batch,
                    population=population,
                    response_time=combine(ways, [w.times[name] for w in worst]),
                    throughput=combine(ways, [w.throughputs[name] for w in worst]),
                )
                for name, (population, is_batch) in loads.items()
            ),
            resources=resources,
            bottleneck=max(measured, key=lambda r: r.utilization.mid).name,
            by_member=tuple(
                (way.member, next(iter(w.times.values())))
                for way, w in zip(ways, worst, strict=True)
                if way.axis == 0
            ),
            method=", ".join(dict.fromkeys(m for w in worst for m in w.methods)),
            extrapolated=_extrapolated(configuration, users),
        ),
        ways,
        tuple(w.times for w in worst),
        tuple(w.utilizations for w in worst),
    )


@dataclass(frozen=True, slots=True)
class _Worst:
    """Of one variant, each class and resource at its worst over the peak."""

    times: dict[str, float]
    throughputs: dict[str, float]
    utilizations: dict[str, float]
    stations: dict[str, int]
    methods: tuple[str, ...]


def _worst(
    configuration: Configuration, way: Variant, sets: Sequence[Sequence[BatchTask]]
) -> _Worst:
    times: dict[str, float] = {}
    throughputs: dict[str, float] = {}
    utilizations: dict[str, float] = {}
    stations: dict[str, int] = {}
    methods: list[str] = []
    for running in sets:
        server = _server(configuration, way, running)
        solution = solve(server.network)
        methods.append(solution.method)
        for name, time, rate in zip(
            server.network.class_names,
            solution.response_times,
            solution.throughputs,
            strict=True,
        ):
            times[name] = max(time, times.get(name, 0.0))
            throughputs[name] = min(rate, throughputs.get(name, rate))
        busy = solution.station_utilizations
        for name, members in server.resources:
            if name != "client":
                stations[name] = len(members)
                busiest = max(busy[k] for k in members)
                utilizations[name] = max(busiest, utilizations.get(name, 0.0))
    return _Worst(times, throughputs, utilizations, stations, tuple(dict.fromkeys(methods)))


def networks_of(configuration: Configuration) -> tuple[ServerNetwork, ...]:
    """One network for each member, with every batch task that runs at some time of the peak."""
    ways = variants(members_of(configuration), used_tasks(configuration))
    running = tuple(dict.fromkeys(task for running in peak_sets(configuration) for task in running))
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


def _extrapolated(configuration: Configuration, users: int) -> bool:
    fitted = [
        f.populations
        for member in members_of(configuration)
        for f in member.fitted
        if f.task.name in {c.task_name for c in configuration.settings.workload.classes}
    ]
    return any(not low <= users <= high for low, high in fitted)
