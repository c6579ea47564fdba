"""Global balance: the Markov chain of a whole small network beyond product form.

pi Q = 0: Stewart (1994), ch. 1-2; Bolch et al. (2006), ch. 2-3.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, global_balance/global_balance.
"""

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

from qmodel.errors import InternalError, NotApplicable
from qmodel.model.closed_network import empty_solution, not_closed, solution_of
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.phases import Phases
from qmodel.model.population_limits import inside_of_two
from qmodel.model.solution import Solution
from qmodel.model.stations import ORDERLESS, DelayStation, ForkJoinStation, QueueingStation
from qmodel.numerics.phase_type import MOST
from qmodel.solvers.invariants import violation
from qmodel.solvers.markov.state_space import TooManyStates
from qmodel.solvers.method import MANY, Method
from qmodel.solvers.open_load import check_served

if TYPE_CHECKING:
    from qmodel.solvers.global_balance.network_ctmc import Measures, NetworkCTMC

#: States at most: some tenths of a second.
LARGEST = 3_000
#: Customers and stations at most: a line is as long, and a state.
CUSTOMERS, STATIONS = 200, 100
#: Throughput, over that without any waiting, that is none.
HARDLY = 1e-12
#: How far the flows of a class at two stations may differ, over their visit ratios.
ROUNDING = 1e-10
#: Ratio of rates from which on rounding, and no mistake, is to blame if a law is broken.
DOUBTFUL = 1e6
#: Numbers that other methods compute in the time of a state.
EACH = 20_000.0


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    if network.has_product_form_kinds:
        return "nothing in the network breaks product form"
    if reason := not_closed(network):
        return reason
    population = network.populations
    if sum(population) > CUSTOMERS:
        return f"{sum(population)} customers, it takes {CUSTOMERS}"
    if len(network.stations) > STATIONS:
        return f"{len(network.stations)} stations, it takes {STATIONS}"
    present = [c for c, n in enumerate(population) if n]
    for k in range(len(network.stations)):
        reason = _no_states(network, k, [c for c in present if network.demand[c][k]])
        if reason is not None:
            return reason
    states = divisions(network)
    if states > LARGEST:
        return f"at least {states:.3g} states, it takes {LARGEST}"
    reason = _not_a_limit(network)
    if reason is None and _chain(network) is None:
        return f"more than {LARGEST} states"
    return reason


def solve(network: Network) -> Solution:
    """Exact throughput and residence times.

    Raises `NotApplicable` if customers never overtake each other, so that the order in which they
    start matters, or rates are too far apart for the numbers that computers have; `Unstable` if
    classes of higher priority keep one from being served at all.
    """
    if not any(network.populations):
        return empty_solution(network, "global-balance")
    chain = _chain(network)
    assert chain is not None
    classes = chain.network.classes
    try:
        measures = chain.solve()
    except InternalError as error:
        raise _too_far_apart(str(error)) from None
    throughputs = [_throughput(network, measures, at, c) for at, c in enumerate(classes)]
    check_served(network, dict(zip(classes, throughputs, strict=True)), HARDLY)
    rows = []
    for at, (c, throughput) in enumerate(zip(classes, throughputs, strict=True)):
        _check_flows(network, measures, at, c, throughput)
        rows.append(
            [
                network.demand[c][k]
                if isinstance(station, DelayStation) and network.demand[c][k]
                else float(measures.queues[at, k]) / throughput
                for k, station in enumerate(network.stations)
            ]
        )
    solution = solution_of(
        network, "global-balance", classes, throughputs, rows, reason=_supposed(network)
    )
    if measures.rate_ratio > DOUBTFUL and (broken := violation(solution, exact=True)):
        raise _too_far_apart(broken)
    return solution


def _supposed(network: Network) -> str:
    """What is assumed of the routing and of services, where there is a choice."""
    several = any(len([d for d in row if d]) > 1 for row in network.demand)
    ways = "random routing with these visit ratios" if network.visit_ratio is not None else (
        "stations passed in turn" if several else "")  # fmt: skip
    served = [
        (network.scv_at(c, k), isinstance(network.distribution_at(c, k), Phases))
        for k, station in enumerate(network.stations)
        if getattr(station, "discipline", ORDERLESS[0]) not in ORDERLESS
        for c, row in enumerate(network.demand)
        if row[k]
    ]
    scvs = [scv for scv, given in served if not given]
    forms = ["Erlang mixtures"] * (min(scvs, default=1.0) < 1.0)
    forms += ["balanced hyperexponential services"] * (max(scvs, default=1.0) > 1.0)
    said = " and ".join(
        [ways] * bool(ways)
        + [f"{' and '.join(forms)} of these SCVs"] * bool(forms)
        + ["service times of the phases given"] * any(given for _, given in served)
    )
    return f"for {said}" if said else ""


