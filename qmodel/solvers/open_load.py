"""What the open classes ask of each station, and the refusal when it is too much.

By the utilization law: P. J. Denning and J. P. Buzen, ACM Computing Surveys 10(3), 1978.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from qmodel.errors import Unstable
from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import total
from qmodel.model.stations import DelayStation, LoadDependentStation, Station
from qmodel.numerics.residual_capacity import spare_capacity


@dataclass(frozen=True, slots=True)
class OpenLoad:
    """The load of all open classes together at one station."""

    #: Sum of arrival rate times demand. [servers]
    load: float
    #: Capacity less load, > 0; infinite at a delay station. [servers]
    spare: float


def open_loads(network: Network) -> tuple[OpenLoad, ...]:
    """Load and spare capacity of each station.

    Raises `Unstable` if a station cannot keep up, naming the busiest such station, the class that
    asks most of it, the utilization it would have, and the largest rate that is stable.
    """
    rows = [
        (c.name, c.arrival_rate, row)
        for c, row in zip(network.classes, network.demand, strict=True)
        if isinstance(c, OpenClass)
    ]
    loads = []
    for k, station in enumerate(network.stations):
        work = [(rate, row[k]) for _, rate, row in rows if rate > 0.0]
        load = total(rate * demand for rate, demand in work)
        limit = lasting_capacity(station)
        spare = inf if limit == inf else spare_capacity(limit, work)
        loads.append(OpenLoad(load, spare))
    if any(not entry.spare > 0.0 for entry in loads):
        raise Unstable(_refusal(network, rows, [entry.load for entry in loads]))
    return tuple(loads)


def lasting_capacity(station: Station) -> float:
    """Work done per unit of time however long the queue: what an arrival rate must stay below.

    For a load-dependent station this is its last rate, which need not be its highest.
    """
    if isinstance(station, DelayStation):
        return inf
    return station.rates[-1] if isinstance(station, LoadDependentStation) else station.max_rate


def _refusal(
    network: Network, rows: list[tuple[str, float, tuple[float, ...]]], loads: list[float]
) -> str:
    # The station with the least room sets the largest rate of the whole network.
    shares = [
        load / lasting_capacity(station)
        for station, load in zip(network.stations, loads, strict=True)
    ]
    worst = shares.index(max(shares))
    name, rate, _ = max(rows, key=lambda row: row[1] * row[2][worst])
    others = sum(1 for _, other, row in rows if other * row[worst] > 0.0) > 1
    return (
        f"class {name!r} at station {network.station_names[worst]!r}: utilization would be "
        f"{100.0 * shares[worst]:.6g} %; unstable. "
        f"Largest stable rate {rate / shares[worst]:.3g} /s"
        + (", the other open classes in proportion" if others else "")
    )


def check_served(network: Network, throughputs: Mapping[int, float], hardly: float) -> None:
    """Raise `Unstable` if a closed class is hardly ever served, by positions of classes.

    ``hardly`` is the throughput, over that without any waiting, which is taken for none.
    """
    for c, x in throughputs.items():
        alone = total([network.think_time[c], *network.demand[c]])
        if network.populations[c] and not x * alone > hardly * network.populations[c]:
            raise Unstable(
                f"class {network.class_names[c]!r}: classes of higher priority leave it next to "
                "nothing of a station; it is hardly ever served"
            )
