"""Which assumption of product form a network breaks, if any.

A network has product form [1] if every station is one of

- a delay station, or one that shares its servers ("any", "ps"): whatever the service times;
- first come first served, by priority with equal priorities likewise: exponential service times
  with the same mean per visit for all classes;

if open arrivals are Poisson, and if no customer is blocked or kept outside. What no customer can
notice breaks nothing: a queue that stays empty, a limit that is never reached, a class without
customers.

References
----------
.. [1] F. Baskett, K. M. Chandy, R. R. Muntz and F. G. Palacios, "Open, closed, and mixed networks
   of queues with different classes of customers," Journal of the ACM 22(2), 1975, pp. 248-260.
"""

from __future__ import annotations

from math import inf
from typing import Protocol

from qmodel.model.customer_classes import ClosedClass, CustomerClass
from qmodel.model.population_limits import PopulationLimit
from qmodel.model.stations import ORDERLESS, ForkJoinStation, QueueingStation, Station

#: Service times per visit that differ by no more than this are equal: rounding of D / V.
EQUAL = 1e-12


class NetworkLike(Protocol):
    """The parts of a network that product form depends on; see `qmodel.model.network.Network`."""

    @property
    def stations(self) -> tuple[Station, ...]:
        """Stations k."""
        ...

    @property
    def classes(self) -> tuple[CustomerClass, ...]:
        """Classes c."""
        ...

    @property
    def demand(self) -> tuple[tuple[float, ...], ...]:
        """Service demands D. [s]"""
        ...

    @property
    def limits(self) -> tuple[PopulationLimit, ...]:
        """Limits on the customers inside."""
        ...

    @property
    def station_names(self) -> tuple[str, ...]:
        """Names of the stations."""
        ...

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes."""
        ...

    def scv_at(self, c: int, k: int) -> float:
        """Squared coefficient of variation of a service time. [1]"""
        ...

    def service_time_at(self, c: int, k: int) -> float:
        """Service time per visit. [s]"""
        ...


def product_form_violation(network: NetworkLike) -> str | None:
    """The first assumption of product form that fails, in words, or None."""
    customers = [c.population if isinstance(c, ClosedClass) else inf for c in network.classes]
    for k, station in enumerate(network.stations):
        here = [c for c, n in enumerate(customers) if n and network.demand[c][k]]
        most = sum(customers[c] for c in here)
        if isinstance(station, ForkJoinStation):
            return f"station {station.name!r} forks each visit into {station.branches} parts"
        if isinstance(station, QueueingStation) and most > station.servers:
            reason = _order(network, k, station, here)
            if reason is None and station.buffer is not None and most > station.buffer:
                reason = f"station {station.name!r} has room for {station.buffer} customers only"
            if reason is not None:
                return reason
    return _arrivals(network) or _limits(network, customers)


def shared_servers(network: NetworkLike) -> str | None:
    """Where servers are shared though something given reads otherwise, in words, or None.

    That is an SCV, or the decomposition of an open network, where other stations serve in order
    and one without a discipline does not.
    """
    opened = not any(isinstance(c, ClosedClass) for c in network.classes)
    opened = opened and product_form_violation(network) is not None
    unmarked, without_effect = [], []
    for k, station in enumerate(network.stations):
        if isinstance(station, QueueingStation) and station.discipline in ORDERLESS:
            here = [c for c, row in enumerate(network.demand) if row[k]]
            if here and opened and station.discipline == "any":
                unmarked.append(repr(station.name))
            if any(network.scv_at(c, k) != 1.0 for c in here):
                without_effect.append(repr(station.name))
    said = [
        f"{what} {', '.join(names)}"
        for what, names in (
            ("no discipline, so servers are shared, at", unmarked),
            ("SCV without effect where servers are shared: at", without_effect),
        )
        if names
    ]
    return "; ".join(said) or None


def _order(network: NetworkLike, k: int, station: QueueingStation, here: list[int]) -> str | None:
    """Why the order of service matters at a station where customers wait."""
    if station.discipline in ORDERLESS:
        return None
    classes = network.classes
    if station.discipline in {"priority", "preemptive"}:
        for c in here[1:]:
            if classes[c].priority != classes[here[0]].priority:
                return (
                    f"classes {classes[here[0]].name!r} and {classes[c].name!r} have different "
                    f"priorities at station {station.name!r}"
                )
    for c in here:
        scv = network.scv_at(c, k)
        if scv != 1.0:
            return (
                f"class {classes[c].name!r} at station {station.name!r} has SCV {scv:g} under "
                f"{station.discipline}"
            )
    times = [network.service_time_at(c, k) for c in here]
    for c, time in zip(here, times, strict=True):
        if abs(time - times[0]) > EQUAL * time:
            return (
                f"classes {classes[here[0]].name!r} and {classes[c].name!r} have different "
                f"service times, {times[0]:g} and {time:g} s, at station {station.name!r} under "
                f"{station.discipline}"
            )
    return None


def _arrivals(network: NetworkLike) -> str | None:
    """The open class whose arrivals are not Poisson."""
    for customer_class in network.classes:
        if not isinstance(customer_class, ClosedClass) and customer_class.arrival_scv != 1.0:
            return f"class {customer_class.name!r} arrives with SCV {customer_class.arrival_scv:g}"
    return None


def _limits(network: NetworkLike, customers: list[float]) -> str | None:
    """The limit that is reached."""
    for limit in network.limits:
        inside = [network.station_names.index(name) for name in limit.stations]
        most = 0.0
        for c, n in enumerate(customers):
            if limit.counts(network.class_names[c]) and any(network.demand[c][k] for k in inside):
                most += n
        if most > limit.customers:
            return f"limit {limit.name!r} lets in {limit.customers} customers only"
    return None
