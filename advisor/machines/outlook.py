"""What several machines do with so many users, and how many they can serve; see THEORY.md."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import exp, inf, log

from advisor.configuration.promises import ABOVE_MEAN, time_name
from advisor.findings.words import seconds
from advisor.machines.crossing import narrowed
from advisor.machines.model import Resource, layered_model, present
from advisor.machines.tables import Machines
from calibration.estimation.interval import Range
from qmodel import LayeredSolution, percentiles, solve_layers

#: Recorded errors of the method, of percentiles up to p95, and beyond. [1]
TIME_ERROR, RATE_ERROR, TAIL_ERROR, FAR_ERROR = 0.08, 0.021, 0.21, 0.28
#: How much longer a response may be where connections are held while one waits for others: at
#: most 9 % in 10 systems (`benchmarks/layered_connections.py`), 19 % in 26 with fuller pools. [1]
HELD_ERROR = 0.20
#: As busy as a device should be where no target says anything, and a pool where no time does.
USUAL, FULL = 0.8, 0.99
#: No time is shorter. [s]
TINY = 1e-9
#: As many users are tried, or as many as the file has if those are more.
MOST_USERS = 20_000


@dataclass(frozen=True, slots=True)
class Row:
    """A device or a pool at work."""

    resource: Resource
    #: Of its cores, drives, threads or connections. [1]
    utilization: float
    #: Waited for it, over the response time of all classes: of pools. [1]
    waited: float = 0.0


@dataclass(frozen=True, slots=True)
class Outlook:
    """A prediction for so many users."""

    users: int
    #: By class. [s], [1/s]
    response_times: dict[str, float]
    throughputs: dict[str, float]
    rows: tuple[Row, ...]
    #: The device or pool that is full first: the lowest one that is.
    bottleneck: str | None
    solution: LayeredSolution = field(repr=False, compare=False)
    #: Shares that are promised to a class; percentiles that were asked for, by class. [1], [s]
    promised: tuple[float, ...] = ()
    #: Whether connections are held while others are waited for.
    nested: bool = False
    known: dict[float, dict[str, float]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def fullest(self) -> Row | None:
        """The row of most utilization; the bottleneck of those as full."""
        return max(
            self.rows,
            key=lambda row: (round(row.utilization, 3), row.resource.name == self.bottleneck),
            default=None,
        )

    def time(self, name: str, share: float | None = None) -> float:
        """Mean response time of a class, or a percentile of it. [s]"""
        if share is None:
            return self.response_times[name]
        if share not in self.known:
            found = percentiles(self.solution, sorted({share, *self.promised}))
            for each in found.shares:
                names = zip(self.response_times, self.solution.users, strict=True)
                self.known[each] = {one: found[own][each] for one, own in names}
        return self.known[share][name]

    def within(self, name: str | None = None, share: float | None = None) -> Range:
        """A mean of a class, or of all, or a percentile, with the recorded error of the method."""
        time = self.response_time if name is None else self.time(name, share)
        error = TIME_ERROR if share is None else TAIL_ERROR if share <= 0.95 else FAR_ERROR
        longer = 1.0 / (1.0 - error)
        return Range(time / (1.0 + error), time, time * max(longer, 1.0 + HELD_ERROR * self.nested))

    def limits(self, machines: Machines) -> list[tuple[str, float | None, float | None]]:
        """Class, share and limit of what is promised; of a class that nothing is, the mean."""
        of = machines.file.targets.of
        return [(name, share, limit) for name in self.response_times
                for share, limit in of(name).limits or ((None, None),)]  # fmt: skip

    @property
    def response_time(self) -> float:
        """Mean over the interactions of all classes. [s]"""
        total = sum(self.throughputs.values())
        return sum(r * self.throughputs[c] for c, r in self.response_times.items()) / total

    def row(self, name: str) -> Row:
        """The row of a device or pool."""
        return next(row for row in self.rows if row.resource.name == name)

    def missed(self, machines: Machines) -> list[str]:
        """The targets that are missed, in words: nothing where all are met."""
        return [*self.too_much(machines), *self.late(machines)]

    def meets(self, machines: Machines) -> bool:
        """Whether all targets are met."""
        return not self.too_much(machines) and not self.late(machines)

    def late(self, machines: Machines) -> list[str]:
        """Targets of percentiles that are missed."""
        return [
            f"{time_name(share)} {self._of(name)}above {seconds(limit)}"
            for name, share, limit in self._promised(machines)
            if self.time(name, share) > limit
        ]

    def too_much(self, machines: Machines) -> list[str]:
        """Targets of means and utilizations that are missed."""
        return [
            f"response time {self._of(name)}above {seconds(limit)}"
            for name, share, limit in self.limits(machines)
            if share is None and limit is not None and self.time(name) > limit
        ] + [
            f"{row.resource.name} {100 * row.utilization:.0f} % busy"
            for row in self.rows
            if row.utilization > _most_busy(machines, row.resource)
        ]

    def beyond(self, machines: Machines) -> float:
        """Largest logarithm of what is above its target, as far as means and utilizations tell.

        A percentile may be met below the mean where something slow is called now and then.
        """
        over = [self.time(name) / limit for name, share, limit in self.limits(machines)
                if limit is not None and (share is None or share >= ABOVE_MEAN)]  # fmt: skip
        over += [row.utilization / _most_busy(machines, row.resource) for row in self.rows]
        return max((log(max(TINY, each)) for each in over), default=-inf)

    def lateness(self, machines: Machines) -> float:
        """Largest logarithm of a percentile over its target. [1]"""
        promised = self._promised(machines)
        found = (log(max(TINY, self.time(name, p)) / limit) for name, p, limit in promised)
        return max(found, default=-inf)

    def excess(self, machines: Machines) -> float:
        """Sum of the logarithms of all that misses its target, over it. [1]"""
        over = [self.time(n, p) / limit for n, p, limit in self.limits(machines) if limit]
        over += [row.utilization / _most_busy(machines, row.resource) for row in self.rows]
        return sum(log(each) for each in over if each > 1.0)

    def _promised(self, machines: Machines) -> list[tuple[str, float, float]]:
        return [(name, share, limit) for name, share, limit in self.limits(machines)
                if share is not None and limit is not None]  # fmt: skip

    def _of(self, name: str) -> str:
        return f"of {name} " * (len(self.response_times) > 1)

    def at_risk(self, machines: Machines) -> bool:
        """Whether a target is met by less than the method's error."""
        busy = busy_limit(machines) or inf
        rows = [row.utilization for row in self.rows if not row.resource.is_pool]
        return max(rows, default=0.0) * (1.0 + RATE_ERROR) > busy or any(
            limit is not None and limit < self.within(name, share).high
            for name, share, limit in self.limits(machines)
        )


