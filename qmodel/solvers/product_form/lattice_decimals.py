"""Convolution over the lattice of populations in decimals, for rates that floats cannot follow.

`lattice_convolution` keeps all constants of a hyperplane in one unit. Where the rates of a station
rise and fall by many orders of magnitude, what matters at the end may lie further below the
largest constant than floats reach. Decimals of 40 digits have room for any exponent; they are some
hundred times slower, and serve such networks as long as the lattice is small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import product
from math import log2

from qmodel.model.closed_network import SeveralClasses
from qmodel.numerics.power_series import in_decimals
from qmodel.solvers.product_form.population_lattice import size

#: Range of the rates of a station that `lattice_convolution` bears whatever else holds; of the
#: networks below the mildest that failed had 28. [bits]
SPREAD = 20.0
#: Bits of `steepness` that `lattice_convolution` bears: of 1,160 random networks with rates over
#: up to 60 orders of magnitude 122 failed, the mildest at 228.
BEARABLE = 150.0
#: Numbers computed at most: some seconds.
WORK = 5_000_000

Constants = list[Decimal]


def steepness(model: SeveralClasses) -> float:
    """How far rates that vary widely lead from geometric weights. [bits]

    Per station, the range of its rates, and of the logarithms of its weights about the straight
    line from nobody to everybody there. Stations whose rates vary by less than 2^20 count nothing.
    """
    total = 0.0
    for rates in model.rates:
        if rates is None:
            continue
        logs = [log2(rate) for rate in rates]
        spread = max(logs) - min(logs)
        if spread < SPREAD:
            continue
        more = max(0, sum(model.population) - len(logs))  # customers beyond the last rate
        mean = (sum(logs) + more * logs[-1]) / (len(logs) + more)
        at, low, high = 0.0, 0.0, 0.0
        for logarithm in logs:
            at += mean - logarithm
            low, high = min(low, at), max(high, at)
        # From the last rate on it is a straight line, back to 0 at everybody.
        total += spread + high - low
    return total


def work(model: SeveralClasses) -> float:
    """Numbers that `convolve` would compute."""
    stages = sum(len(rates or (1.0,)) for rates in model.rates)
    return float(size(model.population) * len(model.population) * stages * len(model.rates))


def convolve(model: SeveralClasses) -> tuple[list[float], list[list[float]]]:
    """Throughput of each class [1/s] and residence times at each station [s].

    Parameters
    ----------
    model : SeveralClasses
        With at least one class and one station.
    """
    return in_decimals(lambda number: _convolve(model, number))


def _convolve(
    model: SeveralClasses, number: Callable[[float], Decimal]
) -> tuple[list[float], list[list[float]]]:
    lattice = _Lattice(model.population)
    demand = [[number(d) for d in row] for row in model.demand]
    columns = list(zip(*demand, strict=True))
    speeds = [[number(rate) for rate in rates or (1.0,)] for rates in model.rates]
    thinking = lattice.product([number(z) for z in model.delay])
    residence = [[0.0] * len(columns) for _ in demand]
    throughput: list[Decimal] = []
    for k, column in enumerate(columns):
        rest = thinking
        for other, rates in enumerate(speeds):
            if other != k:
                rest = lattice.with_station(rest, columns[other], rates)
        weights = lattice.weights(column, speeds[k])
        everybody = lattice.coefficient(weights, rest)
        throughput = [
            lattice.coefficient(weights, rest, less=c) / everybody for c in range(len(demand))
        ]
        for c, x in enumerate(throughput):
            counted = [n[c] * w for n, w in zip(lattice.populations, weights, strict=True)]
            residence[c][k] = float(lattice.coefficient(counted, rest) / everybody / x)
    return [float(x) for x in throughput], residence


class _Lattice:
    """Populations in the order of the last class, so that of a sum the numbers add up too."""

    def __init__(self, population: Sequence[int]) -> None:
        self.populations = list(product(*[range(n + 1) for n in population]))
        #: How much one customer of each class adds to the number of a population.
        self.strides = [size(population[c + 1 :]) for c in range(len(population))]
        #: Class and number of each population with one customer less.
        self.before = [
            [(c, at - self.strides[c]) for c, n in enumerate(customers) if n]
            for at, customers in enumerate(self.populations)
        ]

    def product(self, works: Sequence[Decimal]) -> Constants:
        """The product over classes of w^n / n!, at each population."""
        found = [Decimal(1)]
        for customers, before in zip(self.populations[1:], self.before[1:], strict=True):
            c, there = before[0]
            found.append(found[there] * works[c] / customers[c])
        return found

    def with_station(
        self, constants: Constants, column: Sequence[Decimal], rates: Sequence[Decimal]
    ) -> Constants:
        """The constants of a network with one station more, by Horner's rule."""
        stage: Constants = []
        for m, rate in enumerate(reversed(rates)):
            works = [demand / rate for demand in column]
            found: Constants = []
            inner = stage if m else found  # the last rate goes on
            for constant, before in zip(constants, self.before, strict=True):
                total = constant
                for c, there in before:
                    total += works[c] * inner[there]
                found.append(total)
            stage = found
        return stage

    def weights(self, column: Sequence[Decimal], rates: Sequence[Decimal]) -> Constants:
        """The weight of each population at one station."""
        found = [Decimal(1)]
        for customers, before in zip(self.populations[1:], self.before[1:], strict=True):
            total = Decimal(0)
            for c, there in before:
                total += column[c] * found[there]
            found.append(total / rates[min(sum(customers), len(rates)) - 1])
        return found

    def coefficient(self, first: Constants, second: Constants, less: int | None = None) -> Decimal:
        """Of the product of both, at everybody, or with one customer ``less`` of a class."""
        last, missing = len(first) - 1, 0
        here = list(range(len(first)))
        if less is not None:
            missing = self.strides[less]
            most = self.populations[-1][less]
            here = [at for at in here if self.populations[at][less] < most]
        total = Decimal(0)
        for at in here:
            total += first[at] * second[last - missing - at]
        return total
