"""What the record of accuracy says of a method on networks like the one at hand.

`accuracy.json` holds by family of networks and method median and worst error in response time,
those of its percentiles p95 and p99, and by family the `kinds` of its networks and the ranges of
their `figures`; ``python -m benchmarks.accuracy`` computes and writes it, and tells what the
families are. A network is like those of a family if its kinds are among those of one of them and
its figures within the ranges: of SCVs on both sides, of all else above, for less load and fewer
servers, classes, customers and stations are not harder. Of several such families the one of the
fewest kinds beside counts, then that of the fewest customers, then that of the larger error; and
behind a limit instead of it one as like, of smaller networks, if that was further off.
"""

import json
from functools import cache
from itertools import combinations
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from qmodel.kernels.exact import exact
from qmodel.model.closed_network import of_one_class
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.distributions import MarkovianArrivals
from qmodel.model.network import Network
from qmodel.model.population_limits import PopulationLimit
from qmodel.model.product_form import two_moments
from qmodel.model.stations import (
    ORDERLESS,
    RANKED,
    DelayStation,
    ForkJoinStation,
    LoadDependentStation,
    QueueingStation,
    Station,
)

#: What of a network is compared with the ranges of a family; of the first two also the least.
SERVICES, ARRIVALS = "SCV of services", "SCV of arrivals"
#: What makes a network larger.
SIZES = {"servers", "classes", "stations", "stations in order", "customers"}
#: Arrivals over departures while all places of a limit are taken.
USE = "use of limits"
#: Most places for which that is computed, and the least demand.
PLACES, LEAST = 1_000, 1e-300
#: How far beyond a range is still at its end.
NEAR = 1e-6
#: A recorded error from which on an answer is called rough. [1]
ROUGH = 0.25
#: What is said of percentiles of networks that no family is like.
UNKNOWN = "errors not recorded"


class Recorded(NamedTuple):
    """The errors of a method on a family of networks, in response time. [1]"""

    family: str
    median: float
    worst: float
    #: What of the network at hand is not as in that family, in words; nothing if it is like those.
    beyond: tuple[str, ...] = ()

    @property
    def is_rough(self) -> bool:
        """Whether the answer may be off by much, as far as is known."""
        return bool(self.beyond) or self.worst >= ROUGH

    def __str__(self) -> str:
        if self.beyond:
            return f"error not recorded for networks like this ({', '.join(self.beyond)})"
        return (
            f"expected error in response time: median {_percent(self.median)}, worst "
            f"{_percent(self.worst)} on the recorded family {self.family}"
        )


def recorded(network: Network, method: str) -> Recorded | None:
    """What is recorded of a method on the family that a network is most like; None of no family."""
    own, values = kinds(network, method), figures(network)
    best: tuple[tuple[float, ...], Recorded] | None = None
    smaller: list[tuple[int, float, Recorded]] = []
    for family, (median, worst) in _recorded().get(method, {}).items():
        ranges = _file()["ranges"][family]
        missing, beside, beyond = _compared(own, values, family)
        size, use = (ranges.get(each, (0.0, 0.0))[1] for each in ("customers", USE))
        rank = (len(beyond), len(beside), size, use, -worst)
        if best is None or rank < best[0]:
            best = rank, Recorded(family, median, worst, beyond)
        if not missing and set(beyond) <= {
            *_outside({k: values[k] for k in SIZES & {*values}}, ranges)
        }:
            smaller.append((len(beside), use, Recorded(family, median, worst)))
    if best is None or best[1].beyond or not network.limits:
        return best[1] if best else None
    # How full a limit of closed classes is no range says, and a family of larger networks draws
    # mostly wide ones.
    alike = (one for beside, use, one in smaller if beside <= best[0][1] and use <= best[0][3])
    return max(best[1], *alike, key=lambda one: one.worst)


