"""How the networks of a review are solved: exactly, unless that takes too long."""

from collections.abc import Iterable
from functools import lru_cache

import qmodel as qm
from calibration.model_evaluation.effort import applies, left_to, vectors
from qmodel.errors import NotApplicable

Solutions = dict[qm.Network, qm.Solution]

#: Population vectors beyond this many are too many for stations whose speed depends on the load
#: (cores with hardware threads), which take ten times as long.
CROWD = 500


@lru_cache(maxsize=2048)
def solve_network(network: qm.Network) -> qm.Solution:
    """The solution of a network: exact, unless that takes too long.

    Remembered by the network, since half of what a review solves it has solved before: options that
    change nothing the model sees, and hours of the peak with the same tasks.
    """
    if network.scv is not None and (one := _one_class(network)) is not None:
        return _by_kernel(network, one)
    if method := left_to(network):
        return qm.solve(network, method=method)
    if network.limits and vectors(network) > CROWD and applies("aggregated-fes", network):
        return qm.solve(network, method="aggregated-fes")
    if network.product_form_violation() is not None:
        # Options are compared: all by one method, though the chain of some might be small enough.
        for method in ("flow-equivalent", "marie"):
            if applies(method, network):
                return qm.solve(network, method=method)
    try:
        return qm.solve(network)
    except NotApplicable as refusal:
        raise _no_method(network) from refusal


def solve_together(networks: Iterable[qm.Network], *, all_or_none: bool = False) -> Solutions:
    """Solutions of those networks that are left to an approximate method.

    Ten variants of one configuration as arrays take little more time than one. A network without an
    answer is not among them; `solve_network` has the reason. With ``all_or_none`` all are left to
    the method as soon as one is, so that a curve has no step where exact solutions end.
    """
    alike: dict[tuple[tuple[str, ...], ...], list[qm.Network]] = {}
    asked = dict.fromkeys(networks)
    every = all_or_none and any(map(left_to, asked))
    for network in asked:
        if applies("linearizer", network) if every else left_to(network) == "linearizer":
            alike.setdefault((network.station_names, network.class_names), []).append(network)
    together = {}
    for some in alike.values():
        if len(some) == 1:
            continue
        from qmodel import sweep  # and numpy, only where there is much to solve

        found = sweep(some, method="linearizer")
        for i, network in enumerate(some):
            if i not in found.problems:
                rates, times = found.throughput[i].tolist(), found.residence_time[i].tolist()
                together[network] = qm.Solution(network, "linearizer", rates, times)
    return together


def _one_class(network: qm.Network) -> qm.kernels.OneClassNetwork | None:
    """As `qmodel.kernels` takes it: one closed class; open classes are work of several servers."""
    closed = [i for i, c in enumerate(network.classes) if isinstance(c, qm.ClosedClass)]
    if len(closed) != 1 or network.limits:
        return None
    i = closed[0]
    rates: list[tuple[float, ...] | None] = []
    demands, servers, scv, taken, delay = [], [], [], [], 0.0
    for k, station in enumerate(network.stations):
        demand = network.demand[i][k]
        other = sum(
            c.arrival_rate * network.demand[j][k]
            for j, c in enumerate(network.classes)
            if isinstance(c, qm.OpenClass)
        )
        if isinstance(station, qm.DelayStation):
            delay += demand
            continue
        varies = network.scv[i][k] if network.scv is not None else 1.0
        if isinstance(station, qm.LoadDependentStation):
            if other:
                return None
            rates.append(station.rates)
            count = 1
        elif isinstance(station, qm.QueueingStation) and station.discipline in {"any", "fcfs"}:
            rates.append(None)
            count = station.servers
            if station.discipline == "any":
                varies = 1.0
        else:
            return None
        if varies != 1.0 and (count > 1 or other):
            return None
        demands.append(demand)
        servers.append(count)
        scv.append(varies)
        taken.append(other / count)
    if sum(value != 1.0 for value in scv) > 1:
        return None
    (customers,) = (c for c in network.classes if isinstance(c, qm.ClosedClass))
    return qm.kernels.OneClassNetwork(
        demands, customers.think_time, delay, servers, rates, taken, scv
    )


def _by_kernel(network: qm.Network, one: qm.kernels.OneClassNetwork) -> qm.Solution:
    ((i, customers),) = (
        (i, c) for i, c in enumerate(network.classes) if isinstance(c, qm.ClosedClass)
    )
    measures = qm.kernels.at_populations(one, [customers.population])[0]
    rows = [[0.0] * len(network.stations) for _ in network.classes]
    times = iter(measures.residence_times)
    for k, station in enumerate(network.stations):
        delay = isinstance(station, qm.DelayStation)
        rows[i][k] = network.demand[i][k] if delay else next(times)
    rates = [
        c.arrival_rate if isinstance(c, qm.OpenClass) else measures.throughput
        for c in network.classes
    ]
    return qm.Solution(network, "marie", tuple(rates), tuple(map(tuple, rows)))


def _no_method(network: qm.Network) -> NotApplicable:
    """Why nothing solves a server, in its administrator's words."""
    users = sum(c.population for c in network.classes if isinstance(c, qm.ClosedClass))
    count = len(network.classes)
    what = f"{count} {'class' if count == 1 else 'classes'} of {users} users and tasks"
    if network.limits:
        most = network.limits[0].customers
        return NotApplicable(
            f"no method solves {what} with server.most_active = {most}; leave it out to predict "
            "the server without that limit"
        )
    return NotApplicable(f"no method solves {what} on this server; give fewer users or classes")
