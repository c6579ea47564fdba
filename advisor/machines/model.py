"""The layered model of several machines: devices as processors, pools as services.

A thread of a service is held while it calls others; a connection is held while its service is
waited for. A drive or a network is a service without threads of its own, called once a call.
"""

from dataclasses import dataclass
from math import ceil
from typing import Literal

from advisor.machines.tables import MachinesFile, Service, UserClass
from qmodel import Entry, Layered, Processor, Users
from qmodel import Service as Task

Kind = Literal["cpu", "quota", "disk", "network", "threads", "connections"]
#: Where a setting stands: table, name, key, and of connections the service that is called.
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resource:
    """A device or a pool: its name in the model, its size, and the key that sets it."""

    name: str
    kind: Kind
    size: float
    key: Key | None
    #: Processors of the machine beside them, which quotas of other services hold.
    held: float = 0.0

    @property
    def is_pool(self) -> bool:
        """Whether it is held rather than served by."""
        return self.kind in {"threads", "connections"}


def layered_model(file: MachinesFile, users: int) -> tuple[Layered, dict[str, Resource]]:
    """The model for so many users in all, and its devices and pools by name.

    A class that is called as a service is has users of a name of their own there.
    """
    machines = {m.name: m for m in file.machines}
    processors, tasks, found = dict[str, Processor](), list[Task](), list[Resource]()

    def device(
        name: str, kind: Kind, size: float, speed: float, key: Key | None, held: float = 0.0
    ) -> str:
        if name not in processors:
            whole = ceil(size)
            processors[name] = Processor(name, whole, speed * (size / whole))
            found.append(Resource(name, kind, size, key, held))
        return name

    def behind(service: Service, kind: Kind, time: float, size: int, key: Key | None) -> str:
        name = f"{service.name} {kind}"
        at = device(f"{service.machine} {kind}", kind, size, 1.0, key)
        tasks.append(Task(name, (Entry(name, time),), None, at))
        return name

    for s in file.services:
        m = machines[s.machine]
        if s.cpu_quota is None:
            held, key = file.held(m), ("machine", m.name, "cpus")
            at = device(f"{m.name} cpu", "cpu", m.cpus - held, m.cpu_speed, key, held)
        else:
            quota, key = min(s.cpu_quota, m.cpus), ("service", s.name, "cpu_quota")
            at = device(f"{s.name} quota", "quota", quota, m.cpu_speed, key)
        calls = {}
        for other, times in s.calls.items():
            size = s.connections.get(other)
            if size is None:
                calls[other] = times
                continue
            pool = f"{s.name}→{other} connections"
            tasks.append(Task(pool, (Entry(pool, 0.0, {other: 1.0}, fixed=True),), size))
            calls[pool] = times
            pooled = ("service", s.name, "connections", other)
            found.append(Resource(pool, "connections", size, pooled))
        if s.disk:
            calls[behind(s, "disk", s.disk, m.drives, ("machine", m.name, "drives"))] = 1.0
        if s.transfer and m.network:
            calls[behind(s, "network", 8.0 * s.transfer / m.network, 1, None)] = 1.0
        threads = None if s.threads == "any" else s.threads
        # One visit to the disk and one over the network a call; a number of calls to others varies.
        entry = Entry(s.name, s.cpu, calls, fixed=s.fixed_calls or not s.calls)
        tasks.append(Task(s.name, (entry,), threads, at))
        if threads is not None:
            key = ("service", s.name, "threads")
            found.append(Resource(f"{s.name} threads", "threads", threads, key))
    think = file.workload.think_time
    services = {each.name for each in file.services}
    groups = [
        Users(each.name + " users" * (each.name in services), n, think, tuple(each.calls.items()))
        for each, n in present(file, users)
    ]
    called = {name for group in groups for name, _ in group.calls}
    by_name = {task.name: task for task in tasks}
    left = list(called)
    while left:  # who of the classes is there at so few users may not call everything
        for name, _ in by_name[left.pop()].entries[0].calls:
            if name not in called:
                called.add(name)
                left.append(name)
    kept = [task for task in tasks if task.name in called]
    return Layered(groups, kept, processors.values()), {each.name: each for each in found}


def present(file: MachinesFile, users: int) -> list[tuple[UserClass, int]]:
    """The classes that have any of so many users, and how many, in the order of the model."""
    # Users of each class, by the largest remainders.
    exact = [users * each.share for each in file.workload.classes]
    counts = [int(x + 1e-9) for x in exact]
    order = sorted(range(len(exact)), key=lambda i: counts[i] - exact[i])
    for i in order[: users - sum(counts)]:
        counts[i] += 1
    return [(each, n) for each, n in zip(file.workload.classes, counts, strict=True) if n]
