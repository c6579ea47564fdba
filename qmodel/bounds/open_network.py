"""Bounds of response times of open networks, by the utilizations of stations; see THEORY.md."""

from math import inf

from qmodel.bounds.asymptotic import Interval, limits_of
from qmodel.errors import Unstable
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation, LoadDependentStation


def why_not(network: Network, kind: str) -> str | None:
    """The assumption that fails, or None if the bound holds."""
    if kind == "geometric":
        return "it takes closed classes; 'proportional' takes open ones"
    if kind == "balanced_job" and len(network.classes) > 1:
        return f"it takes one class, there are {len(network.classes)}; 'proportional' takes several"
    for station in network.stations if kind != "asymptotic" else ():
        speeds = getattr(station, "rates", (station.max_rate,))
        if not isinstance(station, DelayStation) and {*speeds} != {1.0}:
            return f"station {station.name!r} is no single server of speed 1; 'asymptotic' takes it"
    return None


def find(network: Network, kind: str) -> list[Interval]:
    """Shortest and longest response time of each class. [s]

    Raises `Unstable` if a station cannot keep up.
    """
    stations, use = network.stations, []
    rates = [getattr(c, "arrival_rate", 0.0) for c in network.classes]
    for station, column in zip(stations, zip(*network.demand, strict=True), strict=True):
        # However long the queue: the last rate, which need not be the highest.
        capacity = station.max_rate
        if isinstance(station, LoadDependentStation):
            capacity = station.rates[-1]
        use.append(sum(rate * d for rate, d in zip(rates, column, strict=True)) / capacity)
        if use[-1] >= 1.0 and not isinstance(station, DelayStation):
            raise Unstable(
                f"station {station.name!r}: utilization would be {100.0 * use[-1]:.6g} %; unstable."
                f" Lower the arrival rates to less than {1.0 / use[-1]:.6g} of what they are"
            )
    found = []
    for row in network.demand:
        queued = [k for k, d in enumerate(row) if d and not isinstance(stations[k], DelayStation)]
        total = sum(row[k] for k in queued)
        delay = sum(row) - total
        if not queued:
            found.append((delay, delay))
        elif kind == "asymptotic":
            most = [len(getattr(station, "rates", "1")) for station in stations]
            quickest = sum(row[k] * limits_of(stations[k], most[k])[0] for k in queued)
            found.append((delay + quickest, inf))
        else:
            mean = sum(use[k] * row[k] for k in queued) / total
            if kind == "balanced_job":
                mean = sum(use[k] for k in queued) / len(queued)
            longest = total / (1.0 - max(use[k] for k in queued))
            found.append((delay + total / (1.0 - mean), delay + longest))
    return found
