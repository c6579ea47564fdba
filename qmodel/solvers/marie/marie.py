"""Marie's method: what breaks product form is replaced by equivalent product-form stations.

Marie (1979); all classes are kept together, where Baynat and Dallery (1996) split them.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, marie/marie.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from qmodel.errors import NotApplicable
from qmodel.model.closed_network import empty_solution, not_closed, solution_of
from qmodel.model.network import Network
from qmodel.model.population_limits import inside_of_two
from qmodel.model.solution import NotConverged, Solution
from qmodel.model.stations import DelayStation, ForkJoinStation
from qmodel.numerics.arrays import Array
from qmodel.solvers.fork_join import fork_speeds
from qmodel.solvers.fork_join.branch_pair_ctmc import largest_total
from qmodel.solvers.marie import fixed_point as iteration
from qmodel.solvers.marie.marginal_weights import convolve
from qmodel.solvers.marie.subnetworks import LARGEST, mean_numbers
from qmodel.solvers.markov.ordered_queue import OrderedStation, keeps_order
from qmodel.solvers.method import MANY, Method
from qmodel.solvers.open_load import check_served

#: Population vectors with one subnetwork and with several, and customers at most: some seconds, as
#: with `LARGEST` states of a subnetwork.
VECTORS_OF_ONE, VECTORS, CUSTOMERS = 6_000, 3_000, 200
#: Seconds that a mix of customers inside a limit takes, and one where order matters there, with a
#: state at most of its chains; a state of a chain, and its solution, to the power 1.5 of the
#: states; a fork whose chain holds all visits, and one that does not. Iterations of several
#: subnetworks that are usual.
EACH_MIX, EACH_INSIDE, EACH_STATE, EACH_SOLUTION = (2e-4, 0.02), 2.5e-5, 4e-5, 2e-7
EACH_FORK = 0.6, 10.0
USUAL = 20
#: Throughput, over that without any waiting, that is none.
HARDLY = 1e-12
#: Share of its service time by which a visit may be too short: rounding.
WITHOUT_WAITING = 1e-9


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    if network.has_product_form_kinds:
        return "nothing in the network breaks product form"
    reasons = [not_closed(network), inside_of_two(network.limits)]
    reasons += [fork_speeds.why_not(network, k) for k in range(len(network.stations))]
    if any(reasons):
        return next(filter(None, reasons))
    population = network.populations
    vectors = min(MANY, prod(n + 1 for n in population))
    most = VECTORS_OF_ONE if _subnetworks(network) == 1 else VECTORS
    if vectors > most:
        return f"{vectors:.3g} population vectors, it takes {most}"
    if sum(population) > CUSTOMERS:
        return f"{sum(population)} customers, it takes {CUSTOMERS}"
    return _too_many_states(network)


def solve(network: Network) -> Solution:
    """Approximate throughput and residence times.

    Raises `NotConverged` if the fixed point is not reached; the last iterate is in the error;
    `NotApplicable` if a subnetwork tells its customers so much apart that a visit of one would be
    shorter than its own service, or a fork has more visits in progress than its chain holds;
    `Unstable` if classes of higher priority keep one from being served at all.
    """
    if not any(network.populations):
        return empty_solution(network, "marie")
    reached = iteration.fixed_point(network)
    classes, throughput = reached.classes, reached.throughput
    check_served(network, dict(zip(classes, throughput.tolist(), strict=True)), HARDLY)
    residence = np.zeros((len(classes), len(network.stations)))
    inside: set[int] = set()
    for subnetwork, mean in zip(reached.subnetworks, reached.means, strict=True):
        residence[:, list(subnetwork.stations)] = mean / throughput[:, None]
        inside.update(subnetwork.stations)
        _check_time(network, classes, subnetwork.stations, residence)
    for k, mean in _queue_lengths(reached.delays, reached.queues, reached.weights):
        residence[:, k] = mean / throughput
    for k, station in enumerate(network.stations):
        if k not in inside and isinstance(station, DelayStation):
            residence[:, k] = [network.demand[c][k] for c in classes]
    solution = solution_of(
        network, "marie", classes, throughput.tolist(), residence.tolist(),
        iterations=reached.iterations, residual=reached.change,
        details=iteration.states_of(reached),
    )  # fmt: skip
    if reached.change > iteration.ROUNDING:
        raise NotConverged(solution, iteration.TOLERANCE)
    return solution


def _check_time(
    network: Network, classes: Sequence[int], stations: Sequence[int], residence: Array
) -> None:
    """A visit takes at least its own service, but where more customers are served faster each."""
    for k in stations:
        rates = getattr(network.stations[k], "rates", ())
        faster = any(rate > n for n, rate in enumerate(rates, 1))
        for c, times in zip(classes, residence.tolist(), strict=True):
            if times[k] < network.demand[c][k] * (1.0 - WITHOUT_WAITING) and not faster:
                raise NotApplicable(
                    f"marie: at station {network.station_names[k]!r} class "
                    f"{network.class_names[c]!r} would take less than its service"
                )


def _subnetworks(network: Network) -> int:
    """How many subnetworks there are at most."""
    inside = {name for limit in network.limits for name in limit.stations}
    free = [s for s in network.stations if s.name not in inside]
    return len(network.limits) + sum(isinstance(s, ForkJoinStation) or keeps_order(s) for s in free)


def _too_many_states(network: Network) -> str | None:
    """The station whose chain is too large."""
    classes = [c for c, n in enumerate(network.populations) if n]
    inside = {name for limit in network.limits for name in limit.stations}
    for k, station in enumerate(network.stations):
        if station.name in inside or not keeps_order(station):
            continue
        population = [network.populations[c] if network.demand[c][k] else 0 for c in classes]
        if any(population):
            states = OrderedStation.of(network, classes, k).size(population)
            if states > LARGEST:
                return f"station {station.name!r} has {states:.3g} states, it takes {LARGEST}"
    return None


def _queue_lengths(
    delays: Array, queues: dict[int, Array], subnetworks: Sequence[Array]
) -> Iterator[tuple[int, Array]]:
    """Mean numbers of each class at the stations of product form, given all weights."""
    before = delays
    for weights in subnetworks:
        before = convolve(before, weights)
    # The convolution of the stations after each one, from the last one on.
    after: list[Array | None] = [None]
    for weights in [*queues.values()][:0:-1]:
        last = after[-1]
        after.append(weights if last is None else convolve(weights, last))
    for (k, weights), rest in zip(queues.items(), reversed(after), strict=bool(queues)):
        elsewhere = np.flip(before if rest is None else convolve(before, rest))
        probability = weights * elsewhere
        yield k, mean_numbers(probability / probability.sum())
        before = convolve(before, weights)


def of_marie(solution: Solution) -> iteration.StationStates | None:
    """The states behind a solution, of whatever method; None where Marie's does not apply."""
    if isinstance(solution.details, iteration.StationStates):
        return solution.details
    if why_not(solution.network) is not None:
        return None
    return iteration.states_of(iteration.fixed_point(solution.network))


