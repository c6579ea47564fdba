"""One closed class at every population up to some N, in one pass of the exact recursions.

Mean value analysis passes by every population anyway; convolution has every normalising constant
on its way. From the population on where the bottleneck is saturated to the last digit (a number
found by bisection, since the test is cheap) nothing needs to be computed but the queue there.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext

from qmodel.closed import OneClass
from qmodel.solvers.convolution import DIGITS, HIGHEST, LOWEST, factor, time_unit
from qmodel.solvers.positive_series import Number, geometric, product, products
from qmodel.solvers.saturation import limits, saturated

#: Throughput, then the residence time at each station.
Measures = tuple[float, ...]


def every_population(model: OneClass) -> list[Measures]:
    """Throughput and residence times with 1, 2 ... ``model.population`` customers."""
    start = _first_saturated(model)
    found: list[Measures] = []
    if start > 1:
        below = model._replace(population=start - 1)
        found = _convolution(below) if any(below.rates) else _mean_value_analysis(below)
    if start <= model.population:
        found += limits(model, start)
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


def _mean_value_analysis(model: OneClass) -> list[Measures]:
    demands = model.demands
    queue = [0.0] * len(demands)
    found: list[Measures] = []
    for n in range(1, model.population + 1):
        residence = [d * (1.0 + q) for d, q in zip(demands, queue, strict=True)]
        total = model.delay
        for r in residence:
            total += r
        throughput = n / total
        queue = [throughput * r for r in residence]
        found.append((throughput, *residence))
    return found


def _convolution(model: OneClass) -> list[Measures]:
    found = _convolve(model, float)
    if found is None:
        with localcontext(Context(prec=DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN)):
            found = _convolve(model, Decimal)
    assert found is not None
    return found


def _convolve(model: OneClass, number: Callable[[float], Number]) -> list[Measures] | None:
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
    found: list[Measures] = []
    for i in range(n):
        before = constants[i]
        row = [float(before / constants[i + 1] / unit)]
        row += [float(numerator[i] / before * unit) for numerator in numerators]
        found.append(tuple(row))
    return found
