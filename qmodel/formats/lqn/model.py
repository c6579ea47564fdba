"""An LQN model as a layered model, and the way back.

A reference task is a group of users; where its own entry takes time, also a service of any number
of threads that the users call, with ``_users`` after the name of the users.
"""

from dataclasses import dataclass
from functools import partial
from math import inf

from qmodel.errors import InvalidNetwork
from qmodel.formats.lqn.graph import Written, activity_of, steps_of_entry, work_of
from qmodel.formats.lqn.records import ANY, Activity, Host, Lqn, LqnEntry, Task
from qmodel.model.layered_model import Layered
from qmodel.model.layered_records import Entry, Processor, Service, Users
from qmodel.model.layered_steps import Answer, Steps, Work


@dataclass(frozen=True, slots=True)
class LqnModel:
    """What a file holds: the model, and what of it is not kept."""

    model: Layered
    warnings: tuple[str, ...]


def model_of(file: Lqn) -> LqnModel:
    """The layered model that a file describes; raises `FileError` with line and name."""
    processors, services, users = list[Processor](), list[Service](), list[Users]()
    entries = {entry.name: task for task in file.tasks.values() for entry in task.entries}
    for task in file.tasks.values():
        if task.processor not in file.hosts:
            raise file.error(task.line, f"task {task.name!r}: no processor {task.processor!r}")
        host = file.hosts[task.processor]
        _check_calls(file, task, entries)
        if host.replicas != task.replicas:
            raise file.error(
                task.line,
                f"task {task.name!r} has {task.replicas} replicas and its processor "
                f"{host.replicas}; expected as many of both",
            )
        if task.reference:
            group, own = _users(file, task, host)
            users.append(group)
            services += own
            continue
        does = tuple(_entry(file, task, entry) for entry in task.entries)
        threads = None if task.copies == ANY else int(task.copies)
        more = threads, task.processor, task.replicas, task.priority
        services.append(file.made(task.line, partial(Service, task.name, does, *more)))
        for entry in task.entries:
            if entry.arrivals:
                calls = ((entry.name, 1.0),)
                users.append(
                    Users(f"{entry.name}_arrivals", None, 0.0, calls, True, entry.arrivals)
                )
    for name in dict.fromkeys(service.processor or "" for service in services):
        host = file.hosts[name]
        cores = None if host.copies == ANY else int(host.copies)
        discipline = host.discipline if cores else "ps"
        made = partial(Processor, host.name, cores, host.speed, discipline)
        processors.append(file.made(host.line, made))
    if not users:
        raise file.error(0, "no reference task and no open arrivals: nothing calls anything")
    return LqnModel(file.made(0, partial(Layered, users, services, processors)), ())


def _check_calls(file: Lqn, task: Task, entries: dict[str, Task]) -> None:
    """Calls lead to entries; y calls to each of r replicas are r y to any."""

    def fan(line: int, name: str) -> int:
        if name not in entries:
            raise file.error(line, f"task {task.name!r} calls {name!r}, no such entry")
        called = entries[name]
        if called.reference:
            raise file.error(line, f"task {task.name!r} calls {name!r} of a reference task")
        many = task.fan_out.get(called.name, 1)
        if called.replicas not in {1, many}:
            raise file.error(
                line,
                f"calls of task {task.name!r} to {many} of the {called.replicas} replicas of "
                f"{called.name!r} are not read; expected a fan-out to all of them",
            )
        return called.replicas

    for entry in task.entries:
        for name in entry.forwards:
            fan(entry.line, name)
    for activity in task.work():
        for calls in (activity.calls, activity.sends):
            for name in calls:
                calls[name] *= fan(activity.line, name)


def _users(file: Lqn, task: Task, host: Host) -> tuple[Users, list[Service]]:
    """The users of a reference task, and what they do themselves if that takes time."""
    if len(task.entries) != 1:
        raise file.error(
            task.line, f"reference task {task.name!r} has {len(task.entries)} entries, expected 1"
        )
    (entry,) = task.entries
    if entry.arrivals or entry.forwards:
        raise file.error(entry.line, f"entry {entry.name!r} of a reference task: expected no "
                                     "open arrivals and no forwarding")  # fmt: skip
    if task.copies == ANY or task.replicas > 1:
        raise file.error(task.line, f"reference task {task.name!r}: expected a number of users")
    steps = tuple(s for s in _steps(file, task, entry) if not isinstance(s, Answer))
    only = steps[0] if len(steps) == 1 else None
    count = int(task.copies)
    if isinstance(only, Work) and not only.sends and not (only.demand or only.think):
        made = partial(Users, task.name, count, task.think, only.calls, only.fixed)
        return file.made(task.line, made), []
    does = file.made(entry.line, partial(Entry, entry.name, steps=steps))
    name, calls = f"{task.name}_users", ((entry.name, 1.0),)
    service = Service(task.name, (does,), None, host.name, 1, task.priority)
    return file.made(task.line, partial(Users, name, count, task.think, calls, True)), [service]


