"""Class aggregation: several classes at one limited region, however many customers.

Chandy, Herzog and Woo (1975); Lazowska et al. (1984), ch. 9.3.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, limits/aggregated_classes.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from qmodel.model.closed_network import empty_solution, not_closed, without_limits
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.solution import NotConverged, Solution
from qmodel.solvers import solve as solve_product_form
from qmodel.solvers.amva import linearizer
from qmodel.solvers.limits import admission_waits as admission
from qmodel.solvers.limits import flow_equivalent
from qmodel.solvers.method import Method

#: Population vectors beyond which the classes without the limit are left to `linearizer`.
VECTORS = 20_000
#: Customers beyond which so is the aggregate without it.
EXACT = 2_000
ROUNDS = 200
#: Rounds after which steps are damped: four to eight are usual, unless they oscillate.
WHOLE = 20
TOLERANCE = 1e-6


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    if not network.limits:
        return "no limit keeps customers outside"
    if len(network.limits) > 1:
        return f"it takes one limit, there are {len(network.limits)}"
    if reason := not_closed(network):
        return reason
    if len(network.classes) == 1:
        return "it takes several classes, there is one"
    (limit,) = network.limits
    inside = [network.station_names.index(name) for name in limit.stations]
    for each, row in zip(network.classes, network.demand, strict=True):
        if not limit.counts(each.name):
            return f"limit {limit.name!r} does not count class {each.name!r}"
        if not any(row[k] for k in inside):
            return f"class {each.name!r} is never inside limit {limit.name!r}"
    return without_limit(network).product_form_violation() or flow_equivalent.why_not(
        aggregate(network, [1.0] * len(network.classes))
    )


def solve(network: Network, tolerance: float = TOLERANCE, rounds: int = ROUNDS) -> Solution:
    """Approximate throughputs and residence times.

    Raises `NotConverged` if throughputs still change after so many rounds; the last iterate is in
    the error.
    """
    if not any(network.populations):
        return empty_solution(network, "aggregated-fes")
    free = _solved_freely(without_limit(network))
    rates = list(free.throughputs)
    waits = [0.0] * len(rates)
    rows: list[list[float]] = []
    moved, done = 1.0, 0
    for done in range(1, rounds + 1):
        left, queue = _changes(network, rates)
        if done > 1:
            waits = admission.admission_waits(network, rates, rows, queue)
        rows = admission.fitting_times(network, free.residence_times, left, waits)
        now = admission.class_rates(network, rows)
        moved = max(abs(new / old - 1.0) for new, old in zip(now, rates, strict=True) if old)
        part = 1.0 if done < WHOLE else WHOLE / (2.0 * done)
        rates = [old + part * (new - old) for new, old in zip(now, rates, strict=True)]
        if done > 1 and moved <= tolerance:
            break
    solution = Solution(
        network, "aggregated-fes", admission.class_rates(network, rows),
        tuple(tuple(row) for row in rows), iterations=done, residual=moved,
    )  # fmt: skip
    if moved > tolerance:
        raise NotConverged(solution, tolerance)
    return solution


def without_limit(network: Network) -> Network:
    """The same stations and classes, without the limit, by means and SCVs alone."""
    return without_limits(replace(network, distributions=(), routes=()))


def _solved_freely(network: Network) -> Solution:
    """All classes without the limit, exactly where that is quick."""
    vectors = prod(n + 1 for n in network.populations)
    if vectors > VECTORS and linearizer.METHOD.why_not(network) is None:
        return linearizer.solve(network)
    return solve_product_form(network)


def aggregate(network: Network, weights: Sequence[float]) -> Network:
    """All classes as one, with their demands in the mean by throughputs or other weights."""
    total = sum(weights)
    shares = [w / total for w in weights]
    away = _away(network)
    demand = [
        sum(p * row[k] for p, row in zip(shares, network.demand, strict=True))
        for k in range(len(network.stations))
        if k != away
    ]
    think = sum(p * z for p, z in zip(shares, network.think_time, strict=True))
    everybody = sum(network.populations)
    stations = [s for k, s in enumerate(network.stations) if k != away]
    limit = replace(network.limits[0], classes=None)
    return Network(stations, [ClosedClass("all", everybody, think)], [demand], limits=[limit])


def _changes(
    network: Network, rates: Sequence[float]
) -> tuple[tuple[float, ...], admission.AdmissionQueue]:
    """Queueing time of the aggregate over that without the limit, and its admission queue. [1]"""
    one, away = aggregate(network, rates), _away(network)
    held = flow_equivalent.numbers(one)
    demand = one.demand[0]
    left = []
    for k, (d, free) in enumerate(zip(demand, _free_residence(one), strict=True)):
        queueing = held.queues[k] / held.throughput - d
        left.append(max(0.0, queueing / (free - d)) if free > d else 1.0)
    del left[away]
    wait = held.queues[away] / held.throughput
    return tuple(left), admission.AdmissionQueue(wait, held.probabilities, held.most, held.speed)


def _free_residence(one: Network) -> tuple[float, ...]:
    """Residence times of the aggregate without the limit; 0 in the admission queue. [s]"""
    (customers,) = one.classes
    assert isinstance(customers, ClosedClass)
    if customers.population > EXACT:
        row = list(linearizer.solve(without_limit(one)).residence_times[0])
        row.insert(_away(one), 0.0)
        return tuple(row)
    wide = replace(one.limits[0], customers=customers.population)
    return flow_equivalent.solve(replace(one, limits=(wide,))).residence_times[0]


def _away(network: Network) -> int:
    """The station where customers wait for admission."""
    return network.station_names.index(network.limits[0].name)


METHOD = Method("aggregated-fes", False, solve, why_not)
