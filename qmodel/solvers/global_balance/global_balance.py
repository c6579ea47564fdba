"""Small closed networks beyond product form: the Markov chain of the whole network.

Every state of the network is told: who is where, in which order where that matters, in which phase
of service, which parts of a fork are done, who waits outside a limit. In each the flow out is the
flow in, which is a linear equation for the probability of every state [1, 2]. Their solution is
exact where service times are of the phases of `qmodel.numerics.phase_type`, which have the
mean and the variation asked for, and think times are exponential, as are delays and service at
stations where only its mean matters in product form. Stations are passed as the visit ratios tell,
see `qmodel.model.visit_routing`: with visit ratios of 1 in turn, from a central server at random.

The number of states grows with the customers to the power of the places, and faster where classes
queue in order, so it is for a few customers. For more there is `isolation`.

Accuracy of ``global_balance`` on ``fcfs-chain``: R median 0.0 %, worst 0.0 %.
Accuracy of ``global_balance`` on ``priority-chain``: R median 0.0 %, worst 0.0 %.
Accuracy of ``global_balance`` on ``preemptive-chain``: R median 0.0 %, worst 0.0 %.
Accuracy of ``global_balance`` on ``fork-join-chain``: R median 0.0 %, worst 0.0 %.
Accuracy of ``global_balance`` on ``limit-chain``: R median 0.0 %, worst 0.0 %.

References
----------
.. [1] W. J. Stewart, "Introduction to the Numerical Solution of Markov Chains," Princeton
   University Press, 1994, ch. 1-2.
.. [2] G. Bolch, S. Greiner, H. de Meer and K. S. Trivedi, "Queueing Networks and Markov Chains,"
   2nd ed., Wiley, 2006, ch. 2-3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qmodel.errors import InternalError, NotApplicable
from qmodel.model.closed_network import empty_solution, not_closed
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.population_limits import inside_of_two
from qmodel.model.solution import Solution
from qmodel.model.stations import ORDERLESS, DelayStation, ForkJoinStation, QueueingStation
from qmodel.numerics.phase_type import MOST
from qmodel.solvers.global_balance.state_count import divisions, size
from qmodel.solvers.invariants import violation
from qmodel.solvers.method import Method
from qmodel.solvers.starvation import check_served

if TYPE_CHECKING:
    from qmodel.solvers.global_balance.network_ctmc import Found
    from qmodel.solvers.global_balance.network_states import NetworkPlaces

#: States at most: some tenths of a second.
LARGEST = 3_000
#: Customers and stations at most: a line is as long, and a state.
CUSTOMERS, STATIONS = 200, 100
#: Throughput, over that without any waiting, that is none.
HARDLY = 1e-12
#: How far the flows of a class at two places may differ, over their visit ratios.
ROUNDING = 1e-10
#: Ratio of rates from which on rounding, and no mistake, is to blame if a law is broken.
DOUBTFUL = 1e6
#: Numbers that other methods compute in the time of a state.
EACH = 20_000.0


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    if network.has_product_form_kinds:
        return "nothing in the network breaks product form"
    reason = not_closed(network)
    if reason is not None:
        return reason
    population = [c.population if isinstance(c, ClosedClass) else 0 for c in network.classes]
    if sum(population) > CUSTOMERS:
        return f"{sum(population)} customers, it takes {CUSTOMERS}"
    if len(network.stations) > STATIONS:
        return f"{len(network.stations)} stations, it takes {STATIONS}"
    there = [c for c, n in enumerate(population) if n]
    for k in range(len(network.stations)):
        reason = _not_a_place(network, k, [c for c in there if network.demand[c][k]])
        if reason is not None:
            return reason
    states = divisions(network)
    if states <= LARGEST:
        from qmodel.solvers.global_balance.network_states import NetworkPlaces

        places = NetworkPlaces.of(network)
        reason = _not_held(network, places)
        if reason is not None:
            return reason
        states = size(places, LARGEST)
    return f"some {states:.3g} states, it takes {LARGEST}" if states > LARGEST else None


def solve(network: Network) -> Solution:
    """Exact throughput and residence times.

    Raises
    ------
    NotApplicable
        If customers never overtake each other, so that the order in which they start matters, or
        rates are too far apart for the numbers that computers have.
    Unstable
        If classes of higher priority keep one from being served at all.
    """
    from qmodel.solvers.global_balance.network_ctmc import NetworkChain
    from qmodel.solvers.global_balance.network_states import NetworkPlaces

    places = NetworkPlaces.of(network)
    if not places.classes:
        return empty_solution(network, "global_balance")
    try:
        found = NetworkChain(places).solve()
    except InternalError as error:
        raise _too_far_apart(str(error)) from None
    stations = range(len(network.stations))
    throughputs = [0.0] * len(network.classes)
    rows = [(0.0,) * len(network.stations)] * len(network.classes)
    for position, c in enumerate(places.classes):
        throughputs[c] = _throughput(network, found, position, c)
    check_served(network, throughputs, HARDLY)
    for position, c in enumerate(places.classes):
        _check_flows(network, found, position, c, throughputs[c])
        rows[c] = tuple(
            network.demand[c][k]
            if isinstance(network.stations[k], DelayStation) and network.demand[c][k]
            else float(found.queues[position, k]) / throughputs[c]
            for k in stations
        )
    solution = Solution(
        network, "global_balance", tuple(throughputs), tuple(rows), _supposed(network)
    )
    if found.apart > DOUBTFUL:
        broken = violation(solution, exact=True)
        if broken is not None:
            raise _too_far_apart(broken)
    return solution


def _supposed(network: Network) -> str:
    """What is supposed of the ways that customers take, where they have several."""
    if network.visit_ratio is not None:
        return "for ways at random with these visit ratios"
    several = any(len([d for d in row if d]) > 1 for row in network.demand)
    return "for stations passed in turn" if several else ""


def work(network: Network) -> float:
    """About how many numbers are computed."""
    from qmodel.solvers.global_balance.network_states import NetworkPlaces

    return EACH * size(NetworkPlaces.of(network), LARGEST)


def _throughput(network: Network, found: Found, position: int, c: int) -> float:
    """Interactions of a class, from the place where most of its time is spent in service. [1/s]"""
    times = (*network.demand[c], network.think_time[c])
    k = times.index(max(times))
    return float(found.flows[position, k]) / _visits(network, c, k)


def _check_flows(network: Network, found: Found, position: int, c: int, throughput: float) -> None:
    """Raise `NotApplicable` unless all places have the flow that goes with the throughput."""
    for k in range(len(network.stations) + 1):
        flow = throughput * _visits(network, c, k)
        if not abs(float(found.flows[position, k]) - flow) <= ROUNDING * flow:
            raise _too_far_apart(f"flows of class {network.class_names[c]!r} do not balance")


def _visits(network: Network, c: int, k: int) -> float:
    if k == len(network.stations):
        return 1.0 if network.think_time[c] else 0.0
    return network.visits_at(c, k)


def _too_far_apart(what: str) -> NotApplicable:
    return NotApplicable(f"rates are too far apart, {what}")


def _not_a_place(network: Network, k: int, here: list[int]) -> str | None:
    """What its chain cannot tell of a station, where these classes with customers come."""
    station = network.stations[k]
    if isinstance(station, QueueingStation):
        most = sum(getattr(network.classes[c], "population", 0) for c in here)
        if station.buffer is not None and most > station.buffer:
            return f"station {station.name!r} has room for {station.buffer} customers only"
    for c in here:
        scv = network.scv_at(c, k)
        where = f"class {network.class_names[c]!r} at station {station.name!r} has SCV {scv:g}"
        if isinstance(station, ForkJoinStation) and scv != 1.0:
            return f"{where}; branches take exponential service"
        ordered = isinstance(station, QueueingStation) and station.discipline not in ORDERLESS
        if ordered and scv < 1.0 / MOST:
            return f"{where}, which takes more than {MOST} phases"
    return None


def _not_held(network: Network, places: NetworkPlaces) -> str | None:
    """Why a limit is none that the chain knows."""
    from qmodel.solvers.global_balance.markov_routing import comes_back

    twice = inside_of_two(network.limits)
    if twice is not None:
        return twice
    names = network.station_names
    for limit in network.limits:
        inside = [names.index(name) for name in limit.stations]
        for c, found in zip(places.classes, places.ways, strict=True):
            if limit.counts(network.class_names[c]):
                outside = comes_back(found, inside)
                if outside is not None:
                    return (
                        f"class {network.class_names[c]!r} leaves limit {limit.name!r} for "
                        f"station {names[outside]!r} and comes back"
                    )
    return None


METHOD = Method("global_balance", True, solve, why_not, work)
