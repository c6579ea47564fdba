"""Stations that share their speed, as a solution knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qmodel.errors import NotApplicable
from qmodel.model.stations import LoadDependentStation, QueueingStation
from qmodel.response_times.processor_sharing import Shared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qmodel.model.network import Network
    from qmodel.numerics.service_time import ServiceTime

#: Open customers at a station that shares its speed: as many as this leave out.
RARE = 1e-11
#: More of them take too long.
MOST_OPEN = 20_000


def shared(
    network: Network,
    k: int,
    flows: Sequence[float],
    own: ServiceTime,
    loads: tuple[float, float],
    others: int,
) -> Shared:
    """A station whose customers share its speed; what is found there follows later.

    Parameters
    ----------
    network : Network
        The network.
    k : int
        The station.
    flows : sequence of float
        Of each class, as an arrival finds them. [1/s]
    own : ServiceTime
        Of the class that arrives. [s]
    loads : (float, float)
        Of the closed and of the open classes. [servers]
    others : int
        Closed customers that may be found.
    """
    import numpy as np

    closed_load, opened_load = loads
    station = network.stations[k]
    if isinstance(station, LoadDependentStation):
        rates = station.rates

        def speed(n: int) -> float:
            return rates[min(n, len(rates)) - 1]

        limit = rates[-1]
    else:
        assert isinstance(station, QueueingStation)
        servers = station.servers

        def speed(n: int) -> float:
            return float(min(n, servers))

        limit = float(servers)
    opened = 0
    if opened_load > 0.0:
        # Beyond these the weights of open customers, with all closed ones there, are nothing.
        weight, highest = 1.0, 1.0
        while weight > RARE * (1.0 - opened_load / limit) * highest:
            opened += 1
            weight *= (others + opened) / opened * opened_load / speed(others + opened)
            highest = max(highest, weight)
            if opened > MOST_OPEN or (opened + 1) * (others + 1) > 100 * MOST_OPEN:
                raise NotApplicable(
                    f"percentiles at station {station.name!r}, which shares its speed, at a load "
                    f"of the open classes of {opened_load:.6g} of {limit:g}: too near to 1"
                )
    weights = np.zeros((others + 1, opened + 1))
    weights[0, 0] = 1.0
    for o in range(1, opened + 1):
        weights[0, o] = weights[0, o - 1] * opened_load / speed(o)
    for n in range(1, others + 1):
        for o in range(opened + 1):
            weights[n, o] = weights[n - 1, o] * (n + o) / n * closed_load / speed(n + o)
        largest = weights[: n + 1].max()
        if largest > 1e200:
            weights[: n + 1] /= largest
    time = visits = 0.0
    for i, flow in enumerate(flows):
        time += flow * network.demand[i][k]
        visits += flow * network.visits_at(i, k)
    return Shared(own, time / visits if visits else own.mean, closed_load, speed, weights, weights)
