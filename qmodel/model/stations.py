"""The kinds of station a network is made of: queueing, delay, load-dependent, fork-join."""

from dataclasses import dataclass

from qmodel.errors import InvalidNetwork
from qmodel.model.validation import (
    Renamed,
    Shown,
    assign,
    check_name,
    integer,
    positive,
    sequence,
    warn_renamed,
)

#: In which order customers are served; "any" is processor sharing, see `QueueingStation`.
DISCIPLINES = ("any", "fcfs", "ps", "priority", "preemptive", "lcfs-pr", "random")
#: Those under which the servers are shared equally: of the service times only the means matter.
ORDERLESS = ("any", "ps")
#: Those under which one class goes before another.
RANKED = ("priority", "preemptive")


@dataclass(frozen=True, slots=True, repr=False)
class QueueingStation(Shown):
    """A station where customers queue for one of ``servers`` equal servers.

    A station without a discipline, "any", shares its servers equally among the customers present
    (processor sharing), in every method, curve, sweep and percentile and whatever the other
    stations are: "any" and "ps" give equal numbers. Means under it are insensitive: they depend on
    mean service times only, exactly in product form [1], where last come first served with
    preemption has the same means, and so has first come first served with exponential service
    times equal for all classes. So SCVs and priorities have no effect at such a station; beyond
    product form, and for percentiles, which the order of service does change, its service times
    are taken as exponential.

    Parameters
    ----------
    name : str
        Unique within a network.
    servers : int
        Number of servers m, at least 1. The utilization is that of one server. [servers]
    discipline : str
        "any" (processor sharing, see above), "ps" (the same), "fcfs" (first come, first served),
        "priority" (the waiting customer of the lowest ``priority`` number is served next; no
        service is interrupted), "preemptive" (a customer of a lower number interrupts, and the
        one interrupted resumes later where it was), "lcfs-pr" (the last to arrive interrupts, and
        those interrupted resume, the last one first) or "random" (any that waits is next).
    buffer : int, optional
        Most customers there at once, waiting and in service (K of M/M/m/K); without, any number.
        Customers who find it full wait where they were served (blocking after service).
        [customers]

    Raises
    ------
    InvalidNetwork
        If the name is empty, ``servers`` is not a whole number of at least 1, there is no such
        discipline, or the buffer is smaller than the number of servers.

    References
    ----------
    .. [1] F. Baskett, K. M. Chandy, R. R. Muntz and F. G. Palacios, "Open, closed, and mixed
       networks of queues with different classes of customers," Journal of the ACM 22(2), 1975,
       pp. 248-260.

    Examples
    --------
    >>> QueueingStation("cpu", servers=2)
    QueueingStation(name='cpu', servers=2)
    >>> QueueingStation("disk", discipline="fcfs")
    QueueingStation(name='disk', servers=1, discipline='fcfs')
    """

    _always = 2
    name: str
    servers: int = 1
    discipline: str = "any"
    buffer: int | None = None
    room = Renamed("buffer")
    capacity = Renamed("max_rate")

    def __init__(
        self, name: str, servers: int = 1, discipline: str = "any", buffer: int | None = None, *,
        room: int | None = None,
    ) -> None:  # fmt: skip
        check_name(name, "station")
        if room is not None:
            warn_renamed("QueueingStation(room=...)", "buffer")
            buffer = room
        servers = integer(servers, f"servers of station {name!r}", 1)
        if discipline not in DISCIPLINES:
            raise InvalidNetwork(
                f"discipline of station {name!r} is {discipline!r}, expected one of "
                f"{', '.join(DISCIPLINES)}"
            )
        if buffer is not None:
            buffer = integer(buffer, f"buffer of station {name!r}")
            if buffer < servers:
                raise InvalidNetwork(
                    f"station {name!r} has room for {buffer}, expected at least its "
                    f"servers: {servers}"
                )
        assign(self, name=name, servers=servers, discipline=discipline, buffer=buffer)

    @property
    def max_rate(self) -> float:
        """Customers' worth of work done per unit of time when all servers are busy."""
        return float(self.servers)


@dataclass(frozen=True, slots=True)
class DelayStation:
    """A station without queueing: every customer has a server of its own.

    Examples
    --------
    >>> DelayStation("lan")
    DelayStation(name='lan')
    """

    name: str
    capacity = Renamed("max_rate")

    def __post_init__(self) -> None:
        check_name(self.name, "station")

    @property
    def max_rate(self) -> float:
        """Infinite: a delay station never limits the throughput."""
        return float("inf")


@dataclass(frozen=True, slots=True)
class LoadDependentStation:
    """A station whose speed depends on how many customers are there.

    Parameters
    ----------
    name : str
        Unique within a network.
    rates : sequence of float
        Speed relative to one customer's with 1, 2, 3 ... customers present; the last value
        goes on. ``rates[0]`` is 1 where demands are those of one customer alone. [1]

    Raises
    ------
    InvalidNetwork
        If there is no rate, or one is not positive and finite.

    Examples
    --------
    >>> LoadDependentStation("disk array", rates=[1.0, 1.7, 2.2]).max_rate
    2.2
    """

    name: str
    rates: tuple[float, ...]
    capacity = Renamed("max_rate")

    def __post_init__(self) -> None:
        check_name(self.name, "station")
        rates = tuple(
            positive(rate, f"rate {i} of station {self.name!r}")
            for i, rate in enumerate(sequence(self.rates, f"rates of station {self.name!r}"), 1)
        )
        if not rates:
            raise InvalidNetwork(f"station {self.name!r} has no rates, expected at least one")
        assign(self, rates=rates)

    @property
    def max_rate(self) -> float:
        """The highest speed the station reaches, relative to one customer's."""
        return max(self.rates)


@dataclass(frozen=True, slots=True)
class ForkJoinStation:
    """A station where each visit splits into parts, one for each of several equal servers.

    Every server has a queue of its own, first come first served; the visit ends when the last
    part does: a write to all drives of a mirror, a read striped over several.

    Parameters
    ----------
    name : str
        Unique within a network.
    branches : int
        Number of servers, at least 1. The demand of a class is what it needs at each of them.
        With one, a network takes the station for a `QueueingStation`. [servers]

    Raises
    ------
    InvalidNetwork
        If the name is empty or ``branches`` is not a whole number of at least 1.

    Examples
    --------
    >>> ForkJoinStation("mirror", branches=2)
    ForkJoinStation(name='mirror', branches=2)
    """

    name: str
    branches: int
    capacity = Renamed("max_rate")

    def __post_init__(self) -> None:
        check_name(self.name, "station")
        assign(self, branches=integer(self.branches, f"branches of station {self.name!r}", 1))

    @property
    def max_rate(self) -> float:
        """One: every branch is a single server and does the work of every visit."""
        return 1.0


Station = QueueingStation | DelayStation | LoadDependentStation | ForkJoinStation
