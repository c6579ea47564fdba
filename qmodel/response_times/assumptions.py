"""What the percentiles of a class assume, in words. Original."""

from collections.abc import Sequence
from math import inf

from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.population_limits import PopulationLimit
from qmodel.model.solution import Solution
from qmodel.model.stations import ORDERLESS, RANKED, DelayStation, ForkJoinStation
from qmodel.response_times.ctmc_station import CtmcPassage
from qmodel.response_times.route import Route
from qmodel.response_times.station_passage import FcfsPassage
from qmodel.response_times.tagged_class import TaggedResponse
from qmodel.solvers.recorded_accuracy import UNKNOWN, open_percentile_error, percentile_error

#: Waits that were scaled by less than this are those of the solution.
NEAR = 1e-6
#: The family and method that measured cycles about a central server, those without a tagged
#: customer, and all others.
ROUNDS = ("percentiles-central-fresh", "percentiles")
ALIKE = ("percentiles-central-fresh", "alike")
AT_CENTRE = ("percentiles-drives", "percentiles")
OTHERS = ("percentiles-simulated-fresh", "percentiles")
#: That which measured closed classes with exponential service.
CLOSED = ("percentiles-random", "percentiles")


def is_exact(solution: Solution, c: int, route: Route, orders: Sequence[str]) -> bool:
    """Whether the response time is exactly that of the model, on an overtake-free path.

    Exponential single servers one after the other, first come, first served; only the first and the
    last may have several servers, and a station alone may share its speed or be M/G/1.
    """
    visited = [k for k, demand in enumerate(solution.network.demand[c]) if demand]
    if route.cycles > 1.0 or any(p < 1.0 for _, p in route.last) or _scaling(route) > NEAR:
        return False
    if route.decomposed is not None:
        alone = route.decomposed.queues[c][0] if len(solution.network.stations) == 1 else None
        return alone is not None and alone.poisson
    if solution.network.product_form_violation() is not None or route.aggregated:
        return False
    usual = {"fcfs": (1.0,), "ps": (1.0,), "delay": (0.0, 1.0)}
    if any(solution.network.scv_at(c, k) not in usual[orders[k]] for k in visited):
        return False
    if len(visited) == 1:
        k = visited[0]
        others = any(row[k] for i, row in enumerate(solution.network.demand) if i != c)
        return orders[k] != "ps" or not (others or len(solution.network.stations) > 1)
    stations = [route.states.stations[k] for k in visited]
    return all(
        isinstance(at, FcfsPassage) and at.service == at.others_service for at in stations
    ) and all(at.exponential_phases for at in stations[1:-1])


def assumption(
    solution: Solution, c: int, route: Route, orders: Sequence[str], tagged: TaggedResponse | None,
    *, exact: bool,
) -> str:  # fmt: skip
    """What the percentiles of class ``c`` assume; ``exact`` is `is_exact`."""
    network = solution.network
    visited = [k for k, demand in enumerate(network.demand[c]) if demand]
    if not visited:
        return "nothing: the class goes to no station"
    parts = []
    for order, said in (
        ("fcfs", "first come, first served"),
        ("ps", "customers share the speed equally, exponential service"),
        ("delay", "{} delay"),
    ):
        if stations := [k for k in visited if orders[k] == order]:
            names = ", ".join(network.station_names[k] for k in stations)
            parts.append(f"{names}: {said.format(_distribution(network, c, stations))}")
    if route.decomposed is not None:
        measured = open_percentile_error(network, solution.method)
        flows = route.decomposed.flows
        said = f"waits by probability and moments, flows by {flows} ({measured})"
        parts.append("the exact wait of M/G/1" if exact else said)
    varied = [
        f"SCV {network.scv_at(c, k):g} at {network.station_names[k]}"
        for k in visited
        if orders[k] == "fcfs" and network.scv_at(c, k) != 1.0
    ]
    if varied:
        parts.append(f"gamma or hyperexponential service times ({', '.join(varied)})")
    closed = isinstance(network.classes[c], ClosedClass)
    state = "the network with one customer less" if closed else "the network in steady state"
    if route.aggregated:
        state += f", with {' and '.join(route.aggregated)} taken together (rough)"
    chains = [
        network.station_names[k]
        for k in visited
        if isinstance(route.states.stations[k], CtmcPassage)
    ]
    if chains:
        state += f", with phases of service as isolation has them at {', '.join(chains)}"
    if route.decomposed is None:
        parts.append(f"found on arrival: {state}")
    scaling = _scaling(route)
    if scaling > NEAR:
        parts.append(
            f"waits stretched by up to {100.0 * scaling:.2g} % to the means of {solution.method}"
        )
    if route.cycles > 1.0:
        parts.append(f"visits at random, {route.cycles:.4g} rounds in the mean")
    if tagged is None:
        closed = all(isinstance(each, ClosedClass) for each in network.classes)
        family = CLOSED if closed and not chains and not varied else OTHERS
        if route.cycles > 1.0:
            family = AT_CENTRE if route.alike == inf else ALIKE
        near = percentile_error(network, *family)
        if varied and route.cycles > 1.0:
            near = f"{UNKNOWN} for rounds with such service"
        parts += _by_stations(route, visited, near, exact=exact)
    else:
        near = percentile_error(network, *(ROUNDS if route.cycles > 1.0 else OTHERS))
        parts += _by_tagged_customer(route, tagged, near)
    return "; ".join(parts)


