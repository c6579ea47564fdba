"""What a configuration of several machines holds, and how a file of it is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from advisor.configuration.schema import Targets
from qmodel.documents import fields
from qmodel.documents.document import Document
from qmodel.documents.validation import validate
from qmodel.documents.wording import KeyPath, did_you_mean, show_text

Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]
#: Calls by service, of one interaction or one call. [1]
Calls = dict[str, Annotated[float, Field(gt=0)]]
#: Keys of a configuration of one server, and what is right here.
ELSEWHERE = {
    ("disk",): "is for one [server]; give machine.drives, and as service.disk the time of a call",
    ("workload", "arrival_rate"): "not possible with [[machine]]; give users and think_time",
}


class Machine(fields.StrictModel):
    """``[[machine]]``: its processor, its drives as one array, its network."""

    name: fields.Name
    cpus: Count = 1
    cpu_speed: Positive = 1.0
    drives: Count = 1
    network: fields.BitRate | None = None


class Service(fields.StrictModel):
    """``[[service]]``: what one call of it takes, and whom it calls meanwhile."""

    name: fields.Name
    machine: fields.Name
    threads: Count | Literal["any"] = "any"
    cpu: fields.Time = 0.0
    disk: fields.Time = 0.0
    transfer: fields.Storage | None = None
    cpu_quota: fields.Processors | None = None
    calls: Calls = Field({})
    connections: dict[str, Count] = Field({})
    fixed_calls: bool = False


class UserClass(fields.StrictModel):
    """``[[workload.class]]``."""

    name: fields.Name
    share: Annotated[fields.Share, Field(gt=0)] = 1.0
    calls: Calls = Field(min_length=1)


class Workload(fields.StrictModel):
    """``[workload]``."""

    users: Count
    think_time: fields.Time = 0.0
    classes: fields.Many[UserClass] = Field(alias="class", min_length=1)


class MachinesFile(fields.StrictModel):
    """A whole file."""

    schema_version: Literal[1] = Field(alias="schema")
    title: fields.Name = "Your machines"
    machines: fields.Many[Machine] = Field(alias="machine", min_length=1)
    services: fields.Many[Service] = Field(alias="service", min_length=1)
    workload: Workload
    targets: Targets = Targets()

    def held(self, machine: Machine) -> float:
        """Processors of a machine that the quotas of its services have to themselves."""
        here = [s.cpu_quota for s in self.services if s.machine == machine.name and s.cpu_quota]
        return sum(min(quota, machine.cpus) for quota in here)


@dataclass(frozen=True, slots=True)
class Machines:
    """A configuration of several machines, and the document it is from."""

    file: MachinesFile
    document: Document


def describes_machines(document: Document) -> bool:
    """Whether a document is a configuration of several machines rather than of a server."""
    return "machine" in document.data and "server" not in document.data


def machines_of(document: Document) -> Machines:
    """The configuration that a document holds.

    FileError names file, line and key, what was wrong and what would be right.
    """
    for key, right in ELSEWHERE.items():
        table = document.data.get(key[0]) if key[1:] else document.data
        if isinstance(table, dict) and key[-1] in table:
            raise document.error(key, right)
    file = validate(MachinesFile, document)
    if problems := list(_problems(file)):
        raise document.errors(problems)
    return Machines(file, document)


def _problems(file: MachinesFile) -> Iterator[tuple[KeyPath, str]]:
    """Names used twice or not there, circles of calls, and what only one server is asked."""
    services = [s.name for s in file.services]
    machines = [m.name for m in file.machines]
    classes = [each.name for each in file.workload.classes]
    places: tuple[tuple[KeyPath, list[str]], ...] = (
        (("machine",), machines), (("service",), services), (("workload", "class"), classes),
    )  # fmt: skip
    for place, names in places:
        for i, name in enumerate(names):
            if names.index(name) != i:
                yield (*place, i, "name"), f"{show_text(name)} is used twice; give it another name"
    if any(len(names) > len({*names}) for _, names in places):
        return  # which of them is meant elsewhere is not known
    for i, service in enumerate(file.services):
        if service.machine not in machines:
            hint = did_you_mean(service.machine, machines)
            yield ("service", i, "machine"), f"no machine {show_text(service.machine)}; {hint}"
        machine = next((m for m in file.machines if m.name == service.machine), None)
        if service.transfer is not None and machine and machine.network is None:
            problem = f'machine {show_text(machine.name)} has no network; give it one: "1 Gb/s"'
            yield ("service", i, "transfer"), problem
        for key in ("calls", "connections"):
            yield from _unknown(getattr(service, key), services, "service", i, key)
        for name in service.connections:
            if name in services and name not in service.calls and {*service.calls} <= {*services}:
                problem = f"{show_text(service.name)} does not call it; add it to calls, such as "
                yield ("service", i, "connections", name), f"{problem}calls = {{ {name} = 1 }}"
        if service.fixed_calls and any(n != int(n) for n in service.calls.values()):
            yield ("service", i, "fixed_calls"), "needs whole numbers of calls; remove it"
    total = sum(each.share for each in file.workload.classes)
    if abs(total - 1.0) > 1e-6:
        yield ("workload", "class", 0, "share"), f"add up to {100 * total:.6g} %, expected 100 %"
    for i, each in enumerate(file.workload.classes):
        yield from _unknown(each.calls, services, "workload", "class", i, "calls")
    for name, _ in file.targets.classes:
        if name not in classes:
            hint = did_you_mean(name, classes)
            yield ("targets", "class", name), f"no class {show_text(name)}; {hint}"
    if file.targets.survive:
        yield ("targets", "survive"), "is for one [server] with replicas; remove it"
    yield from _quotas(file)
    yield from _circles(file)


def _quotas(file: MachinesFile) -> Iterator[tuple[KeyPath, str]]:
    """Quotas of more processors than a machine has, or of all where a service has none."""
    for machine in file.machines:
        there = [(i, s) for i, s in enumerate(file.services) if s.machine == machine.name]
        last = next((i for i, s in reversed(there) if s.cpu_quota is not None), 0)
        free = next((show_text(s.name) for _, s in there if s.cpu_quota is None), "")
        held, cpus = file.held(machine), machine.cpus
        if held > cpus * (1.0 + (-1e-9 if free else 1e-9)):
            problem = f"quotas on {show_text(machine.name)} take {held:g} of its {cpus} cpus"
            problem += f", which leaves none to {free}" if free else ""
            yield ("service", last, "cpu_quota"), f"{problem}; lower one"


def _unknown(calls: Calls, known: list[str], *key: str | int) -> Iterator[tuple[KeyPath, str]]:
    for name in calls:
        if name not in known:
            yield (*key, name), f"no service {show_text(name)}; {did_you_mean(name, known)}"


def _circles(file: MachinesFile) -> Iterator[tuple[KeyPath, str]]:
    """Services that wait for themselves, and those that nothing calls."""
    calls = {s.name: list(s.calls) for s in file.services}
    reached: set[str] = set()

    def circle(name: str, path: tuple[str, ...]) -> tuple[str, ...] | None:
        if name in path:
            return (*path[path.index(name) :], name)
        if name in reached:
            return None
        found = next((c for n in calls.get(name, ()) if (c := circle(n, (*path, name)))), None)
        reached.add(name)
        return found

    for start in [n for each in file.workload.classes for n in each.calls]:
        if found := circle(start, ()):
            i = [s.name for s in file.services].index(found[0])
            way = " -> ".join(found)
            yield ("service", i, "calls"), f"services wait for each other in a circle: {way}"
            return
    if not reached <= calls.keys():
        return  # a name that is not there may have been meant
    for i, service in enumerate(file.services):
        if service.name not in reached:
            problem = f"nothing calls {show_text(service.name)}; call it or remove it"
            yield ("service", i, "name"), problem
