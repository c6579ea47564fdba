"""In which order a station serves its customers, as far as it is needed for percentiles.

The means of product form hold for several orders, percentiles for one: a station without a
discipline shares its servers, as in `qmodel.model.stations.QueueingStation`.
"""

from __future__ import annotations

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.stations import ORDERLESS, DelayStation, ForkJoinStation


def refusal(network: Network) -> str | None:
    """What has no percentiles here, or None."""
    customers = sum(c.population for c in network.classes if isinstance(c, ClosedClass))
    for k, station in enumerate(network.stations):
        if not any(row[k] for row in network.demand):
            continue
        if isinstance(station, ForkJoinStation):
            return f"station {station.name!r} forks each visit into {station.branches} parts"
        discipline = getattr(station, "discipline", "any")
        if discipline in {"priority", "preemptive"} and not _one_priority(network, k):
            return f"station {station.name!r} serves by priority"
        if discipline in {"lcfs-pr", "random"}:
            return f"station {station.name!r} serves by {discipline!r}; simulate has them"
        buffer = getattr(station, "buffer", None)
        if buffer is not None and (_is_open(network, k) or customers > buffer):
            return f"station {station.name!r} has room for {buffer} customers only"
    if network.routes:
        return f"class {network.routes[0][0]!r} has a route; simulate has them"
    for limit in network.limits:
        if _is_open(network) or customers > limit.customers:
            return f"limit {limit.name!r} lets in {limit.customers} customers only"
    return None


def orders(network: Network) -> tuple[str, ...]:
    """By station "fcfs", "ps", or "delay"."""
    return tuple(
        "delay"
        if isinstance(station, DelayStation)
        else ("ps" if getattr(station, "discipline", "ps") in ORDERLESS else "fcfs")
        for station in network.stations
    )


def _one_priority(network: Network, k: int) -> bool:
    found = {c.priority for c, row in zip(network.classes, network.demand, strict=True) if row[k]}
    return len(found) <= 1


def _is_open(network: Network, k: int | None = None) -> bool:
    return any(
        not isinstance(c, ClosedClass) and (k is None or row[k])
        for c, row in zip(network.classes, network.demand, strict=True)
    )