def _entry(file: Lqn, task: Task, entry: LqnEntry) -> Entry:
    made = partial(Entry, entry.name, forwards=entry.forwards, steps=_steps(file, task, entry))
    return file.made(entry.line, made)


def _steps(file: Lqn, task: Task, entry: LqnEntry) -> Steps:
    """What an entry does: its graph, or its phases with the answer after the first."""
    if entry.start is not None:
        if entry.phases:
            raise file.error(entry.line, f"entry {entry.name!r} has phases and activities")
        return steps_of_entry(file, task, entry)
    if not entry.phases:
        raise file.error(entry.line, f"entry {entry.name!r} has no phase and starts no activity")
    found: list[Work | Answer] = []
    for number in range(1, max(entry.phases) + 1):
        phase = entry.phases.get(number, Activity(""))
        found.append(file.made(phase.line, partial(work_of, phase)))
        if number == 1 and len(entry.phases) + (1 not in entry.phases) > 1:
            found.append(Answer())
    return tuple(found)


def lqn_of(model: Layered, path: str = "model") -> Lqn:
    """A layered model as LQN; raises `InvalidNetwork` where that has no place for it."""
    file = Lqn(path)
    names = {p.name: _identifier(p.name) for p in model.processors}
    for p in model.processors:
        copies = next((s.replicas for s in model.services if s.processor == p.name), 1)
        cores = inf if p.cores is None else float(p.cores)
        file.hosts[names[p.name]] = Host(names[p.name], 0, p.discipline, cores, copies, p.speed)
    replicas = {e.name: s for s in model.services for e in s.entries}

    def renamed(calls: object) -> dict[str, float]:
        return {_identifier(name): n / replicas[name].replicas for name, n in calls}  # type: ignore[attr-defined]

    def host_of(name: str, processor: str | None) -> str:
        if processor is not None:
            return names[processor]
        file.hosts[f"{name}_host"] = Host(f"{name}_host", 0, "ps", inf)
        return f"{name}_host"

    def fan_of(task: Task) -> None:
        for activity in task.work():
            for key in ("calls", "sends"):
                calls = getattr(activity, key)
                for name in calls:
                    service = replicas[name]
                    if service.replicas > 1:
                        task.fan_out[_identifier(service.name)] = service.replicas
                setattr(activity, key, renamed(calls.items()))

    arrivals = {}
    own = {f"{s.name}_users": s.name for s in model.services}
    by_name = {u.name: u for u in model.users}
    for u in model.users:
        if u.name in own and u.population:  # as it is read
            continue
        if u.arrival_rate is not None:
            if len(u.calls) != 1 or u.calls[0][1] != 1.0 or u.calls[0][0] in arrivals:
                raise InvalidNetwork(
                    f"users {u.name!r}: LQN has arrivals at one entry each, not interactions"
                )
            arrivals[u.calls[0][0]] = u.arrival_rate
            continue
        name = _identifier(u.name)
        entry = LqnEntry(f"{name}_entry")
        phase = entry.phase(1)
        phase.fixed, phase.calls = bool(u.fixed), dict(u.calls)
        task = Task(name, host_of(name, None), 0, True, [entry], float(u.population or 1))
        task.think = u.think_time
        fan_of(task)
        file.tasks[name] = task
    for s in model.services:
        name = _identifier(s.name)
        task = Task(name, host_of(name, s.processor), 0, False, [], float(s.threads or inf))
        task.replicas, task.priority = s.replicas, s.priority
        users = by_name.get(f"{s.name}_users")
        if users is not None and users.population:
            task.reference, task.copies = True, float(users.population)
            task.think = users.think_time
        for e in s.entries:
            entry = LqnEntry(_identifier(e.name), forwards=renamed(e.forwards))
            entry.arrivals = arrivals.get(e.name, 0.0)
            task.entries.append(entry)
            works = [step for step in e.steps if isinstance(step, Work) and not step.name]
            phases = (*works[:1], Answer(), *works[1:]) if 1 < len(works) <= 3 else (*works,)
            if e.steps == phases:
                for i, work in enumerate(works, 1):
                    entry.phases[i] = activity_of(work, f"{entry.name}_{i}")
            else:
                entry.start, last = Written(task, entry.name).add(e.steps)
                task.replies.setdefault(entry.name, [last])
        fan_of(task)
        file.tasks[name] = task
    return file


def _identifier(name: str) -> str:
    """A name as LQN has them: letters, digits, and underscores for all else."""
    made = "".join(c if c.isascii() and c.isalnum() else "_" for c in name)
    return made if made[:1].isalpha() or made[:1] == "_" else f"_{made}"
