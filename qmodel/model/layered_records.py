"""Parts of a layered model: users, services with threads and entries, processors; see THEORY.md."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from qmodel.errors import InvalidNetwork
from qmodel.model.layered_steps import (
    Answer,
    Calls,
    Step,
    Steps,
    Work,
    calls_of,
    steps_of,
    works_of,
)
from qmodel.model.validation import (
    Shown,
    assign,
    check_name,
    integer,
    not_negative,
    positive,
    unique_members,
)

#: Shared equally by who is there, in order of arrival, or by priority (preemptive, resumed).
Discipline = Literal["ps", "fcfs", "priority"]


@dataclass(frozen=True, slots=True, repr=False)
class Processor(Shown):
    """Hardware that serves: cores, or a device of one server.

    Parameters
    ----------
    name : str
        Unique among the processors.
    cores : int or None
        Equal servers; None for any number. [servers]
    speed : float
        Over that for which demands are given. [1]
    discipline : {"ps", "fcfs", "priority"}
        Shared equally by who is there; in order of arrival, which is solved as if shared equally;
        or whose service has the highest priority, and within one equally.

    Raises
    ------
    InvalidNetwork
        If ``cores`` is below 1, the speed is not positive, or the discipline is unknown.

    Examples
    --------
    >>> Processor("db", cores=2)
    Processor(name='db', cores=2)
    """

    _always = 2
    name: str
    cores: int | None = 1
    speed: float = 1.0
    discipline: Discipline = "ps"

    def __post_init__(self) -> None:
        check_name(self.name, "processor")
        what = f"of processor {self.name!r}"
        if self.cores is not None:
            assign(self, cores=integer(self.cores, f"cores {what}", least=1))
        assign(self, speed=positive(self.speed, f"speed {what}"))
        if self.discipline not in {"ps", "fcfs", "priority"}:
            raise InvalidNetwork(
                f"discipline {what} is {self.discipline!r}, expected 'ps', 'fcfs' or 'priority'"
            )


@dataclass(frozen=True, slots=True, repr=False)
class Entry(Shown):
    """What a service can be asked for.

    Parameters
    ----------
    name : str
        Unique among the entries of all services.
    demand, calls, sends, fixed
        Of its `Work`, if it has no ``steps``.
    forwards : mapping of entry name to float
        Probabilities that the call is passed on: the thread is free, the caller waits on. [1]
    steps : sequence of Work, Choice, Together, Repeat or Answer
        What it does, if that is more than one piece of work before the answer.

    Raises
    ------
    InvalidNetwork
        If a number is negative, probabilities add up to more than 1, or fixed calls are not whole.

    Examples
    --------
    >>> Entry("page", 0.020, calls={"query": 2})
    Entry(name='page', steps=(Work(demand=0.02, calls=(('query', 2.0),)),))
    """

    _always = 2
    name: str
    steps: Steps = ()
    forwards: Calls = ()

    def __init__(
        self, name: str, demand: float = 0.0, calls: Mapping[str, float] | Calls = (),
        forwards: Mapping[str, float] | Calls = (), fixed: bool = False,
        sends: Mapping[str, float] | Calls = (), steps: Iterable[Step] = (),
    ) -> None:  # fmt: skip
        check_name(name, "entry")
        what, made = f"entry {name!r}", steps_of(steps)
        made = made[:-1] if made[-1:] == (Answer(),) else made
        if not made:
            made = (Work(demand, calls, sends, fixed, what=what),)
        elif demand or calls or sends:
            raise InvalidNetwork(f"{what} has steps, expected its demand and calls in them")
        assign(self, name=name, steps=made, forwards=calls_of(forwards, what, False))
        if sum(p for _, p in self.forwards) > 1.0 + 1e-12:
            raise InvalidNetwork(f"{what} forwards more than every call")

    @property
    def plain(self) -> Work | None:
        """Its only piece of work, if the answer follows and that is all."""
        only = self.steps[0] if len(self.steps) == 1 else None
        return only if isinstance(only, Work) and not (only.think or only.name) else None

    @property
    def demand(self) -> float:
        """Processor time of one call in the mean, second phase included. [s]"""
        return sum(times * work.demand for times, work in works_of(self.steps))

    @property
    def calls(self) -> Calls:
        """Calls that wait for the answer, in the mean of one of this entry. [1]"""
        return self._mean("calls")

    @property
    def sends(self) -> Calls:
        """Calls that wait for nothing. [1]"""
        return self._mean("sends")

    def _mean(self, key: str) -> Calls:
        made: dict[str, float] = {}
        for times, work in works_of(self.steps):
            for name, number in getattr(work, key) if times else ():
                made[name] = made.get(name, 0.0) + times * number
        return tuple(made.items())


@dataclass(frozen=True, slots=True, repr=False)
class Service(Shown):
    """A program with a pool of threads (a task): one call holds one to its end or its forwarding.

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
    replicas : int
        Copies, each with threads and a processor like these; a call goes to one at random.
    priority : int
        At a processor with priorities the highest number is served first.

    Raises
    ------
    InvalidNetwork
        If there is no entry, ``threads`` or ``replicas`` are below 1, or there are replicas of a
        service without a processor.

    Examples
    --------
    >>> Service("web", [Entry("page", 0.020)], threads=8, processor="app").threads
    8
    """

    _always = 2
    name: str
    entries: tuple[Entry, ...]
    threads: int | None = None
    processor: str | None = None
    replicas: int = 1
    priority: int = 0

    def __post_init__(self) -> None:
        check_name(self.name, "service")
        what = f"of service {self.name!r}"
        if self.threads is not None:
            assign(self, threads=integer(self.threads, f"threads {what}", least=1))
        assign(
            self,
            entries=unique_members(self.entries, Entry, "entry"),
            replicas=integer(self.replicas, f"replicas {what}", least=1),
            priority=integer(self.priority, f"priority {what}"),
        )
        if self.replicas > 1 and self.processor is None:
            raise InvalidNetwork(
                f"service {self.name!r}: {self.replicas} replicas and no processor; name the one "
                "that each copy has"
            )


@dataclass(frozen=True, slots=True, repr=False)
class Users(Shown):
    """Who starts it all: users who think, then make their calls; or arrivals from outside.

    Parameters
    ----------
    name : str
        Unique among the users and services.
    population : int or None
        How many; None where they arrive from outside, make their calls, and leave. [users]
    think_time : float
        Between an answer and the next interaction. [s]
    calls : mapping of entry name to float
        Calls of one interaction, one after the other. [1]
    fixed : bool
        As of `Work`; without it, whether all numbers of calls are whole.
    arrival_rate : float, optional
        Arrivals from outside, at random (Poisson). [1/s]

    Raises
    ------
    InvalidNetwork
        If there is no user, no call, the think time is negative, or both a population and a rate
        are given.

    Examples
    --------
    >>> Users("clients", 60, 1.0, calls={"page": 1})
    Users(name='clients', population=60, think_time=1.0, calls=(('page', 1.0),), fixed=True)
    """

    _always = 4
    name: str
    population: int | None
    think_time: float
    calls: Calls
    fixed: bool | None = field(default=None)
    arrival_rate: float | None = None

    def __post_init__(self) -> None:
        check_name(self.name, "group of users")
        what = f"users {self.name!r}"
        if self.arrival_rate is not None:
            assign(self, arrival_rate=positive(self.arrival_rate, f"arrival rate of {what}"))
            if self.population is not None or self.think_time:
                raise InvalidNetwork(f"{what} arrive from outside, expected no population and time")
        else:
            assign(self, population=integer(self.population, f"population of {what}", least=1))
        calls = calls_of(self.calls, what, bool(self.fixed))
        if not calls:
            raise InvalidNetwork(f"{what} call nothing, expected an entry")
        whole = all(n == int(n) for _, n in calls) if self.fixed is None else self.fixed
        think_time = not_negative(self.think_time, f"think time of {what}", "s")
        assign(self, think_time=think_time, calls=calls, fixed=whole)
