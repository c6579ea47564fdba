"""The points of a curve: one pass where the recursion passes by them anyway, else one by one."""

from collections.abc import Sequence
from typing import NamedTuple

from qmodel.kernels.exact import exact
from qmodel.model import closed_network as reduced
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.solvers import solve
from qmodel.solvers.product_form import convolution, multiclass_mva, mva
from qmodel.solvers.product_form.lattice_limit import BYTES, memory
from qmodel.solvers.product_form.mva import FEW

Row = tuple[float, ...]


class Points(NamedTuple):
    """Throughputs (C,) and residence times (C, K) by population, and how they were found."""

    measures: dict[int, tuple[Row, tuple[Row, ...]]]
    method: str
    reason: str


def curve_points(network: Network, vary: str, populations: Sequence[int], method: str) -> Points:
    """Solutions at several populations of the closed class ``vary``.

    All are by one method, the one that solves the largest.
    """
    most = max(populations)
    largest = reduced.at_population(network, vary, most)
    if most and method in ("auto", "exact") and largest.product_form_violation() is None:
        # No population asked for is too large for the recursions of one class.
        large = (reduced.at_population(largest, vary, n) for n in {*populations} if n > FEW)
        serve = (mva.why_not(p) is None or convolution.why_not(p) is None for p in large)
        if reduced.not_one_class(largest) is None and all(serve):
            return _one_class(largest, populations)
        if _lattice_serves(largest, vary):
            return _over_the_lattice(largest, vary, populations)
    last = solve(largest, method)
    by_population = {most: (last.throughputs, last.residence_times)}
    for n in populations:
        if n not in by_population:
            point = solve(reduced.at_population(network, vary, n), last.method)
            by_population[n] = point.throughputs, point.residence_times
    return Points(by_population, last.method, last.reason)


def _one_class(largest: Network, populations: Sequence[int]) -> Points:
    """Points of a network with customers of one class only, whatever the others are."""
    model = reduced.one_class(largest)
    measures = exact(model, (n for n in populations if n))
    nowhere = (0.0,) * len(largest.stations)
    rows = [nowhere] * len(largest.classes)
    idle = [0.0] * len(largest.classes)
    before, after = model.position, model.position + 1
    everywhere = model.positions == tuple(range(len(largest.stations)))
    by_population = {}
    for n in populations:
        throughput, row = 0.0, nowhere
        if n:
            throughput, *times = measures[n]
            row = (
                tuple(times)
                if everywhere
                else reduced.residence_row(largest, model.position, model.positions, times)
            )
        by_population[n] = (
            (*idle[:before], throughput, *idle[after:]),
            (*rows[:before], row, *rows[after:]),
        )
    return Points(by_population, "convolution" if any(model.rates) else "mva", "exact")


def _lattice_serves(largest: Network, vary: str) -> bool:
    """True where one pass over the lattice with the varying class first is the way to go."""
    if multiclass_mva.why_not(largest) is not None:
        return False
    others = [
        c.population for c in largest.classes if isinstance(c, ClosedClass) and c.name != vary
    ]
    return memory((0, *others), len(largest.stations)) <= BYTES


def _over_the_lattice(largest: Network, vary: str, populations: Sequence[int]) -> Points:
    model = reduced.several_classes(largest)
    first = model.classes.index(largest.class_names.index(vary))
    model = model.in_order([first, *(c for c in range(len(model.classes)) if c != first)])
    without = model._replace(classes=model.classes[1:])
    wanted = set(populations)
    by_population = {}
    for n, throughput, residence in multiclass_mva.with_first_class(
        model.population, model.delay, model.demand
    ):
        if n in wanted:
            skipped = 0 if n else 1
            point = (model if n else without).solution(
                largest, "", throughput[skipped:].tolist(), residence[skipped:].tolist()
            )
            by_population[n] = point.throughputs, point.residence_times
    return Points(by_population, "multiclass-mva", "exact")
