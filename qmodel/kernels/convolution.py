"""Exact convolution of one class, with several servers and load dependence; see THEORY.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from qmodel.kernels.mean_value_analysis import Row
from qmodel.model.closed_network import OneClass
from qmodel.numerics.power_series import coefficient, geometric, in_decimals, product, products

if TYPE_CHECKING:
    from qmodel.numerics.power_series import Number

#: Normalising constants outside this range may have lost terms to underflow. Each factor is at
#: most 1 and what is lost is below 1e-307, so 1e-200 leaves room for a million customers at
#: fifteen stations.
LOWEST, HIGHEST = 1e-200, 1e200


class Factor(NamedTuple):
    """Weights of a station of several speeds: the first, the ratio of the others, all up to N."""

    head: list[Any]
    ratio: Any
    weights: list[Any]

    @property
    def sinks(self) -> bool:
        """True if weights fall out of the range of floats and rise again; `product` misses it."""
        return bool(self.head[-1] < LOWEST and self.ratio > 1)


def convolution(
    model: OneClass, populations: Iterable[int] = (), *, stations: bool = True
) -> dict[int, Row]:
    """Throughput and residence times at some populations up to that of ``model``.

    The populations are by default that of ``model``; ``stations`` is False where throughput is
    enough, which is quicker.
    """
    left = sorted({*populations} or {model.population})
    if not model.demands:
        return {n: (n / model.delay,) for n in left}
    rows: dict[int, Row] = {}
    while left:
        compute = partial(convolve, model._replace(population=left[-1]), left, stations)
        part = compute(float)
        rows |= part if left[-1] in part else in_decimals(compute)
        left = [n for n in left if n not in rows]
    return rows


def convolve(
    model: OneClass, wanted: Sequence[int], stations: bool, number: Callable[[float], Number]
) -> dict[int, Row]:
    """As `convolution`, in floats or decimals; without the populations that floats cannot hold."""
    unit, work, base, several = _factors(model, number)
    longest = max((len(each.head) for each in several.values()), default=0)
    whole = len(wanted) > 1 and longest <= 2 * len(wanted)
    if number is float and (whole or len(several) > 1) and not _fit(several):
        return {}
    # The station taken last needs the coefficients asked for, not the whole series.
    last = max(several, default=-1)
    rest = constants = _without(last, base, several)
    own: list[Number] | None = several[last].weights if several else None
    if own is not None and whole:
        constants, own = product(rest, several[last].head, several[last].ratio), None

    def at(series: list[Number], i: int) -> Number:
        return series[i] if own is None else coefficient(own, series, i)

    known = {i: at(constants, i) for i in {*wanted, *(i - 1 for i in wanted)}}
    if number is float:
        fits = {i for i, g in known.items() if LOWEST < g < HIGHEST}
        wanted = [i for i in wanted if i in fits and i - 1 in fits]
    rows = {i: [float(known[i - 1] / known[i] / unit)] for i in wanted}
    alike: dict[object, dict[int, Number]] = {}  # drives of an array are all the same
    for k, ratio in enumerate(work) if stations and wanted else ():
        present = alike.get((ratio, model.rates[k]))
        if present is None and k in several:
            others = rest if k == last else _without(k, base, several)
            present = _present(several[k], others, wanted, whole)
        elif present is None:
            # D times the network with a copy of the station beside it.
            twice = geometric(constants, ratio)
            present = {i: ratio * at(twice, i - 1) for i in wanted}
        alike[ratio, model.rates[k]] = present
        for i, row in rows.items():
            row.append(float(present[i] / known[i - 1] * unit))
    return {i: tuple(row) for i, row in rows.items()}


def _factors(
    model: OneClass, number: Callable[[float], Number]
) -> tuple[Number, list[Number], list[Number], dict[int, Factor]]:
    """Unit of time, demands in it, constants of delays and single servers, and other stations."""
    n = model.population
    unit = number(time_unit(model))
    work = [number(demand) / unit for demand in model.demands]
    base = products([number(model.delay) / unit / j for j in range(1, n + 1)], number(1.0))
    several = {}
    for k, speeds in enumerate(model.rates):
        if speeds is None:
            base = geometric(base, work[k])
            continue
        ratios = [work[k] / number(speed) for speed in speeds]
        ratio = ratios[-1]
        ratios += [ratio] * (n - len(ratios))
        weights = products(ratios[:n], number(1.0))
        several[k] = Factor(weights[: len(speeds)], ratio, weights)
    return unit, work, base, several


def _without(k: int, base: list[Number], several: dict[int, Factor]) -> list[Number]:
    """Constants of the network without station k, one of several speeds."""
    for other, (head, ratio, _) in several.items():
        if other != k:
            base = product(base, head, ratio)
    return base


def _fit(several: dict[int, Factor]) -> bool:
    return not any(each.sinks for each in several.values())


def _present(
    factor: Factor, rest: list[Number], wanted: Sequence[int], whole: bool
) -> dict[int, Number]:
    """Weights times the number at a station, convolved with those of the rest."""
    head, ratio, weights = factor
    if not whole:
        moments = [j * weight for j, weight in enumerate(weights)]
        return {i: coefficient(moments, rest, i) for i in wanted}
    # Its head, then a geometric series of second order.
    first = product(rest, [j * weight for j, weight in enumerate(head)], ratio)
    late = geometric(geometric(rest, ratio), ratio)
    steps = len(head)
    return {i: first[i] + (head[-1] * ratio * late[i - steps] if i >= steps else 0) for i in wanted}


def time_unit(model: OneClass) -> float:
    """The time in which to measure demands, 1 over an upper bound of the throughput. [s]"""
    least, unit = model.delay, 0.0
    for demand, speeds in zip(model.demands, model.rates, strict=True):
        if speeds is None:
            least += demand
            unit = max(unit, demand)
        else:
            least += demand * min(j / speed for j, speed in enumerate(speeds, 1))
            unit = max(unit, demand / max(speeds))
    return max(unit, least / model.population)
