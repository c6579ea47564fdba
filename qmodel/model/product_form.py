"""Which assumption of product form a network breaks, and what no analysis takes; see THEORY.md."""

from math import inf
from typing import Any

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.distributions import MarkovianArrivals
from qmodel.model.phases import Phases
from qmodel.model.stations import ORDERLESS, RANKED, ForkJoinStation, QueueingStation, Station

#: Service times per visit that differ by no more than this are equal: rounding of D / V.
EQUAL = 1e-12
#: Methods that take phases as they are given: of services, and of arrivals.
BY_PHASES, ARRIVALS_BY_PHASES = ("global-balance", "marie"), ("mmap",)


#: A `qmodel.model.network.Network`, which asks this module when it is made.
NetworkLike = Any


def product_form_violation(network: NetworkLike) -> str | None:
    """The first assumption of product form that fails, in words, or None."""
    # Without arrivals a class has the times of a lone one.
    customers = [
        c.population if isinstance(c, ClosedClass) else inf if c.arrival_rate else 1
        for c in network.classes
    ]
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


def insensitive(station: Station) -> bool:
    """Whether means depend on mean service times only: a delay, shared servers, or LCFS-PR."""
    order = getattr(station, "discipline", "any")
    return order in ORDERLESS or (order == "lcfs-pr" and station.max_rate == 1.0)


def _order(network: NetworkLike, k: int, station: QueueingStation, here: list[int]) -> str | None:
    """Why the order of service matters at a station where customers wait."""
    if insensitive(station):
        return None
    classes = network.classes
    if station.discipline in RANKED:
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
        if network.distribution_at(c, k) not in {None, "phase-type"}:
            return (
                f"the service times of class {classes[c].name!r} at station {station.name!r} are "
                f"not exponential under {station.discipline}"
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
    for c, customer_class in enumerate(network.classes):
        if isinstance(customer_class, ClosedClass):
            continue
        if customer_class.arrival_scv != 1.0:
            return f"class {customer_class.name!r} arrives with SCV {customer_class.arrival_scv:g}"
        if network.distribution_at(c) not in {None, "phase-type"}:
            return f"class {customer_class.name!r} does not arrive as a Poisson process"
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


def only_simulated(network: NetworkLike, *, pools: bool = False) -> str | None:
    """What no method of analysis takes, in words, or None.

    Other orders of service and given routes are those of any network in product form. With
    ``pools`` of those methods that know more of limits: nested ones, routes, who is rejected.
    """
    if pools:
        return None
    for limit in network.limits:
        if limit.full == "reject":
            return f"limit {limit.name!r} rejects customers"
        if limit.held == "visit":
            return f"limit {limit.name!r} is held for a visit, and not for all of an interaction"
    broken = network.product_form_violation()
    for k, station in enumerate(network.stations):
        order = getattr(station, "discipline", "any")
        if order in {"lcfs-pr", "random"} and any(row[k] for row in network.demand) and broken:
            return f"station {station.name!r} serves by {order!r} beyond product form: {broken}"
    if network.routes and broken:
        return f"class {network.routes[0][0]!r} has a route beyond product form: {broken}"
    return None


def two_moments(network: NetworkLike, method: str) -> str | None:
    """Which distributions a method knows by mean and SCV only, in words, or None."""
    if not network.distributions:
        return None
    alike = {s.name for s in network.stations if insensitive(s)}
    said = [
        f"{name!r}" + (f" at {station!r}" if station else " (arrivals)")
        for (name, station), distribution in network.distributions
        if distribution != "phase-type"
        and station not in alike
        and not (
            method in (BY_PHASES if station else ARRIVALS_BY_PHASES)
            and isinstance(distribution, Phases | MarkovianArrivals)
        )
    ]
    return f"by mean and SCV only: {', '.join(said)}; simulate has all" if said else None