def kinds(network: Network, method: str = "") -> frozenset[str]:
    """What makes a network harder to solve than another, in words; for a method that is named."""
    closed = [c for c in network.classes if isinstance(c, ClosedClass) and c.population]
    opened = any(isinstance(c, OpenClass) and c.arrival_rate for c in network.classes)
    ordered, visited = _ordered(network), [network.stations[k] for k in _visited(network)]
    orders = {getattr(network.stations[k], "discipline", "") for k in ordered}
    apart = opened and not closed and not network.has_product_form_kinds
    beyond = bool(ordered or network.limits)
    holds = {
        "closed classes": bool(closed), "open classes": opened, "fcfs": "fcfs" in orders,
        "open classes only": opened and not closed and beyond,
        "priorities": "priority" in orders, "preemptive": "preemptive" in orders,
        "forks": any(isinstance(s, ForkJoinStation) for s in visited),
        "load-dependent stations": any(isinstance(s, LoadDependentStation) for s in visited),
        "finite buffers": any(getattr(s, "buffer", None) for s in visited),
        "delays": apart and any(isinstance(s, DelayStation) for s in visited),
        "shared servers": apart and any(_is_shared(s) for s in visited),
        "unlike service times": any(_serves_unlike(network, k) for k in ordered),
        "stations visited again": any(
            network.visits_at(c, k) > 1.0 for k in ordered for c in range(len(network.classes))
        ),
        "a limit": bool(network.limits), "several limits": len(network.limits) > 1,
        "limits held for a visit": any(limit.held == "visit" for limit in network.limits),
        "fixed routes": bool(network.routes),
        "distributions known by mean and SCV only": two_moments(network, method) is not None,
        "arrivals that may be correlated": any(
            isinstance(law, MarkovianArrivals) for _, law in network.distributions
        ),
        "classes that never pause": beyond and any(not c.think_time for c in closed),
        "routes that part and meet again": beyond and not closed and _parts_and_meets(network),
    }  # fmt: skip
    return frozenset(word for word, does in holds.items() if does)


def figures(network: Network) -> dict[str, list[float]]:
    """What ranges are recorded of: SCVs and utilizations at queues, servers, classes, stations.

    SCVs are those where order matters, utilizations those by open classes, the use of a limit is
    arrivals over departures while all its places are taken, stations are those visited;
    customers count beyond product form only.
    """
    visited, ordered, names = _visited(network), _ordered(network), network.station_names
    queues = [k for k in visited if isinstance(network.stations[k], QueueingStation)]
    arrivals = [(c, x) for c, x in enumerate(network.classes) if isinstance(x, OpenClass)]
    servers = [float(getattr(network.stations[k], "servers", 1)) for k in queues]
    values: dict[str, list[float]] = {
        SERVICES: [
            network.scv_at(c, k) for k in ordered for c, row in enumerate(network.demand) if row[k]
        ],
        ARRIVALS: [each.arrival_scv for _, each in arrivals if each.arrival_rate],
        "servers": servers,
        "classes": [float(len(network.classes))],
        "stations": [float(len(visited))],
        "stations in order": [float(len(ordered))],
    }
    if arrivals:
        values["utilization"] = [
            sum(x.arrival_rate * network.demand[c][k] for c, x in arrivals) / m
            for k, m in zip(queues, servers, strict=True)
        ]
        values[USE] = [
            sum(x.arrival_rate / _at_most(network, c, limit) for c, x in arrivals
                if x.arrival_rate and limit.counts(x.name))
            for limit in network.limits
        ]  # fmt: skip
    ranked = [k for k in ordered if getattr(network.stations[k], "discipline", "") in RANKED]
    if ranked:
        values["share of a class at a station with priorities"] = [
            max(row[k] for k in ranked) / sum(row) for row in network.demand if any(row)
        ]
    limited = {names.index(s) for limit in network.limits for s in limit.stations}
    values["ratio of service times"] = [
        max(times) / min(times)
        for k in {*ordered, *limited}
        if (times := _service_times(network, k))
    ]
    if not network.has_product_form_kinds:
        values["customers"] = [float(sum(getattr(c, "population", 0) for c in network.classes))]
    return {name: values for name, values in values.items() if values}


def _at_most(network: Network, c: int, limit: PopulationLimit) -> float:
    """Throughput of a class alone with all places of a limit taken, of no more than `PLACES`."""
    inside = [k for k, name in enumerate(network.station_names) if name in limit.stations]
    forks = [k for k in inside if isinstance(network.stations[k], ForkJoinStation)]
    places = min(limit.customers, PLACES)
    if forks or not any(network.demand[c][k] for k in inside):
        return places / (sum(network.demand[c][k] for k in inside) or LEAST)
    model = of_one_class(network, c, inside, places, 0.0)
    return exact(model, [places], stations=False)[places][0]


