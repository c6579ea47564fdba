"""What several machines do with so many users, and how many users they serve within the targets.

Response times are those of the method of layers. Against simulation its errors on 100 layered
models drawn at random that nothing was chosen by, of two to five layers, were below 15 % in 95 of
them, in throughput below 2.1 % (`benchmarks/layered_models.py`): these are the intervals.
"""

from dataclasses import dataclass
from functools import cache

from advisor.findings.words import seconds
from advisor.machines.model import Resource, layered_model
from advisor.machines.tables import Machines
from calibration.estimation.interval import Range
from qmodel import solve_layers

#: Recorded errors of the method. [1]
TIME_ERROR, RATE_ERROR = 0.152, 0.021
#: As busy as a device should be where no target says anything.
USUAL = 0.8
#: As many users are tried at most.
MOST_USERS = 100_000


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
        targets = machines.file.targets
        busy = busy_limit(machines)
        found = [
            f"response time{f' of {name}' * (len(self.response_times) > 1)} above {seconds(limit)}"
            for name, time in self.response_times.items()
            if (limit := targets.of(name).mean) is not None and time > limit
        ]
        if busy is not None:
            found += [
                f"{row.resource.name} {100 * row.utilization:.0f} % busy"
                for row in self.rows
                if not row.resource.is_pool and row.utilization > busy
            ]
        return found

    def at_risk(self, machines: Machines) -> bool:
        """Whether a response time is within its target by less than the method's error."""
        of = machines.file.targets.of
        limits = ((of(name).mean, time) for name, time in self.response_times.items())
        return any(limit is not None and limit < within(time).high for limit, time in limits)


def busy_limit(machines: Machines) -> float | None:
    """The target of utilization; a convention where there is no target at all. [1]"""
    targets = machines.file.targets
    usual = None if targets.has_times else USUAL
    return usual if targets.utilization is None else targets.utilization


def within(time: float) -> Range:
    """A time with the recorded error of the method."""
    return Range(time / (1.0 + TIME_ERROR), time, time / (1.0 - TIME_ERROR))


def outlook(machines: Machines, users: int | None = None) -> Outlook:
    """The prediction for so many users, by default those of the file.

    Examples
    --------
    >>> from advisor.machines.tables import machines_of
    >>> from qmodel.documents.document import parse_document
    >>> shop = machines_of(parse_document('''
    ... schema = 1
    ... [[machine]]
    ... name = "web"
    ... [[service]]
    ... name = "shop"
    ... machine = "web"
    ... cpu = "200 ms"
    ... [workload]
    ... users = 3
    ... think_time = "1 s"
    ... class = [{ name = "buyers", calls = { shop = 1 } }]
    ... '''))
    >>> round(outlook(shop).throughputs["buyers"], 4)
    2.3517
    """
    count = machines.file.workload.users if users is None else users
    model, resources = layered_model(machines.file, count)
    solved = solve_layers(model)
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
    full = solved.bottleneck
    return Outlook(
        count,
        {name: each.response_time for name, each in solved.users.items()},
        {name: each.throughput for name, each in solved.users.items()},
        tuple(rows),
        f"{full} threads" if f"{full} threads" in resources else full,
    )


def users_that_fit(machines: Machines) -> tuple[int, str | None]:
    """Most users within all targets, and what is missed with one more; None where nothing is."""
    known = cache(lambda users: outlook(machines, users).missed(machines))
    low, high = 0, min(max(1, machines.file.workload.users), MOST_USERS)
    while high <= MOST_USERS and not known(high):
        low, high = high, 2 * high
    if high > MOST_USERS:
        return low, None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if known(middle) else (middle, high)
    return low, known(high)[0]
