"""A layered model: its users, services and processors, checked, and who calls whom how often.

A call that an entry passes on is one of its caller, after the answer; so forwarding is a matter of
who calls. Calls lead down from the users in no circle, which orders the services into layers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from qmodel.errors import InvalidNetwork
from qmodel.model.layered_records import Entry, Processor, Service, Users
from qmodel.model.layered_steps import Calls
from qmodel.model.validation import Shown, assign, unique_members


@dataclass(frozen=True, slots=True, repr=False)
class Layered(Shown):
    """Users, services and processors.

    Parameters
    ----------
    users : sequence of Users
        Who starts interactions.
    services : sequence of Service
        With threads and entries.
    processors : sequence of Processor
        Where the entries' demands are served.

    Raises
    ------
    InvalidNetwork
        Naming what is used twice, is not there, calls itself, or is called by no one.

    Examples
    --------
    60 users of a web server whose 8 threads share 4 connections to a database:

    >>> model = Layered(
    ...     [Users("clients", 60, 1.0, {"page": 1})],
    ...     [Service("web", [Entry("page", 0.020, {"query": 2})], 8, "app"),
    ...      Service("connections", [Entry("query", 0.015)], 4, "db")],
    ...     [Processor("app", 4), Processor("db", 2)])
    >>> [service.name for service in model.layers()]
    ['web', 'connections']
    """

    _always = 3
    users: tuple[Users, ...]
    services: tuple[Service, ...]
    processors: tuple[Processor, ...] = ()

    def __init__(
        self, users: Iterable[Users], services: Iterable[Service],
        processors: Iterable[Processor] = (),
    ) -> None:  # fmt: skip
        kept = list(processors)
        assign(
            self,
            users=unique_members(users, Users, "group of users"),
            services=unique_members(services, Service, "service"),
            processors=unique_members(kept, Processor, "processor") if kept else (),
        )
        for name in sorted({u.name for u in self.users} & {s.name for s in self.services}):
            raise InvalidNetwork(f"name {name!r} is used by users and by a service")
        known = {each.name for each in self.processors}
        entries: set[str] = set()
        for service in self.services:
            if service.processor is not None and service.processor not in known:
                there = ", ".join(sorted(known)) or "none"
                raise InvalidNetwork(
                    f"service {service.name!r}: no processor {service.processor!r}; there is "
                    f"{there}"
                )
            for entry in service.entries:
                if entry.name in entries:
                    raise InvalidNetwork(f"entry name {entry.name!r} is used twice")
                entries.add(entry.name)
        for what, calls in self._all_calls():
            for name, _ in calls:
                if name not in entries:
                    there = ", ".join(sorted(entries))
                    raise InvalidNetwork(f"{what} calls {name!r}, no such entry; there is {there}")
        copies: dict[str, Service] = {}
        for service in self.services:
            first = copies.setdefault(service.processor or service.name, service)
            if first.replicas != service.replicas:
                raise InvalidNetwork(
                    f"services {first.name!r} and {service.name!r} share processor "
                    f"{service.processor!r}, expected as many replicas of both"
                )
        self.layers()
        called: set[str] = set()
        left = [name for each in self.users for name, _ in each.calls]
        while left:
            name = left.pop()
            if name not in called:
                called.add(name)
                left += [other for other, _ in _all(self.entry(name))]
        for name in sorted(entries - called):
            raise InvalidNetwork(f"entry {name!r} is never called; call it or leave it out")

    def _all_calls(self) -> Iterator[tuple[str, Calls]]:
        for users in self.users:
            yield f"users {users.name!r}", users.calls
        for service in self.services:
            for entry in service.entries:
                yield f"entry {entry.name!r}", _all(entry)

    def layers(self) -> tuple[Service, ...]:
        """The services, callers before whom they call.

        Raises `InvalidNetwork` if services call each other in a circle, or none calls an entry.
        """
        order: list[Service] = []
        state: dict[str, int] = {}
        below = {
            s.name: dict.fromkeys(
                self.service_of(name).name for e in s.entries for name, _ in _all(e)
            )
            for s in self.services
        }

        def visit(name: str, path: tuple[str, ...]) -> None:
            if state.get(name) == 1:
                circle = " -> ".join((*path[path.index(name) :], name))
                raise InvalidNetwork(f"services call each other in a circle: {circle}; cut it")
            if name not in state:
                state[name] = 1
                for other in below[name]:
                    visit(other, (*path, name))
                state[name] = 2
                order.append(next(s for s in self.services if s.name == name))

        for users in self.users:
            for name, _ in users.calls:
                visit(self.service_of(name).name, ())
        idle = [s.name for s in self.services if s.name not in state]
        if idle:
            for name in idle:
                visit(name, ())
            raise InvalidNetwork(f"service {idle[0]!r} is never called; leave it out")
        return tuple(reversed(order))

    def service_of(self, entry: str) -> Service:
        """The service of an entry, by its name."""
        return next(s for s in self.services if any(e.name == entry for e in s.entries))

    def entry(self, name: str) -> Entry:
        """An entry by its name."""
        return next(e for s in self.services for e in s.entries if e.name == name)

    def calls_of(self, calls: Calls) -> dict[str, float]:
        """Calls to entries, and in their wake to those they are passed on to. [1]"""
        made: dict[str, float] = {}
        left = list(calls)
        while left:
            name, number = left.pop(0)
            made[name] = made.get(name, 0.0) + number
            left += [(other, number * p) for other, p in self.entry(name).forwards]
        return made


def _all(entry: Entry) -> Calls:
    """Whom an entry calls, sends to or passes calls on to."""
    return (*entry.calls, *entry.sends, *entry.forwards)