def open_percentile_error(network: Network, method: str) -> str:
    """The recorded errors of p95 and p99 of open networks of stations taken apart, in words."""
    nearest = recorded(network, method)
    return percentile_error(network, nearest.family if nearest else "", method)


def percentile_error(network: Network, family: str, method: str) -> str:
    """The recorded errors of p95 and p99 on a family in words, of a network that is like it."""
    like = family in _kinds() and not _compared(kinds(network, method), figures(network), family)[2]
    return quoted_percentiles(family, method) if like else UNKNOWN


def quoted_percentiles(family: str, method: str) -> str:
    """The recorded errors of p95 and p99 on a family, in words."""
    said = []
    for name in ("p95", "p99"):
        if family not in _recorded().get(f"{method} {name}", {}):
            return UNKNOWN
        median, worst = _recorded()[f"{method} {name}"][family]
        said.append(f"{name} off by {_percent(median)} in the middle, {_percent(worst)} at worst")
    return ", ".join(said)


def _compared(
    own: frozenset[str], values: dict[str, list[float]], family: str
) -> tuple[frozenset[str], frozenset[str], tuple[str, ...]]:
    """Kinds that a family lacks, kinds that only it has, and in words all that is beyond it."""
    missing, beside = min(
        ((own - there, there - own) for there in _kinds()[family]),
        key=lambda pair: (len(pair[0]), len(pair[1])),
    )
    return missing, beside, (*sorted(missing), *_outside(values, _file()["ranges"][family]))


def _outside(values: dict[str, list[float]], ranges: dict[str, tuple[float, float]]) -> list[str]:
    """In words, which figures of a network are beyond the ranges of a family."""
    said = []
    for name, own in values.items():
        low, high = ranges.get(name, (0.0, inf))
        least, most = min(own), max(own)
        beyond = most if most > high * (1.0 + NEAR) else None
        if least < low * (1.0 - NEAR) and name in {SERVICES, ARRIVALS}:
            beyond = least
        if beyond is not None:
            said.append(f"{name} {beyond:.3g} where {low:.3g} to {high:.3g} was recorded")
    return said


@cache
def _recorded() -> dict[str, dict[str, tuple[float, float]]]:
    """Median and worst error by method and family."""
    errors: dict[str, dict[str, tuple[float, float]]] = {}
    for key, (median, worst) in _file()["errors"].items():
        family, _, method = key.partition(" ")
        errors.setdefault(method, {})[family] = (median, worst)
    return errors


@cache
def _kinds() -> dict[str, list[frozenset[str]]]:
    return {family: [frozenset(each) for each in some] for family, some in _file()["kinds"].items()}


@cache
def _file() -> Any:
    return json.loads(Path(__file__).with_name("accuracy.json").read_text(encoding="utf-8"))


def _visited(network: Network) -> list[int]:
    return [k for k, demands in enumerate(zip(*network.demand, strict=True)) if any(demands)]


def _is_shared(station: Station) -> bool:
    return getattr(station, "discipline", "") in ORDERLESS


def _ordered(network: Network) -> list[int]:
    """Stations whose order of service matters, and forks; none in product form."""
    if network.has_product_form_kinds:
        return []
    smooth = all(getattr(c, "arrival_scv", 1.0) == 1.0 for c in network.classes)
    stations = []
    for k in _visited(network):
        station = network.stations[k]
        here = [c for c, row in enumerate(network.demand) if row[k]]
        if isinstance(station, ForkJoinStation):
            stations.append(k)
        elif isinstance(station, QueueingStation) and not _is_shared(station):
            plain = station.discipline == "fcfs" and smooth and not _serves_unlike(network, k)
            if not plain or any(network.scv_at(c, k) != 1.0 for c in here):
                stations.append(k)
    return stations


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
    return len(_service_times(network, k)) > 1


def _service_times(network: Network, k: int) -> set[float]:
    return {network.service_time_at(c, k) for c, row in enumerate(network.demand) if row[k]}


def _percent(value: float) -> str:
    return f"{100.0 * value:.2g} %"