def _by_stations(route: Route, visited: Sequence[int], near: str, *, exact: bool) -> list[str]:
    """What response times made of sojourn times assume, and how ``near`` they were."""
    parts = []
    if route.alike == inf:
        parts.append("all rounds find the same at the central server")
    elif route.alike > 1:
        parts.append(f"{route.alike} rounds in turn find the same")
    if exact:
        parts.append("exact where all pass the stations in the same order")
    elif route.decomposed is not None:
        if len(visited) > 1:
            known = route.decomposed.correlated and route.cycles == 1.0
            how = "correlated as bursts of arrivals make them" if known else "independent"
            parts.append(f"times at different stations {how}")
    elif len(visited) > 1:
        parts.append(f"times at different stations independent, given what is found ({near})")
    else:
        parts.append(f"not exact ({near})")
    return parts


def _by_tagged_customer(route: Route, tagged: TaggedResponse, near: str) -> list[str]:
    """What the response time of a tagged customer assumes, and how ``near`` it was."""
    at_random = route.cycles > 1.0 or any(p < 1.0 for _, p in route.last)
    followed = "a tagged customer is followed through the whole network"
    if tagged.exact:
        order = "visits are at random" if at_random else "all pass the stations in the same order"
        return [f"{followed}: exact where {order}"]
    parts = []
    if not tagged.markovian:
        parts.append("others go on from each station at random, as often as in such rounds")
    less = f", but not to what is found less often than {tagged.left_out:g}" * (tagged.left_out > 0)
    return [*parts, f"{followed}{less} ({near})"]


def _distribution(network: Network, c: int, delays: Sequence[int]) -> str:
    scvs = {network.scv_at(c, k) for k in delays}
    if scvs == {0.0}:
        return "constant"
    return "exponential" if scvs <= {1.0} else "gamma or hyperexponential"


def _scaling(route: Route) -> float:
    return max(abs(factor - 1.0) for factor in route.scaling)


def refusal(network: Network) -> str | None:
    """What has no percentiles here, or None."""
    customers = sum(c.population for c in network.classes if isinstance(c, ClosedClass))
    for k, station in enumerate(network.stations):
        if not any(row[k] for row in network.demand):
            continue
        if isinstance(station, ForkJoinStation):
            return f"station {station.name!r} forks each visit; simulate() has percentiles"
        discipline = getattr(station, "discipline", "any")
        if discipline in RANKED and not _one_priority(network, k):
            return f"station {station.name!r} serves by priority"
        if discipline in {"lcfs-pr", "random"}:
            return f"station {station.name!r} serves by {discipline!r}; simulate has them"
        buffer = getattr(station, "buffer", None)
        if buffer is not None and (_is_open(network, k) or customers > buffer):
            return f"station {station.name!r} has room for {buffer} customers only"
    if network.routes:
        return f"class {network.routes[0][0]!r} has a route; simulate has them"
    for limit in keeps_outside(network):
        if len(network.limits) > 1 or not _waits_once(limit, network):
            return f"limit {limit.name!r} lets in {limit.customers} customers only"
    return None


def keeps_outside(network: Network) -> list[PopulationLimit]:
    """The limits that may keep customers outside."""
    most = sum(getattr(each, "population", inf) for each in network.classes)
    return [limit for limit in network.limits if most > limit.customers]


def _waits_once(limit: PopulationLimit, network: Network) -> bool:
    """Whether every class waits for a limit, and for each interaction once."""
    inside = [network.station_names.index(name) for name in limit.stations]
    return (limit.full, limit.held) == ("wait", "interaction") and all(
        limit.counts(each.name) and any(row[k] for k in inside)
        for each, row in zip(network.classes, network.demand, strict=True)
    )


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
