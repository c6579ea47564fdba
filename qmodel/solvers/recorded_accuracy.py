"""What the record of accuracy says of a method on networks like the one at hand.

`accuracy.json` holds median and worst error in response time by family of networks and method,
those of its percentiles p95 and p99, and by family the ranges of its networks' `figures`;
``python -m benchmarks.accuracy`` computes and writes it, and tells what the families are. A network
beyond the ranges of the family that is quoted is said to be so: of SCVs on both sides, of all else
above, for less load and fewer servers, classes and stations are not harder.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations
from math import inf
from pathlib import Path
from typing import Any

from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.stations import (
    ORDERLESS,
    DelayStation,
    ForkJoinStation,
    LoadDependentStation,
    QueueingStation,
)

#: Classes with customers from which on a network is like those no exact method affords.
MANY = 4
#: Customers up to which networks that serve in order were compared with Markov chains.
FEW = 8
#: Stations that most families of open networks have at most.
IN_TURN = 4
#: Families of open networks.
CONSTANT, PARTING = "open-ggm-constant-held-out", "open-ggm-parting"
#: An SCV of services below which an open network is like those of nearly constant services.
NEARLY_CONSTANT = 0.2
#: What of a network is compared with the ranges of a family; of the first two also the least.
SERVICES, ARRIVALS = "SCV of services", "SCV of arrivals"
#: How far beyond a range is still at its end.
NEAR = 1e-6


def expected_error(network: Network, method: str) -> str:
    """The expected error in words; empty where none is recorded.

    Examples
    --------
    >>> from qmodel import ClosedClass, OpenClass
    >>> network = Network([QueueingStation("cpu")], [ClosedClass("users", 5, 1.0)], [0.5])
    >>> expected_error(network, "linearizer").startswith("expected error in response time: median")
    True
    >>> expected_error(network, "mva")
    ''
    """
    recorded = _recorded()
    family = _kind(network) if network.has_product_form_kinds else _kind_beyond(network, method)
    if (family, method) not in recorded:
        family = next((f for f, m in recorded if m == method), "")
        if not family:
            return ""
    median, worst = recorded[family, method]
    parts = "routes that part and meet again: " if family == PARTING else ""
    return (
        f"{parts}expected error in response time: median {_percent(median)}, "
        f"worst {_percent(worst)} on the recorded family {family}{_outside(network, family)}"
    )


def figures(network: Network) -> dict[str, list[float]]:
    """What ranges are recorded of: SCVs and utilizations at queues, servers, classes, stations.

    Utilizations are those of open networks; stations are those that customers visit.

    Examples
    --------
    >>> stations = [QueueingStation("web", 2), QueueingStation("disk")]
    >>> figures(Network(stations, [OpenClass("pages", 2.0)], [[0.5, 0.2]]))["utilization"]
    [0.5, 0.4]
    """
    values: dict[str, list[float]] = {}
    visited = [k for k, demands in enumerate(zip(*network.demand, strict=True)) if any(demands)]
    queues = [k for k in visited if isinstance(network.stations[k], QueueingStation)]
    arrivals = [each for each in network.classes if isinstance(each, OpenClass)]
    values[SERVICES] = [
        network.scv_at(c, k) for k in queues for c, row in enumerate(network.demand) if row[k]
    ]
    values[ARRIVALS] = [each.arrival_scv for each in arrivals if each.arrival_rate]
    servers = [float(getattr(network.stations[k], "servers", 1)) for k in queues]
    if len(arrivals) == len(network.classes):
        values["utilization"] = [
            sum(a.arrival_rate * row[k] for a, row in zip(arrivals, network.demand, strict=True))
            / m
            for k, m in zip(queues, servers, strict=True)
        ]
    values["servers"] = servers
    values["classes"] = [float(len(network.classes))]
    values["stations"] = [float(len(visited))]
    return {name: values for name, values in values.items() if values}


def _outside(network: Network, family: str) -> str:
    """In words, what of a network is beyond the ranges of a family."""
    said = []
    for name, values in figures(network).items():
        low, high = _ranges().get(family, {}).get(name, (0.0, inf))
        least, most = min(values), max(values)
        beyond = most if most > high * (1.0 + NEAR) else None
        if least < low * (1.0 - NEAR) and name in {SERVICES, ARRIVALS}:
            beyond = least
        if beyond is not None:
            said.append(f"{name} {beyond:.3g} where {low:.3g} to {high:.3g} was recorded")
    return f"; outside the recorded range ({', '.join(said)})" if said else ""


def percentile_error(family: str, method: str) -> str:
    """The recorded errors of p95 and p99 in words.

    Examples
    --------
    >>> percentile_error("percentiles-simulated", "percentiles").startswith("p95 off by ")
    True
    """
    said = []
    for name in ("p95", "p99"):
        if (family, f"{method} {name}") not in _recorded():
            return "errors not recorded"
        median, worst = _recorded()[family, f"{method} {name}"]
        said.append(f"{name} off by {_percent(median)} in the middle, {_percent(worst)} at worst")
    return ", ".join(said)


@cache
def _recorded() -> dict[tuple[str, str], tuple[float, float]]:
    found = {}
    for key, (median, worst) in _file()["errors"].items():
        family, _, method = key.partition(" ")
        found[family, method] = (median, worst)
    return found


@cache
def _ranges() -> dict[str, dict[str, tuple[float, float]]]:
    return {
        family: {name: (low, high) for name, (low, high) in ranges.items()}
        for family, ranges in _file()["ranges"].items()
    }


@cache
def _file() -> Any:
    return json.loads(Path(__file__).with_name("accuracy.json").read_text(encoding="utf-8"))


def _kind(network: Network) -> str:
    """The family of networks that a closed network is most like."""
    if any(isinstance(station, LoadDependentStation) for station in network.stations):
        return "load-dependent"
    if sum(1 for c in network.classes if isinstance(c, ClosedClass) and c.population) >= MANY:
        return "beyond-exact"
    if any(isinstance(s, QueueingStation) and s.servers > 1 for s in network.stations):
        return "multi-servers"
    return "single-servers"


def _kind_beyond(network: Network, method: str) -> str:
    """The family that a network beyond product form is most like."""
    customers = sum(c.population for c in network.classes if isinstance(c, ClosedClass))
    if method == "nested-fes":
        return "nested-limits"
    if network.limits:
        return "limit-classes" if method == "aggregated-fes" and customers > FEW else "limit-chain"
    for k, station in enumerate(network.stations):
        if isinstance(station, ForkJoinStation):
            if sum(1 for row in network.demand if row[k]) < 2:
                return "fork-join-simulated"
            unlike = _serves_unlike(network, k)
            return "fork-join-classes-simulated" if unlike else "fork-join-classes-equal"
    if all(isinstance(each, OpenClass) for each in network.classes):
        return open_family(network, method)
    if customers > FEW:
        return "ordered-simulated"
    for discipline in ("preemptive", "priority"):
        for station in network.stations:
            if isinstance(station, QueueingStation) and station.discipline == discipline:
                return f"{discipline}-chain"
    return "fcfs-chain"


def open_family(network: Network, method: str) -> str:
    """The family that an open network of stations taken apart is most like.

    Examples
    --------
    >>> stations = [QueueingStation(name, 1, "fcfs") for name in ("web", "files", "database")]
    >>> classes = [OpenClass("pages", 1.0), OpenClass("images", 1.0)]
    >>> open_family(Network(stations, classes, [[0.2, 0, 0.2], [0.2, 0.3, 0.2]]), "mmap")
    'open-ggm-parting'
    """
    unlike = any(_serves_unlike(network, k) for k in range(len(network.stations)))
    family = "open-ggm-unlike-again" if unlike else "open-ggm-held-out"
    visited = [
        station
        for station, demands in zip(
            network.stations, zip(*network.demand, strict=True), strict=True
        )
        if any(demands)
    ]
    hardly = min(figures(network).get(SERVICES, [1.0])) < NEARLY_CONSTANT
    if hardly and (CONSTANT, method) in _recorded():
        return CONSTANT
    if any(getattr(each, "discipline", "fcfs") in ORDERLESS for each in visited):
        family = "open-sharing"
    elif len(visited) > IN_TURN or any(isinstance(each, DelayStation) for each in visited):
        family = "open-ggm-wide"
    elif _parts_and_meets(network):
        family = PARTING
    if (family, method) in _recorded():
        return family
    return "open-ggm-unlike-again" if unlike else "open-ggm-held-out"


def _parts_and_meets(network: Network) -> bool:
    """Whether customers go different ways between two stations."""
    ways = []
    for c, row in enumerate(network.demand):
        way = {k for k, demand in enumerate(row) if demand}
        seldom = {k for k in way if network.visits_at(c, k) < 1.0}
        ways += [way, way - seldom] if seldom else [way]
    return any(
        any(min(one & other) < k < max(one & other) for k in one ^ other)
        for one, other in combinations(ways, 2)
        if one & other
    )


def _serves_unlike(network: Network, k: int) -> bool:
    """Whether classes take different times at a station."""
    times = {network.service_time_at(c, k) for c, row in enumerate(network.demand) if row[k]}
    return len(times) > 1


def _percent(value: float) -> str:
    return f"{100.0 * value:.2g} %"
