"""What a layered model is made of: users, services with threads and entries, processors.

A thread of a service is held from the moment a call to one of its entries is accepted until the
answer, and meanwhile waits for every call that the entry makes: software servers hold the servers
below them [1].

References
----------
.. [1] J. A. Rolia and K. C. Sevcik, "The method of layers," IEEE Transactions on Software
   Engineering 21(8), 1995, pp. 689-700.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from qmodel.errors import InvalidNetwork
from qmodel.model.validation import check_name, finite, integer, repr_of, unique_members

#: By name, in the order of the calls.
Calls = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Processor:
    """Hardware that serves: cores, or a device of one server.

    Parameters
    ----------
    name : str
        Unique among the processors.
    cores : int or None
        Equal servers, shared equally by who is there; None for any number. [servers]
    speed : float
        Over that for which demands are given. [1]

    Raises
    ------
    InvalidNetwork
        If ``cores`` is below 1, or the speed is not positive.

    Examples
    --------
    >>> Processor("db", cores=2)
    Processor(name='db', cores=2)
    """

    name: str
    cores: int | None = 1
    speed: float = 1.0

    def __repr__(self) -> str:
        return repr_of(self, 2)

    def __post_init__(self) -> None:
        check_name(self.name, "processor")
        put = object.__setattr__  # the record is frozen
        if self.cores is not None:
            put(self, "cores", _at_least_one(self.cores, f"cores of processor {self.name!r}"))
        put(self, "speed", _positive(self.speed, f"speed of processor {self.name!r}"))


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """What a service can be asked for.

    Parameters
    ----------
    name : str
        Unique among the entries of all services.
    demand : float
        Processor time of one call, without that of the services it calls. [s]
    calls : mapping of entry name to float
        Calls that wait for the answer, in the mean of one call of this entry. [1]
    forwards : mapping of entry name to float
        Probabilities that the call is passed on: the thread is free, the caller waits on. [1]
    fixed : bool
        Whether calls are made exactly so often, in their order, and not a random number of times
        (geometric, in random order). Processor time is spread evenly before, between and after.

    Raises
    ------
    InvalidNetwork
        If a number is negative, probabilities add up to more than 1, or fixed calls are not whole.

    Examples
    --------
    >>> Entry("page", 0.020, calls={"query": 2})
    Entry(name='page', demand=0.02, calls=(('query', 2.0),))
    """

    name: str
    demand: float = 0.0
    calls: Calls = ()
    forwards: Calls = ()
    fixed: bool = False

    def __init__(
        self,
        name: str,
        demand: float = 0.0,
        calls: Mapping[str, float] | Calls = (),
        forwards: Mapping[str, float] | Calls = (),
        fixed: bool = False,
    ) -> None:
        check_name(name, "entry")
        put = object.__setattr__  # the record is frozen
        put(self, "name", name)
        time = finite(demand, f"demand of entry {name!r}")
        if time < 0.0:
            raise InvalidNetwork(f"demand of entry {name!r} is {time:g} s, expected >= 0 s")
        put(self, "demand", time)
        put(self, "calls", _calls(calls, f"entry {name!r}", fixed))
        put(self, "forwards", _calls(forwards, f"entry {name!r}", False))
        if sum(p for _, p in self.forwards) > 1.0 + 1e-12:
            raise InvalidNetwork(f"entry {name!r} forwards more than every call")
        put(self, "fixed", bool(fixed))

    def __repr__(self) -> str:
        return repr_of(self, 2)


@dataclass(frozen=True, slots=True, repr=False)
class Service:
    """A program with a pool of threads (a task): one call holds one thread until it is answered.

    A pool of connections or of locks is a service without a processor, whose entry calls on.

    Parameters
    ----------
    name : str
        Unique among the services.
    entries : sequence of Entry
        What it can be asked for.
    threads : int or None
        Calls at once; others wait in order. None for any number. [calls]
    processor : str, optional
        Where its demands are served; without one they are times that nothing waits for.

    Raises
    ------
    InvalidNetwork
        If there is no entry, or ``threads`` is below 1.

    Examples
    --------
    >>> Service("web", [Entry("page", 0.020)], threads=8, processor="app").threads
    8
    """

    name: str
    entries: tuple[Entry, ...]
    threads: int | None = None
    processor: str | None = None

    def __repr__(self) -> str:
        return repr_of(self, 2)

    def __post_init__(self) -> None:
        check_name(self.name, "service")
        put = object.__setattr__  # the record is frozen
        put(self, "entries", unique_members(self.entries, Entry, "entry"))
        if self.threads is not None:
            put(self, "threads", _at_least_one(self.threads, f"threads of service {self.name!r}"))


@dataclass(frozen=True, slots=True, repr=False)
class Users:
    """Who starts it all: a fixed number of users who think, then make their calls.

    Parameters
    ----------
    name : str
        Unique among the users and services.
    population : int
        How many. [users]
    think_time : float
        Between an answer and the next interaction. [s]
    calls : mapping of entry name to float
        Calls of one interaction, one after the other. [1]
    fixed : bool
        As of `Entry`; without it, whether all numbers of calls are whole.

    Raises
    ------
    InvalidNetwork
        If there is no user, no call, or the think time is negative.

    Examples
    --------
    >>> Users("clients", 60, 1.0, calls={"page": 1})
    Users(name='clients', population=60, think_time=1.0, calls=(('page', 1.0),), fixed=True)
    """

    name: str
    population: int
    think_time: float
    calls: Calls
    fixed: bool | None = field(default=None)

    def __repr__(self) -> str:
        return repr_of(self, 4)

    def __post_init__(self) -> None:
        check_name(self.name, "group of users")
        put, what = object.__setattr__, f"users {self.name!r}"
        put(self, "population", _at_least_one(self.population, f"population of {what}"))
        put(self, "think_time", finite(self.think_time, f"think time of {what}"))
        if self.think_time < 0.0:
            raise InvalidNetwork(f"think time of {what} is {self.think_time:g} s, expected >= 0 s")
        put(self, "calls", _calls(self.calls, what, bool(self.fixed)))
        if not self.calls:
            raise InvalidNetwork(f"{what} call nothing")
        if self.fixed is None:
            put(self, "fixed", all(n == int(n) for _, n in self.calls))


def _calls(given: Mapping[str, float] | Calls, what: str, fixed: bool) -> Calls:
    """Numbers of calls by name, without those that are never made."""
    pairs: Any = given.items() if isinstance(given, Mapping) else given
    made = []
    for name, number in pairs:
        times = finite(number, f"calls of {what} to {name!r}")
        if times < 0.0 or (fixed and times != int(times)):
            expected = "a whole number" if fixed else ">= 0"
            raise InvalidNetwork(f"calls of {what} to {name!r} are {times:g}, expected {expected}")
        if times:
            made.append((name, times))
    return tuple(made)


def _at_least_one(value: Any, what: str) -> int:
    number = integer(value, what)
    if number < 1:
        raise InvalidNetwork(f"{what}: {number}, expected >= 1")
    return number


def _positive(value: Any, what: str) -> float:
    number = finite(value, what)
    if number <= 0.0:
        raise InvalidNetwork(f"{what} is {number:g}, expected > 0")
    return number
