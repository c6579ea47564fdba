"""From a configuration to what runs and what it runs on: hardware, loads, calibrations."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod

from advisor.configuration.configuration import Configuration
from advisor.configuration.hours import Window
from advisor.configuration.schema import BatchTask, Demands, WorkloadClass
from advisor.predicting.calibrated import calibrated_network, calibrated_ways, calibration_of
from advisor.predicting.hardware import given_task, hardware_of
from advisor.predicting.solving import CROWD
from calibration.agreements.ensemble import Member, Variant, variants
from calibration.agreements.system import System
from calibration.hardware.server import ServerNetwork, server_network
from calibration.hardware.task import Load, Task, shares
from calibration.predicting.prediction import WRITTEN
from calibration.predicting.replicas import one_of, replicated
from calibration.systems import load_system
from qmodel import ClosedClass

#: The one member of a workload whose demands the configuration gives itself.
AS_GIVEN = "demands as given"


def system_of(configuration: Configuration) -> System | None:
    """The measured system, or the calibration, that the workload refers to, if it does."""
    workload = configuration.settings.workload
    calibration = calibration_of(configuration)
    if calibration is not None and not workload.system:
        from calibration.agreements.system import calibrated_system

        return calibrated_system(calibration)
    return load_system(workload.system) if workload.system else None


def members_of(configuration: Configuration) -> tuple[Member, ...]:
    """The admissible calibrations, or the demands as given."""
    system = system_of(configuration)
    settings = configuration.settings
    given = tuple(
        given_task(each, each.cpu)
        for each in (*settings.workload.classes, *settings.batch)
        if each.cpu is not None
    )
    if system is None:
        return (Member(AS_GIVEN, "the configuration gives the demands itself", (), given),)
    return tuple(replace(member, fixed=(*member.fixed, *given)) for member in system.members)


def models_of(configuration: Configuration) -> tuple[tuple[str, str], ...]:
    """Name and description of each model that predicts."""
    calibration = calibration_of(configuration)
    if calibration is not None:
        return tuple((model.name, model.reason) for model in calibration.admissible)
    return tuple((member.name, member.description) for member in members_of(configuration))


def loads_of(
    configuration: Configuration, way: Variant, running: Sequence[BatchTask] = ()
) -> tuple[tuple[Load, bool], ...]:
    """The users of each class that has any, then the running batch tasks.

    Each load comes with whether it is a batch task. Users pause between interactions as the
    configuration says, or else as the measured ones did.
    """
    workload = configuration.settings.workload
    populations = shares(workload.users, [c.share for c in workload.classes])
    users = [
        Load(
            each.name, task, population,
            task.think_time if workload.think_time is None else workload.think_time,
            None if workload.arrival_rate is None else workload.arrival_rate * each.share,
        )
        for each, population in zip(workload.classes, populations, strict=True)
        for task in (_task(way, each),)
        if population or workload.arrival_rate is not None
    ]  # fmt: skip
    batch = [Load(each.name, _task(way, each), 1, each.pause) for each in running]
    return (*((load, False) for load in users), *((load, True) for load in batch))


def has_load(configuration: Configuration, batch: BatchTask) -> bool:
    """Whether the model knows what a batch task asks of the server."""
    if batch.cpu is not None:
        return True
    calibration, system = calibration_of(configuration), system_of(configuration)
    if calibration is not None:
        return batch.task_name in calibration.data.classes
    return system is not None and batch.task_name in system.task_names


def ways_of(configuration: Configuration) -> tuple[Variant, ...]:
    """Every way the world may be, as far as the configuration's tasks can tell."""
    calibration = calibration_of(configuration)
    if calibration is not None:
        return calibrated_ways(configuration, calibration)
    settings = configuration.settings  # of the tasks that the model knows, users' first
    loads = [b for b in settings.batch if has_load(configuration, b)]
    used = dict.fromkeys(e.task_name for e in (*settings.workload.classes, *loads))
    return variants(members_of(configuration), tuple(used))


def network_of(
    configuration: Configuration, way: Variant, running: Sequence[BatchTask] = (), *,
    users: bool = True,
) -> ServerNetwork:  # fmt: skip
    """The network of one variant, with some batch tasks running, and the users or not."""
    one = _one_server(configuration, way, running, users=users)
    return replicated(one, configuration.settings.standing)


def asked_by_rate(configuration: Configuration) -> list[float]:
    """The part of each class of users in the requests while none waits.

    A user who thinks for Z and is served for R asks once in Z + R. [1]
    """
    classes = configuration.settings.workload.classes
    network = network_of(configuration, ways_of(configuration)[0]).network
    cycles = {
        each.name: each.think_time + sum(row)
        for each, row in zip(network.classes, network.demand, strict=True)
        if isinstance(each, ClosedClass)
    }
    longest = max(cycles.values(), default=0.0) or 1.0
    asked = [each.share / (cycles.get(each.name) or longest) for each in classes]
    return [each / sum(asked) for each in asked]


