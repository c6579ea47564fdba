"""Mixed networks, closed and open classes together, by effective capacity.

Sauer (1983); Lazowska et al. (1984), algorithm 7.4.
Equations, errors, sources: `qmodel/solvers/THEORY.md`, product_form/mixed.
"""

from collections.abc import Sequence
from functools import partial

from qmodel.errors import Unstable
from qmodel.kernels.effective_rates import effective_rates
from qmodel.model.closed_network import at_population
from qmodel.model.customer_classes import ClosedClass, CustomerClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation, LoadDependentStation, QueueingStation, Station
from qmodel.solvers.method import Method
from qmodel.solvers.open_load import OpenLoad, open_loads
from qmodel.solvers.product_form.open_network import residence_per_demand

#: Steps beyond this, servers of a station or the square of its number of rates, take too long.
LARGEST = 10_000_000


def why_not(network: Network, by: str = "exact") -> str | None:
    """The assumption that fails, or None if the method applies; ``by`` as of `solve`."""
    kinds = {type(customer_class) for customer_class in network.classes}
    if OpenClass not in kinds:
        return "no class is open"
    if ClosedClass not in kinds:
        return "no class is closed"
    if (broken := network.product_form_violation()) is not None:
        return broken
    try:
        loads = open_loads(network)
    except Unstable:
        return None  # whatever the closed classes are, the answer is that there is none
    for station, entry in zip(network.stations, loads, strict=True):
        size = _size(station, network) if entry.load > 0.0 else 0
        if size > LARGEST:
            return f"station {station.name!r} needs {size:.3g} steps, it takes {LARGEST:.3g}"
    closed = _closed_part(network, loads)
    for part in (closed, *(_one_more(closed, c) for c in _witnesses(network).values())):
        if reason := _closed_why_not(part, by):
            return f"what is left for the closed classes: {reason}"
    return None


def solve(network: Network, by: str = "exact") -> Solution:
    """Throughput and residence times of all classes.

    The closed part is solved ``by`` an "exact" method, or by the approximate one of that name.

    Raises `Unstable` if a station cannot keep up with the open classes alone.
    """
    from qmodel.solvers import solve as solve_closed  # the list of methods holds this one

    loads = open_loads(network)
    closed = _closed_part(network, loads)
    closed_solution = solve_closed(closed, by)
    witnesses = _witnesses(network)
    crowded = {
        c: solve_closed(_one_more(closed, c), by).residence_times[c]
        for c in set(witnesses.values())
    }
    present = [0.0] * len(network.stations)
    for row in closed_solution.queue_lengths:
        present = [total + q for total, q in zip(present, row, strict=True)]
    stretch = []
    for k, (station, entry) in enumerate(zip(network.stations, loads, strict=True)):
        if k in witnesses:
            c = witnesses[k]
            stretch.append(crowded[c][k] / closed.demand[c][k])
        elif isinstance(station, QueueingStation) and station.servers == 1:
            stretch.append((1.0 + present[k]) / entry.spare)
        else:
            stretch.append(residence_per_demand(station, entry))

    left = iter(zip(closed_solution.throughputs, closed_solution.residence_times, strict=True))
    throughputs, residence = [], []
    for customer_class, row in zip(network.classes, network.demand, strict=True):
        if isinstance(customer_class, ClosedClass):
            throughput, times = next(left)
        else:
            throughput = customer_class.arrival_rate
            times = tuple(d * s for d, s in zip(row, stretch, strict=True))
        throughputs.append(throughput)
        residence.append(times)
    name = "mixed" if by == "exact" else f"mixed-{by}"
    return Solution(
        network, name, tuple(throughputs), tuple(residence), iterations=closed_solution.iterations,
        residual=closed_solution.residual,
    )  # fmt: skip


def _size(station: Station, network: Network) -> int:
    """Steps that the effective capacity of a station takes."""
    if isinstance(station, QueueingStation):
        return station.servers
    if isinstance(station, DelayStation):
        return 1
    assert isinstance(station, LoadDependentStation)
    return len(station.rates) * min(len(station.rates), 1 + sum(network.populations))


def _closed_part(network: Network, loads: Sequence[OpenLoad]) -> Network:
    """The network the closed classes see."""
    classes = [c for c in network.classes if isinstance(c, ClosedClass)]
    rows = [list(row) for row in _demands(network, ClosedClass)]
    # One more than there are, for the customer who sees what an open one would.
    population = 1 + sum(network.populations)
    stations: list[Station] = []
    for k, (served, entry) in enumerate(zip(network.stations, loads, strict=True)):
        # It has product form, so the order does not matter.
        station: Station = (
            QueueingStation(served.name, served.servers)
            if isinstance(served, QueueingStation)
            else served
        )
        if isinstance(station, DelayStation) or entry.load == 0.0:
            stations.append(station)
        elif isinstance(station, QueueingStation) and station.servers == 1:
            stations.append(station)
            for row in rows:
                row[k] /= entry.spare
        else:
            assert isinstance(station, QueueingStation | LoadDependentStation)
            speeds = station.servers if isinstance(station, QueueingStation) else station.rates
            rates = effective_rates(speeds, entry.load, entry.spare, population)
            stations.append(LoadDependentStation(station.name, rates))
    return Network(stations, classes, rows)


def _demands(network: Network, kind: type[CustomerClass]) -> list[tuple[float, ...]]:
    """The demands of the closed or of the open classes."""
    both = zip(network.classes, network.demand, strict=True)
    return [row for c, row in both if isinstance(c, kind)]


def _witnesses(network: Network) -> dict[int, int]:
    """For each station that needs it, the closed class whose next customer sees what open ones see.

    Those are stations of several speeds that both kinds of class visit. The class is counted
    among the closed ones; as few as a simple choice allows are named.
    """
    closed, opened = (_demands(network, kind) for kind in (ClosedClass, OpenClass))
    chosen: dict[int, int] = {}
    for k, station in enumerate(network.stations):
        if isinstance(station, DelayStation) or (
            isinstance(station, QueueingStation) and station.servers == 1
        ):
            continue
        able = [c for c, row in enumerate(closed) if row[k] > 0.0]
        if able and any(row[k] > 0.0 for row in opened):
            known = [c for c in able if c in chosen.values()]
            chosen[k] = (known or able)[0]
    return chosen


def _one_more(closed: Network, c: int) -> Network:
    """The same network with one customer more in class ``c``."""
    return at_population(closed, closed.class_names[c], closed.populations[c] + 1)


def _closed_why_not(closed: Network, by: str) -> str | None:
    """Why no exact method, or the one named, solves the closed part, or None if one does."""
    from qmodel.solvers import METHODS

    refusals = []
    for method in METHODS:
        if method.exact if by == "exact" else method.name == by:
            if (reason := method.why_not(closed)) is None:
                return None
            refusals.append(f"{method.name}: {reason}")
    return "; ".join(refusals)


METHOD = Method("mixed", True, solve, why_not)
APPROXIMATE = Method(
    "mixed-linearizer", False, partial(solve, by="linearizer"), partial(why_not, by="linearizer")
)
