"""One closed class at every population up to some N, in one pass of the exact recursions.

Mean value analysis passes by every population anyway; convolution has every normalising constant
on its way. From the population on where the bottleneck is saturated to the last digit (a number
found by bisection, since the test is cheap) nothing needs to be computed but the queue there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from qmodel.model.closed_network import OneClass
from qmodel.numerics.power_series import (
    geometric,
    in_decimals,
    product,
    products,
)
from qmodel.solvers.product_form.convolution import HIGHEST, LOWEST, factor, sinks, time_unit
from qmodel.solvers.product_form.saturation_limit import limits, saturated

if TYPE_CHECKING:
    from qmodel.numerics.power_series import Number

#: Throughput, then the residence time at each station.
Measures = tuple[float, ...]


def every_population(model: OneClass, wanted: Iterable[int]) -> dict[int, Measures]:
    """Throughput and residence times with 1, 2 ... ``model.population`` customers, where wanted."""
    start = _first_saturated(model)
    here = {n for n in wanted if 0 < n <= model.population}
    found: dict[int, Measures] = {}
    below = {n for n in here if n < start}
    if below:
        part = model._replace(population=max(below))
        found = (_convolution if any(model.rates) else _mean_value_analysis)(part, below)
    if len(here) > len(below):
        found |= limits(model, here - below)
    return found


def _first_saturated(model: OneClass) -> int:
    """The least population at which `saturated` holds, or one more than that of ``model``."""
    low, high = 0, model.population + 1
    if saturated(model) is None:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if saturated(model._replace(population=middle)) is None:
            low = middle
        else:
            high = middle
    return high


def _mean_value_analysis(model: OneClass, wanted: AbstractSet[int]) -> dict[int, Measures]:
    demands = model.demands
    queue = [0.0] * len(demands)
    found: dict[int, Measures] = {}
    for n in range(1, model.population + 1):
        residence = [d * (1.0 + q) for d, q in zip(demands, queue, strict=True)]
        total = model.delay
        for r in residence:
            total += r
        throughput = n / total
        queue = [throughput * r for r in residence]
        if n in wanted:
            found[n] = (throughput, *residence)
    return found


def _convolution(model: OneClass, wanted: AbstractSet[int]) -> dict[int, Measures]:
    found = _convolve(model, wanted, float) or in_decimals(
        lambda number: _convolve(model, wanted, number)
    )
    assert found is not None  # decimals hold any network of floats
    return found


def _convolve(
    model: OneClass, wanted: AbstractSet[int], number: Callable[[float], Number]
) -> dict[int, Measures] | None:
    """As `_convolution`, in floats or decimals; None if floats are too narrow."""
    n = model.population
    unit = number(time_unit(model))
    base = products([number(model.delay) / unit / j for j in range(1, n + 1)], number(1.0))
    simple = [(k, number(d) / unit) for k, d in enumerate(model.demands) if model.rates[k] is None]
    for _, ratio in simple:
        base = geometric(base, ratio)
    several = [
        factor(k, number(model.demands[k]) / unit, [number(s) for s in speeds], n)
        for k, speeds in enumerate(model.rates)
        if speeds is not None
    ]
    if number is float and any(sinks(*f) for f in several):
        return None
    constants = base
    for _, head, ratio, _ in several:
        constants = product(constants, head, ratio)
    if number is float and (min(constants) < LOWEST or not max(constants) < HIGHEST):
        return None
    numerators: list[list[Number]] = [[]] * len(model.demands)
    for k, ratio in simple:
        # D times the network with a copy of the station beside it.
        numerators[k] = [ratio * twice for twice in geometric(constants, ratio)[:n]]
    for k, head, ratio, _ in several:
        rest = base
        for other, its_head, its_ratio, _ in several:
            if other != k:
                rest = product(rest, its_head, its_ratio)
        # The weights times the number there: its head, then a geometric series of second order.
        steps = len(head) - 1
        moments = [j * weight for j, weight in enumerate(head)]
        first = product(rest, moments, ratio)
        second = geometric(geometric(rest, ratio), ratio)
        late = [rest[0] * 0] * (steps + 1)
        late += [head[-1] * ratio * value for value in second]
        numerators[k] = [a + b for a, b in zip(first[1:], late[1:], strict=False)]
    found: dict[int, Measures] = {}
    for i in wanted:
        before = constants[i - 1]
        row = [float(before / constants[i] / unit)]
        row += [float(numerator[i - 1] / before * unit) for numerator in numerators]
        found[i] = tuple(row)
    return found