def work(network: Network) -> float:
    """About how many numbers are computed."""
    chain = _chain(network)
    return EACH * (LARGEST if chain is None else len(chain.space.states))


def divisions(network: Network) -> float:
    """In how many ways closed customers are divided among stations; no chain has fewer states.

    Who is inside a limit counts as waiting for admission, since that may be so.
    """
    ways = 1.0
    queues = {name: limit.name for limit in network.limits for name in limit.stations}
    for customers, row in zip(network.classes, network.demand, strict=True):
        if isinstance(customers, ClosedClass):
            stations = {
                queues.get(station.name, station.name)
                for station, demand in zip(network.stations, row, strict=True)
                if demand
            }
            more = len(stations) + (customers.think_time > 0.0) - 1
            ways *= min(MANY, comb(customers.population + more, more))
    return ways


@lru_cache(maxsize=4)
def _chain(network: Network) -> "NetworkCTMC | None":
    """The chain of a network, or None if it has too many states."""
    from qmodel.solvers.global_balance.network_ctmc import NetworkCTMC
    from qmodel.solvers.global_balance.network_states import NetworkStates

    try:
        return NetworkCTMC(NetworkStates.of(network), LARGEST)
    except TooManyStates:
        return None


def _throughput(network: Network, measures: "Measures", position: int, c: int) -> float:
    """Interactions of a class, by the station where it spends most time in service. [1/s]"""
    times = (*network.demand[c], network.think_time[c])
    k = times.index(max(times))
    return float(measures.flows[position, k]) / _visits(network, c, k)


def _check_flows(
    network: Network, measures: "Measures", position: int, c: int, throughput: float
) -> None:
    """Raise `NotApplicable` unless all stations have the flow that goes with the throughput."""
    for k in range(len(network.stations) + 1):
        flow = throughput * _visits(network, c, k)
        if not abs(float(measures.flows[position, k]) - flow) <= ROUNDING * flow:
            raise _too_far_apart(f"flows of class {network.class_names[c]!r} do not balance")


def _visits(network: Network, c: int, k: int) -> float:
    if k == len(network.stations):
        return 1.0 if network.think_time[c] else 0.0
    return network.visits_at(c, k)


def _too_far_apart(what: str) -> NotApplicable:
    return NotApplicable(f"rates are too far apart, {what}")


def _no_states(network: Network, k: int, visiting: list[int]) -> str | None:
    """Why a station has no state model, given the classes with customers that visit it."""
    station = network.stations[k]
    if isinstance(station, QueueingStation):
        most = sum(network.populations[c] for c in visiting)
        if station.buffer is not None and most > station.buffer:
            return f"station {station.name!r} has room for {station.buffer} customers only"
    for c in visiting:
        scv = network.scv_at(c, k)
        where = f"class {network.class_names[c]!r} at station {station.name!r} has SCV {scv:g}"
        if isinstance(station, ForkJoinStation) and scv != 1.0:
            return f"{where}; branches take exponential service"
        ordered = isinstance(station, QueueingStation) and station.discipline not in ORDERLESS
        if ordered and scv < 1.0 / MOST and not isinstance(network.distribution_at(c, k), Phases):
            return f"{where}, which takes more than {MOST} phases"
    return None


def _not_a_limit(network: Network) -> str | None:
    """Why a limit is none that the chain knows."""
    from qmodel.solvers.global_balance.network_states import reentered, routing

    if twice := inside_of_two(network.limits):
        return twice
    names = network.station_names
    for limit in network.limits:
        inside = [names.index(name) for name in limit.stations]
        for c, customers in enumerate(network.classes):
            if network.populations[c] and limit.counts(customers.name):
                outside = reentered(routing(network, c), inside)
                if outside is not None:
                    return (
                        f"class {customers.name!r} leaves limit {limit.name!r} for station "
                        f"{names[outside]!r} and comes back"
                    )
    return None


METHOD = Method("global-balance", True, solve, why_not, work)
