"""The kinds of station a network is made of: queueing, delay, load-dependent."""

from __future__ import annotations

from dataclasses import dataclass

from qmodel.checks import check_name, real, sequence, whole
from qmodel.errors import InvalidNetwork


@dataclass(frozen=True, slots=True)
class QueueingStation:
    """A station where customers queue for one of ``servers`` equal servers.

    Parameters
    ----------
    name : str
        Unique within a network.
    servers : int
        Number of servers m, at least 1. The utilization is that of one server. [servers]

    Raises
    ------
    InvalidNetwork
        If the name is empty or ``servers`` is not a whole number of at least 1.

    Examples
    --------
    >>> QueueingStation("cpu", servers=2)
    QueueingStation(name='cpu', servers=2)
    """

    name: str
    servers: int = 1

    def __post_init__(self) -> None:
        check_name(self.name, "station")
        servers = whole(self.servers, f"servers of station {self.name!r}")
        if servers < 1:
            raise InvalidNetwork(f"station {self.name!r} has {servers} servers, expected >= 1")
        object.__setattr__(self, "servers", servers)

    @property
    def capacity(self) -> float:
        """Customers' worth of work done per unit of time when all servers are busy."""
        return float(self.servers)


@dataclass(frozen=True, slots=True)
class DelayStation:
    """A station where nobody waits: every customer finds a server of its own.

    Examples
    --------
    >>> DelayStation("lan")
    DelayStation(name='lan')
    """

    name: str

    def __post_init__(self) -> None:
        check_name(self.name, "station")

    @property
    def capacity(self) -> float:
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
    >>> LoadDependentStation("disk array", rates=[1.0, 1.7, 2.2]).capacity
    2.2
    """

    name: str
    rates: tuple[float, ...]

    def __post_init__(self) -> None:
        check_name(self.name, "station")
        rates = tuple(
            real(rate, f"rate {i} of station {self.name!r}")
            for i, rate in enumerate(sequence(self.rates, f"rates of station {self.name!r}"), 1)
        )
        if not rates:
            raise InvalidNetwork(f"station {self.name!r} has no rates, expected at least one")
        for i, rate in enumerate(rates, 1):
            if rate <= 0:
                raise InvalidNetwork(
                    f"station {self.name!r} has rate {rate:g} with {i} customers, expected > 0"
                )
        object.__setattr__(self, "rates", rates)

    @property
    def capacity(self) -> float:
        """The highest speed the station reaches, relative to one customer's."""
        return max(self.rates)


Station = QueueingStation | DelayStation | LoadDependentStation
