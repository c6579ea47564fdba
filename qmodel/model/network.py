"""Queueing networks: stations, customer classes, and the demands that join them.

A record holds plain tuples of floats, so a network is immutable, comparable and hashable, and
building one needs nothing but the standard library.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Self

from qmodel.errors import InvalidInput, InvalidNetwork
from qmodel.model.customer_classes import ClosedClass, CustomerClass, OpenClass
from qmodel.model.distributions import Distribution, Key, kept_of
from qmodel.model.population_limits import PopulationLimit, check_known
from qmodel.model.stations import ORDERLESS, DelayStation, ForkJoinStation, QueueingStation, Station
from qmodel.model.validation import Renamed, Shown, assign, check_visits, matrix, unique_members
from qmodel.tabular import Tabular

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Network(Shown, Tabular):
    """Stations, classes, and the service demand of each class at each station.
    As a table: a row per class and station.

    Parameters
    ----------
    stations : sequence of Station
        K stations with different names.
    classes : sequence of CustomerClass
        C classes with different names.
    demand : array_like, shape (C, K)
        Service demand D = V S: service time one interaction needs at a station, all visits
        together, no queueing. A single row may be given for a single class. [s]
    visit_ratio : array_like, shape (C, K), optional
        Visits V per interaction; None where every station that is visited is visited once. It
        says how long the service times of single visits are, S = D / V, which matters at
        first-come-first-served stations that serve several classes. [1]
    scv : array_like, shape (C, K), optional
        Squared coefficient of variation of the service time of a visit; None where all are 1, as
        of the exponential distribution. It has no effect
        where servers are shared ("any", "ps"). [1]
    limits : sequence of PopulationLimit
        How many customers may be inside parts of the network. Each limit adds a delay station of
        its name without demand after the others: there customers wait to be let in, and their
        residence time there is that wait.
    distributions : mapping, optional
        What is known beyond mean and SCV of service times, by (class, station), and of times
        between arrivals, by class: "phase-type" (what all are without: constant at SCV 0, Erlang
        at 1/k, exponential at 1, hyperexponential above), "gamma", "lognormal" or "pareto" with
        the SCV given; "constant"; a list of measured times, phases or quantiles in a form of
        `qmodel.model.phases.FORMS`, {"probabilities": [0.9, 0.1], "rates": [5, 0.5]}, which are
        scaled to the mean and have their own SCV; of arrivals also a Markovian arrival process,
        {"d0": rows, "d1": rows}. `simulate` draws from them. "global-balance" and "marie" take
        phases of services as they are, "mmap" phases of arrivals and Markovian arrival processes;
        all else is taken by mean and SCV, and said to be.
    routes : mapping, optional
        By class its stations in their order, ["cpu", "disk", "cpu"]; visits are counted there.

    Raises
    ------
    InvalidNetwork
        Naming the class, the station and the value that is wrong.

    Examples
    --------
    >>> from qmodel import ClosedClass, PopulationLimit, QueueingStation
    >>> network = Network(
    ...     stations=[QueueingStation("cpu"), QueueingStation("disk")],
    ...     classes=[ClosedClass("users", population=20, think_time=5.0)],
    ...     demand=[[0.2, 0.1]],
    ... )
    >>> network.demand
    ((0.2, 0.1),)
    >>> network.product_form_violation() is None
    True
    >>> limited = Network(network.stations, network.classes, network.demand,
    ...                   limits=[PopulationLimit("threads", 4, ["cpu", "disk"])])
    >>> limited.station_names, limited.product_form_violation()
    (('cpu', 'disk', 'threads'), "limit 'threads' lets in 4 customers only")
    """

    _always = 3
    stations: tuple[Station, ...]
    classes: tuple[CustomerClass, ...]
    demand: Rows
    visit_ratio: Rows | None = None
    scv: Rows | None = None
    limits: tuple[PopulationLimit, ...] = ()
    distributions: tuple[tuple[Key, Distribution], ...] = ()
    routes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    #: True if its kinds of station and class have product form at any population.
    has_product_form_kinds: bool = field(init=False, compare=False)
    _violation: str | None = field(init=False, compare=False)
    is_plain = Renamed("has_product_form_kinds")
    beyond_product_form = Renamed("product_form_violation")

    def __init__(
        self, stations: Iterable[Station], classes: Iterable[CustomerClass], demand: Any, *,
        visit_ratio: Any = None, scv: Any = None, limits: Iterable[PopulationLimit] = (),
        distributions: Any = (), routes: Any = (),
    ) -> None:  # fmt: skip
        put = object.__setattr__  # `assign` is slower, and a sweep builds very many networks
        kept = unique_members(stations, Station, "station")
        put(self, "stations", kept)
        put(self, "classes", unique_members(classes, CustomerClass, "class"))
        assign(self, visit_ratio=None, scv=None, limits=(), distributions=(), routes=())
        put(self, "_violation", None)
        if limits:
            demand, visit_ratio, scv = self._limited(limits, demand, visit_ratio, scv)
        if distributions:
            scv = self._distributed(distributions, scv)
        put(self, "demand", matrix(demand, self.class_names, self.station_names, "demand"))
        for customer_class, row in zip(self.classes, self.demand, strict=True):
            if isinstance(customer_class, ClosedClass) and not (
                customer_class.think_time or any(row)
            ):
                raise InvalidNetwork(
                    f"class {customer_class.name!r}: all demands and the think time are 0; "
                    "throughput is unbounded"
                )
        if routes:
            visit_ratio = self._routed(routes, visit_ratio)
        plain = not limits and not distributions
        for station in kept:
            kind = type(station)
            if kind is QueueingStation:
                if station.discipline not in ORDERLESS or station.buffer is not None:
                    plain = False
            elif kind is ForkJoinStation:
                plain = False
        for customer_class in self.classes:
            if type(customer_class) is OpenClass and customer_class.arrival_scv != 1.0:
                plain = False
        put(self, "has_product_form_kinds", plain)
        if not plain or visit_ratio is not None or scv is not None:
            self._complete(visit_ratio, scv)

    def _limited(self, limits: Iterable[PopulationLimit], *matrices: Any) -> tuple[Any, Any, Any]:
        """Add the stations where customers wait outside, and their part of the matrices."""
        kept = unique_members(limits, PopulationLimit, "limit")
        names, class_names = self.station_names, self.class_names
        for limit in kept:
            check_known(limit, names, class_names)
        assign(self, limits=kept)
        waiting = tuple(DelayStation(limit.name) for limit in kept)
        demand, visit_ratio, scv = matrices
        if self.stations[-len(waiting) :] == waiting:  # a copy of a network that has them
            return demand, visit_ratio, scv
        taken = next((limit.name for limit in kept if limit.name in names), None)
        if taken is not None:
            raise InvalidNetwork(f"limit name {taken!r} is used by a station")
        assign(self, stations=self.stations + waiting)

        def wider(values: Any, what: str) -> Any:
            if values is None:
                return None
            return [
                (*row, *[0.0] * len(waiting)) for row in matrix(values, class_names, names, what)
            ]

        return wider(demand, "demand"), wider(visit_ratio, "visit ratio"), wider(scv, "SCV")

    def _distributed(self, given: Any, scv: Any) -> Any:
        """Keep the distributions; the SCVs with theirs."""
        names = self.class_names, self.station_names
        rows = None if scv is None else [list(row) for row in matrix(scv, *names, "SCV")]
        rows = rows or [[1.0] * len(self.stations) for _ in self.classes]
        classes = list(self.classes)
        kept = kept_of(given, classes, self.station_names, rows)
        assign(self, distributions=kept, classes=tuple(classes))
        return rows

    def _routed(self, given: Any, visit_ratio: Any) -> Any:
        """Keep the routes; the visits with theirs."""
        names, kept = (self.class_names, self.station_names), dict(given)
        given = None if visit_ratio is None else matrix(visit_ratio, *names, "visit ratio")
        rows = [list(row) for row in given or [[float(d > 0) for d in row] for row in self.demand]]
        for name, stations in kept.items():
            visits = [float(list(stations).count(station)) for station in names[1]]
            if name not in names[0] or len(stations) != sum(visits):
                raise InvalidNetwork(f"route of {name!r}: no such class, or no such station")
            c = names[0].index(name)
            if (given and visits != rows[c]) or [v > 0 for v in visits] != [d > 0 for d in rows[c]]:
                raise InvalidNetwork(f"route of class {name!r}: other visits than its demands have")
            rows[c] = visits
        assign(self, routes=tuple((c, tuple(each)) for c, each in kept.items()))
        return rows

    def _complete(self, visit_ratio: Any, scv: Any) -> None:
        """Set what only networks beyond the usual product-form kinds have."""
        names = self.class_names, self.station_names
        for c, row in enumerate(self.demand):
            for k in range(len(row) - len(self.limits), len(row)):
                if row[k]:
                    raise InvalidNetwork(
                        f"class {names[0][c]!r} has demand {row[k]:g} s at {names[1][k]!r}, where "
                        "customers wait whom the limit keeps outside; expected 0"
                    )
        # One branch waits for no other.
        alone = tuple(
            QueueingStation(s.name, discipline="fcfs")
            if isinstance(s, ForkJoinStation) and s.branches == 1
            else s
            for s in self.stations
        )
        assign(self, stations=alone)
        if visit_ratio is not None:
            visits = matrix(visit_ratio, *names, "visit ratio")
            check_visits(visits, self.demand, *names)
            assign(self, visit_ratio=self._unless_usual(visits, 0.0))
        if scv is not None:
            assign(self, scv=self._unless_usual(matrix(scv, *names, "SCV"), 1.0))
        if not self.has_product_form_kinds:
            from qmodel.model.product_form import product_form_violation

            assign(self, _violation=product_form_violation(self))

    def _unless_usual(self, rows: Rows, without: float) -> Rows | None:
        """Numbers where there is a demand, ``without`` elsewhere; None if all of them are 1."""
        numbers = tuple(
            tuple([value if demand else without for value, demand in zip(*pair, strict=True)])
            for pair in zip(rows, self.demand, strict=True)
        )
        usual = tuple(tuple([1.0 if d else without for d in row]) for row in self.demand)
        return None if numbers == usual else numbers

    def _caption(self) -> str:
        return "; ".join(map(repr, self.classes))

    def _columns(self) -> dict[str, list[Any]]:
        both = [(c, k) for c in range(len(self.classes)) for k in range(len(self.stations))]
        return {
            "class": [self.class_names[c] for c, _ in both],
            "station": [self.station_names[k] for _, k in both],
            "kind": [type(self.stations[k]).__name__ for _, k in both],
            "demand": [self.demand[c][k] for c, k in both],
            "visit_ratio": [self.visits_at(c, k) for c, k in both],
            "scv": [self.scv_at(c, k) for c, k in both],
        }

    def product_form_violation(self) -> str | None:
        """The first assumption of product form that fails, or None; see `product_form`.

        Examples
        --------
        >>> from qmodel import ClosedClass, QueueingStation
        >>> users = ClosedClass("users", population=20, think_time=5.0)
        >>> disk = QueueingStation("disk", discipline="fcfs")
        >>> Network([disk], [users], [0.1], scv=[4.0]).product_form_violation()
        "class 'users' at station 'disk' has SCV 4 under fcfs"
        """
        return self._violation

    @property
    def service_time(self) -> Rows:
        """Service time of each class per visit, S = D / V; 0 where it is not served. [s]"""
        return tuple(
            tuple([self.service_time_at(c, k) for k in range(len(self.stations))])
            for c in range(len(self.classes))
        )

    def service_time_at(self, c: int, k: int) -> float:
        """Service time of class ``c`` per visit to station ``k``, by their positions. [s]"""
        demand = self.demand[c][k]
        return demand / self.visit_ratio[c][k] if self.visit_ratio and demand else demand

    def visits_at(self, c: int, k: int) -> float:
        """How often a customer of class ``c`` comes to station ``k``, by their positions. [1]"""
        if self.visit_ratio:
            return self.visit_ratio[c][k]
        return 1.0 if self.demand[c][k] else 0.0

    def scv_at(self, c: int, k: int) -> float:
        """Squared coefficient of variation of a service time, by positions. [1]"""
        return self.scv[c][k] if self.scv else 1.0

    def distribution_at(self, c: int, k: int | None = None) -> Distribution | None:
        """What is known beyond two moments of service times, or of a class's arrivals."""
        key = self.class_names[c], "" if k is None else self.station_names[k]
        return dict(self.distributions).get(key)

    @classmethod
    def from_visits(
        cls, stations: Iterable[Station], classes: Iterable[CustomerClass], visit_ratio: Any,
        service_time: Any,
    ) -> Self:  # fmt: skip
        """A network from visit ratios and service times, D = V S; the ratios are kept.

        Parameters
        ----------
        stations, classes
            As for `Network`.
        visit_ratio : array_like, shape (C, K)
            Visits V per interaction. [1]
        service_time : array_like, shape (C, K)
            Service time S per visit, no queueing. [s]

        Raises
        ------
        InvalidNetwork
            Naming the class, the station and the value that is wrong.

        Examples
        --------
        >>> from qmodel import ClosedClass, QueueingStation
        >>> Network.from_visits([QueueingStation("disk")], [ClosedClass("users", 3)],
        ...                     visit_ratio=[[20]], service_time=[[0.015]]).demand
        ((0.3,),)
        """
        kept_stations = unique_members(stations, Station, "station")
        kept_classes = unique_members(classes, CustomerClass, "class")
        names = [c.name for c in kept_classes], [s.name for s in kept_stations]
        visits = matrix(visit_ratio, *names, "visit ratio")
        times = matrix(service_time, *names, "service time")
        demand = [
            [v * s for v, s in zip(*rows, strict=True)] for rows in zip(visits, times, strict=True)
        ]
        return cls(kept_stations, kept_classes, demand, visit_ratio=visits)

    @property
    def station_names(self) -> tuple[str, ...]:
        """Names of the stations, in order."""
        return tuple(station.name for station in self.stations)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes, in order."""
        return tuple(customer_class.name for customer_class in self.classes)

    @property
    def populations(self) -> tuple[int, ...]:
        """Population of each class, 0 of an open class. [customers]"""
        return tuple([c.population if type(c) is ClosedClass else 0 for c in self.classes])

    @property
    def think_time(self) -> tuple[float, ...]:
        """Think time of each class, 0 for an open class. [s]"""
        return tuple([c.think_time if isinstance(c, ClosedClass) else 0.0 for c in self.classes])

    def with_population(self, *population: int) -> Self:
        """The same network with other populations, one for each closed class in order.

        Examples
        --------
        >>> from qmodel import ClosedClass, QueueingStation
        >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 3)], [0.2])
        >>> network.with_population(40).classes
        (ClosedClass(name='users', population=40, think_time=0.0),)
        """
        closed = sum(isinstance(c, ClosedClass) for c in self.classes)
        if len(population) != closed:
            raise InvalidNetwork(
                f"{len(population)} populations given, expected one per closed class: {closed}"
            )
        left = iter(population)
        classes = [
            replace(c, population=next(left)) if isinstance(c, ClosedClass) else c
            for c in self.classes
        ]
        return replace(self, classes=tuple(classes))


def expect_network(value: object) -> None:
    """Raise `InvalidInput` unless ``value`` is a network.

    Examples
    --------
    >>> expect_network(3)
    Traceback (most recent call last):
    qmodel.errors.InvalidInput: 3 is not a network, expected a qmodel.Network
    """
    if not isinstance(value, Network):
        raise InvalidInput(f"{value!r} is not a network, expected a qmodel.Network")
