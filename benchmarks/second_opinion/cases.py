"""Certified networks that the other solvers can do, as plain arrays."""

from __future__ import annotations

from math import prod

import qmodel as qm
from tests.certified.reader import Certified, load, names

#: Customers in all, and population vectors, beyond which a peer takes minutes.
CUSTOMERS, VECTORS = 2_000, 50_000


def cases() -> list[Certified]:
    """Closed networks of delays and single servers, small enough."""
    return [found for found in map(load, names()) if _is_plain(found.network)]


def _is_plain(network: qm.Network) -> bool:
    closed = [c for c in network.classes if isinstance(c, qm.ClosedClass)]
    if len(closed) < len(network.classes):
        return False
    for station in network.stations:
        if isinstance(station, qm.QueueingStation) and station.servers == 1:
            continue
        if not isinstance(station, qm.DelayStation):
            return False
    sizes = [c.population for c in closed]
    return all(sizes) and sum(sizes) <= CUSTOMERS and prod(n + 1 for n in sizes) <= VECTORS


def queues(network: qm.Network) -> list[int]:
    """The stations that are no delays: those a peer is told of."""
    return [k for k, s in enumerate(network.stations) if not isinstance(s, qm.DelayStation)]


def line_of(found: Certified) -> str:
    """A network as the peers' scripts read it; delay stations are part of the think time."""
    network, kept = found.network, queues(found.network)
    sizes = [c.population for c in network.classes if isinstance(c, qm.ClosedClass)]
    delays = [k for k in range(len(network.stations)) if k not in kept]
    think = [
        z + sum(row[k] for k in delays)
        for z, row in zip(network.think_time, network.demand, strict=True)
    ]
    demand = [[row[k] for k in kept] for row in network.demand]
    return f"{found.name};{sizes};{think};{demand}"
