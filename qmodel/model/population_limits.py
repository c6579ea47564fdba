"""How many customers may be inside a part of a network: memory, threads, connections."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from qmodel.errors import InvalidNetwork
from qmodel.model.validation import Shown, assign, check_name, integer, sequence


@dataclass(frozen=True, slots=True, repr=False)
class PopulationLimit(Shown):
    """At most so many customers are inside some stations; others wait outside, in order.

    A customer enters before its first visit to one of the stations and leaves after its last in
    the same interaction: a passive resource such as memory, threads or connections is held in
    between. Customers who find it full wait outside, first come, first served. A network shows that
    waiting at a station of the limit's name, which it adds; see `Network`. Limits may stand inside
    of each other: the stations of one among those of another, as threads that hold connections.

    Parameters
    ----------
    name : str
        Unique among the limits and stations of a network.
    customers : int
        Most customers inside, at least 1. [customers]
    stations : sequence of str
        The stations inside, by name.
    classes : sequence of str, optional
        The classes that count and wait, by name; None for all.
    full : "wait" or "reject"
        What becomes of customers who find it full: they wait outside, or their interaction ends
        without an answer, that of an open class for good. At one station it is a finite buffer
        with loss.
    held : "interaction" or "visit"
        Until after the last visit inside of an interaction, or only while inside: a connection
        that a call takes and gives back, whatever is called how often. Without it, customers who
        visit the stations in one go see no difference.

    Raises
    ------
    InvalidNetwork
        If a name is empty, ``customers`` is not a whole number of at least 1, or there is no
        station.

    Examples
    --------
    >>> PopulationLimit("threads", 40, stations=["cpu", "disk"])
    PopulationLimit(name='threads', customers=40, stations=('cpu', 'disk'))
    """

    _always = 3
    name: str
    customers: int
    stations: tuple[str, ...]
    classes: tuple[str, ...] | None = None
    full: str = "wait"
    held: str = "interaction"

    def __post_init__(self) -> None:
        check_name(self.name, "limit")
        customers = integer(self.customers, f"customers of limit {self.name!r}", 1)
        assign(self, customers=customers, stations=self._names(self.stations, "station"))
        if self.classes is not None:
            assign(self, classes=self._names(self.classes, "class"))
        for key, value, (one, other) in (
            ("full", self.full, ("wait", "reject")),
            ("held", self.held, ("interaction", "visit")),
        ):
            if value not in {one, other}:
                raise InvalidNetwork(
                    f"{key} of limit {self.name!r} is {value!r}, expected {one!r} or {other!r}"
                )

    def counts(self, class_name: str) -> bool:
        """Whether a class counts."""
        return self.classes is None or class_name in self.classes

    def _names(self, names: Iterable[str], what: str) -> tuple[str, ...]:
        unique = tuple(dict.fromkeys(sequence(names, f"{what} names of limit {self.name!r}")))
        if not unique:
            raise InvalidNetwork(f"limit {self.name!r} names no {what}")
        for name in unique:
            check_name(name, f"{what} of limit {self.name!r}")
        return unique


def inside_of_two(limits: Iterable[PopulationLimit]) -> str | None:
    """What is inside of more than one limit, or None if no station is."""
    seen: set[str] = set()
    for limit in limits:
        for name in limit.stations:
            if name in seen:
                return f"station {name!r} is inside of two limits"
            seen.add(name)
    return None


def overlapping(limits: Iterable[PopulationLimit]) -> str | None:
    """Two limits that share stations with neither inside of the other, or None."""
    for one, other in combinations(limits, 2):
        here, there = set(one.stations), set(other.stations)
        if here & there and not (here <= there or there <= here):
            return f"limits {one.name!r} and {other.name!r} overlap, neither is inside the other"
    return None


def check_known(
    limit: PopulationLimit, station_names: Sequence[str], class_names: Sequence[str]
) -> None:
    """Raise `InvalidNetwork` if a limit names a station or class that is not there."""
    for what, named, known in (
        ("station", limit.stations, station_names),
        ("class", limit.classes or (), class_names),
    ):
        for name in named:
            if name not in known:
                raise InvalidNetwork(
                    f"limit {limit.name!r}: no {what} {name!r}; there is {', '.join(known)}"
                )
