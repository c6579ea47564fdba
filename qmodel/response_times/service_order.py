"""In which order a station serves its customers, as far as it is needed for percentiles.

Product form leaves it open: the means are the same. Where a station says "any", first come, first
served is taken if all classes have the same exponential service times there, as then it has
product form; else the customers share the speed, as then they must.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.stations import DelayStation, ForkJoinStation, LoadDependentStation

if TYPE_CHECKING:
    from qmodel.model.network import Network

#: Service times per visit that differ by no more than this are equal.
EQUAL = 1e-12


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
        buffer = getattr(station, "buffer", None)
        if buffer is not None and (_is_open(network, k) or customers > buffer):
            return f"station {station.name!r} has room for {buffer} customers only"
    for limit in network.limits:
        if _is_open(network) or customers > limit.customers:
            return f"limit {limit.name!r} lets in {limit.customers} customers only"
    return None


def orders(network: Network) -> tuple[str, ...]:
    """By station "fcfs", "ps", or "delay"."""
    return tuple(_order(network, k) for k in range(len(network.stations)))


def _order(network: Network, k: int) -> str:
    station = network.stations[k]
    if isinstance(station, DelayStation):
        return "delay"
    if isinstance(station, LoadDependentStation):
        return "ps"
    discipline = getattr(station, "discipline", "any")
    if discipline != "any":
        return "ps" if discipline == "ps" else "fcfs"
    here = [c for c, row in enumerate(network.demand) if row[k]]
    times = [network.service_time_at(c, k) for c in here]
    alike = all(network.scv_at(c, k) == 1.0 for c in here) and all(
        abs(time - times[0]) <= EQUAL * time for time in times
    )
    return "fcfs" if alike else "ps"


def _one_priority(network: Network, k: int) -> bool:
    found = {c.priority for c, row in zip(network.classes, network.demand, strict=True) if row[k]}
    return len(found) <= 1


def _is_open(network: Network, k: int | None = None) -> bool:
    return any(
        not isinstance(c, ClosedClass) and (k is None or row[k])
        for c, row in zip(network.classes, network.demand, strict=True)
    )