def network_of_one(
    configuration: Configuration, way: Variant, running: Sequence[BatchTask] = ()
) -> ServerNetwork:
    """The network of one of the replicas with its part of the load: what a request passes."""
    one = _one_server(configuration, way, running, users=True)
    return one_of(one, configuration.settings.standing)


def _one_server(
    configuration: Configuration, way: Variant, running: Sequence[BatchTask], *, users: bool
) -> ServerNetwork:
    there = _at_work(configuration, running)
    calibration = calibration_of(configuration)
    if calibration is not None:
        return calibrated_network(there, calibration, way, running, users=users)
    # Every variant gets the same stations: a member without an unseen queue has it empty.
    return server_network(
        hardware_of(configuration),
        [load for load, batch in loads_of(there, way, running) if users or batch], way.write_share,
        unseen=True, load_dependent=_load_dependent(configuration),
    )  # fmt: skip


def _at_work(configuration: Configuration, running: Sequence[BatchTask]) -> Configuration:
    """The configuration with the users who are at work in the peak while just these tasks run."""
    workload = configuration.settings.workload
    if workload.profile is None or not running:
        return configuration
    timed, peak = _timed(configuration), workload.peak
    changes = {peak.start, *(m for m, _ in workload.profile.steps)}
    changes |= {end for _, window in timed for end in (window.start, window.end)}
    by_time = {
        minute: ([b for b, window in timed if minute in window], workload.profile.most(minute, 1))
        for minute in changes
        if minute in peak
    }
    most = max(share for _, share in by_time.values())
    here = [share for tasks, share in by_time.values() if tasks == [*running]]
    if not here or max(here) >= most or not max(here):
        return configuration
    part = max(here) / most
    if workload.arrival_rate is not None:
        return configuration.with_rate(part * workload.arrival_rate)
    return configuration.with_users(max(1, round(part * workload.users)))


def _timed(configuration: Configuration) -> list[tuple[BatchTask, Window]]:
    """Batch tasks that ask for something, and their hours."""
    settings = configuration.settings
    night = settings.workload.off_peak
    return [(b, b.hours(night)) for b in settings.batch if has_load(configuration, b)]


def measured_loads(configuration: Configuration) -> dict[str, list[tuple[float, float]]]:
    """The least and the highest load of the runs behind each task that was fitted, by model.

    Users, or interactions per second where they arrive by rate. [customers], [1/s]
    """
    by_rate = configuration.settings.workload.arrival_rate is not None
    calibration = calibration_of(configuration)
    if calibration is not None:
        range_ = calibration.data.rates if by_rate else calibration.data.populations
        return {name: [range_] if range_ else [] for name in calibration.data.classes}
    found: dict[str, list[tuple[float, float]]] = {}
    for member in () if by_rate else members_of(configuration):
        for fitted in member.fitted:
            found.setdefault(fitted.task.name, []).append(fitted.populations)
    return found


def load_of_one(configuration: Configuration) -> tuple[float, str]:
    """Users at one of the replicas, or arrivals per second, and what they are called."""
    workload, copies = configuration.settings.workload, configuration.settings.standing
    load, unit = float(workload.users), "users"
    if workload.arrival_rate is not None:
        load, unit = workload.arrival_rate, "requests/s"
    return load / copies, unit + " a replica" * (copies > 1)


def unmeasured_loads(
    configuration: Configuration,
) -> Iterator[tuple[WorkloadClass, list[tuple[float, float]]]]:
    """Each class whose fitted runs had other loads, and the loads of theirs that leave this out."""
    measured, (load, _) = measured_loads(configuration), load_of_one(configuration)
    for each in configuration.settings.workload.classes:
        known = measured.get(each.task_name, ())
        outside = [m for m in known if not m[0] * (1 - WRITTEN) <= load <= m[1] * (1 + WRITTEN)]
        if outside:
            yield each, outside


def peak_sets(configuration: Configuration) -> tuple[tuple[BatchTask, ...], ...]:
    """The different sets of batch tasks that run together at some time of the peak.

    A set changes only where a task's hours or the peak start: those times are all there is to see.
    """
    timed, peak = _timed(configuration), configuration.settings.workload.peak
    starts = {peak.start, *(w.start for _, w in timed if w.start in peak)}
    found = {
        tuple(i for i, (_, window) in enumerate(timed) if start in window): None
        for start in sorted(starts)
    }
    return tuple(tuple(timed[i][0] for i in running) for running in found)


def _task(way: Variant, each: Demands) -> Task:
    """The task, with the share of writes that the configuration may know better."""
    task = way.tasks[each.task_name]
    return task if each.write_share is None else replace(task, write_share=each.write_share)


def _load_dependent(configuration: Configuration) -> bool:
    """Whether speeds may depend on how many are there: not beyond `CROWD` vectors.

    It is asked of all loads there could be, so that moving one does not change the model.
    """
    workload = configuration.settings.workload
    counted = workload.arrival_rate is None
    users = shares(workload.users, [each.share for each in workload.classes]) if counted else []
    batch = sum(has_load(configuration, each) for each in configuration.settings.batch)
    if len(users) == 1 and not batch:
        return True
    vectors: int = prod(n + 1 for n in users) << batch
    return vectors <= CROWD