def seconds(network: Network) -> float:
    """About how long it takes; see `Method`. [s]"""
    sizes = network.populations
    classes = [c for c, n in enumerate(sizes) if n]
    inside = {name for limit in network.limits for name in limit.stations}
    once = again = 0.0  # what is made once, and what is solved in each iteration
    for limit in network.limits:
        ways = _mixes([sizes[c] for c in classes])
        within = sum(ways[: limit.customers + 1])
        # Where it is full, each mix inside goes with each mix that waits.
        full = ways[min(limit.customers, len(ways) - 1)] * sum(ways[limit.customers + 1 :])
        states = within + full
        ordered = [
            OrderedStation.of(network, classes, k)
            for k, station in enumerate(network.stations)
            if station.name in limit.stations and keeps_order(station)
        ]
        if ordered:  # each mix inside is a network, with a chain for each of them
            mixes = product(*(range(sizes[c] + 1) for c in classes))
            each = [mix for mix in mixes if sum(mix) <= limit.customers]
            once += EACH_INSIDE * sum(station.size(mix) for mix in each for station in ordered)
        once += EACH_MIX[bool(ordered)] * within + EACH_STATE * states
        again += EACH_SOLUTION * states**1.5
    for k, station in enumerate(network.stations):
        population = [sizes[c] if network.demand[c][k] else 0 for c in classes]
        if isinstance(station, ForkJoinStation) and sum(map(bool, population)) > 1:
            again += EACH_FORK[largest_total(population, apart=True) < sum(population)]
        elif station.name not in inside and keeps_order(station):
            states = OrderedStation.of(network, classes, k).size(population)
            once += EACH_STATE * states
            again += EACH_SOLUTION * states**1.5
    return once + again * (1 if _subnetworks(network) == 1 else USUAL)


def _mixes(population: Sequence[int]) -> list[int]:
    """In how many ways 0, 1 ... customers are of several classes."""
    ways = np.ones(1)
    for n in population:
        ways = np.convolve(ways, np.ones(n + 1))
    return [round(each) for each in ways.tolist()]


METHOD = Method("marie", False, solve, why_not, seconds=seconds)