def busy_limit(machines: Machines) -> float | None:
    """The target of utilization; a convention where there is no target at all. [1]"""
    targets = machines.file.targets
    usual = None if targets.has_times else USUAL
    return usual if targets.utilization is None else targets.utilization


def _most_busy(machines: Machines, of: Resource) -> float:
    """The same of a device; a pool may be full where times are promised. [1]"""
    if of.is_pool:
        return inf if machines.file.targets.has_times else FULL
    return busy_limit(machines) or inf


def outlook(machines: Machines, users: int | None = None) -> Outlook:
    """The prediction for so many users, by default those of the file."""
    count = machines.file.workload.users if users is None else users
    model, resources = layered_model(machines.file, count)
    solved = _solved(model)
    rate = sum(each.throughput for each in solved.users.values())
    total = sum(each.throughput * each.response_time for each in solved.users.values())
    rows = []
    for name, resource in resources.items():
        task = name.removesuffix(" threads")
        if not resource.is_pool:
            rows.append(Row(resource, solved.processors.get(name, 0.0)))
        elif task in solved.services:
            pool = solved.services[task]
            waited = pool.throughput * pool.thread_wait / total if rate and total else 0.0
            rows.append(Row(resource, pool.utilization, waited))
    names = [each.name for each, _ in present(machines.file, count)]
    of_class = dict(zip(names, solved.users.values(), strict=True))
    full, services = solved.bottleneck, {each.name: each for each in machines.file.services}
    return Outlook(
        count,
        {name: each.response_time for name, each in of_class.items()},
        {name: each.throughput for name, each in of_class.items()},
        tuple(rows),
        f"{full} threads" if f"{full} threads" in resources else full,
        solved,
        tuple({p for each in machines.file.workload.classes
               for p, _ in machines.file.targets.of(each.name).tails}),
        any(services[n].connections for s in services.values() for n in s.connections),
    )  # fmt: skip


_solved = lru_cache(maxsize=1024)(solve_layers)  # plans and searches ask the same again


def users_that_fit(machines: Machines) -> tuple[int, str | None]:
    """Most users within all targets, and what is missed with one more.

    None where as many as are tried fit, so that more may. Percentiles take the most time: they are
    asked for up to what means allow, and beyond only where one is met that means rule out.
    """
    known = cache(lambda users: outlook(machines, users))
    users = machines.file.workload.users
    most = max(MOST_USERS, users)

    def last(off: Callable[[Outlook], float], high: int) -> tuple[int, int]:
        def above(count: int) -> float:
            return max(-1.0, off(known(count))) if count else -1.0

        low = 0
        while high <= most and (now := above(high)) <= 0.0:
            low, high = high, min(2 * high, max(high + 1, int(1.1 * high * exp(-now))))
        return narrowed(above, low, high, 0.0) if high <= most else (low, high)

    low, high = last(lambda each: each.beyond(machines), users)
    if high <= most and known(high).meets(machines):
        low, high = last(lambda each: -1.0 if each.meets(machines) else 1.0, users)
    elif known(max(1, low)).late(machines):
        low, high = last(lambda each: each.lateness(machines), max(1, low))
    return low, known(high).missed(machines)[0] if high <= most else None
