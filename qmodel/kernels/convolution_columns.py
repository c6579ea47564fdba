"""Exact convolution of many networks of one class at once, with load dependence; see THEORY.md."""

from typing import NamedTuple

import numpy as np

from qmodel.kernels.array_series import delays, geometric, present, product
from qmodel.kernels.convolution import HIGHEST, LOWEST
from qmodel.numerics.arrays import Array, Whole

#: Numbers of one array, rows times columns, so that some ten of them fit into memory.
NUMBERS = 500_000
#: Populations at most; beyond, a network at a time is as quick.
MOST = 5_000


class Columns(NamedTuple):
    """M networks of one class where K stations queue."""

    #: Think time and demands at delay stations, (M,). [s]
    delay: Array
    #: (K, M) [s]
    demand: Array
    #: Speeds with 1, 2 ... customers, the last going on, (L, M) for each of the K stations.
    rates: tuple[Array, ...]


def at_populations(networks: Columns, column: Whole, population: Whole) -> tuple[Array, Array]:
    """Throughput (B,) and residence times (K, B) of points; nan where floats are too narrow.

    ``column`` is the network of each point, ascending, ``population`` its population, at least 1,
    both of shape (B,).
    """
    throughput = np.full(len(column), np.nan)
    residence = np.full((len(networks.demand), len(column)), np.nan)
    width = max(1, NUMBERS // (int(population.max()) + 1))
    for first in range(0, len(networks.delay), width):
        low, high = np.searchsorted(column, [first, first + width])
        part = slice(first, first + width)
        some = Columns(
            networks.delay[part],
            networks.demand[:, part],
            tuple(r[:, part] for r in networks.rates),
        )
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            throughput[low:high], residence[:, low:high] = _part(
                some, column[low:high] - first, population[low:high]
            )
    return throughput, residence


def _part(networks: Columns, column: Whole, population: Whole) -> tuple[Array, Array]:
    last = np.zeros(len(networks.delay), np.int64)
    np.maximum.at(last, column, population)
    unit, constants, customers = _series(networks, last)
    before, here = constants[population - 1, column], constants[population, column]
    throughput = before / here / unit[column]
    residence = np.empty((len(customers), len(column)))
    for k, there in enumerate(customers):
        residence[k] = there[population, column] / before * unit[column]
    narrow = ~((here > LOWEST) & (here < HIGHEST) & (before > LOWEST) & (before < HIGHEST))
    throughput[narrow] = np.nan
    residence[:, narrow] = np.nan
    return throughput, residence


def _series(networks: Columns, last: Whole) -> tuple[Array, Array, list[Array]]:
    """Unit of time, constants with 0, 1 ... customers, and times these the number at each station.

    All with the networks as columns, up to the largest of the populations ``last``.
    """
    unit = _time_units(networks, last)
    base, several = _factors(networks, unit, last)
    constants = _product(base, several)
    customers = []
    for k, (demand, rates) in enumerate(zip(networks.demand, networks.rates, strict=True)):
        if k in several:
            there = present(_product(base, several, k), *several[k])
        else:
            work = demand / unit / rates[0]
            there = np.zeros_like(constants)
            there[1:] = (work * geometric(constants, work))[:-1]
        customers.append(there)
    return unit, constants, customers


Factors = dict[int, tuple[Array, Array]]


def _factors(networks: Columns, unit: Array, last: Whole) -> tuple[Array, Factors]:
    """Constants of delays and single servers, and head and ratio of each other station."""
    base, several = delays(networks.delay / unit, int(last.max())), {}
    for k, (demand, rates) in enumerate(zip(networks.demand, networks.rates, strict=True)):
        work = demand / unit
        if len(rates) > 1:
            several[k] = _head(work, rates), work / rates[-1]
        else:
            base = geometric(base, work / rates[0])
    return base, several


def _product(base: Array, several: Factors, without: int | None = None) -> Array:
    """Normalising constants of the networks, or of those without one station."""
    for k, (head, ratio) in several.items():
        if k != without:
            base = product(base, head, ratio)
    return base


def _time_units(networks: Columns, population: Whole) -> Array:
    """One over an upper bound of each throughput, see `qmodel.kernels.convolution.time_unit`."""
    least = networks.delay.copy()
    unit = np.zeros_like(least)
    for demand, speeds in zip(networks.demand, networks.rates, strict=True):
        number = np.arange(1.0, len(speeds) + 1)[:, None]
        least += demand * (number / speeds).min(axis=0)
        unit = np.maximum(unit, demand / speeds.max(axis=0))
    cap: Array = np.maximum(unit, least / np.maximum(population, 1))
    return cap


def _head(work: Array, rates: Array) -> Array:
    """The first weights of a station, work^n / (r(1) ... r(n)) for n below the number of rates."""
    head: Array = np.ones_like(rates)
    for n in range(1, len(rates)):
        head[n] = head[n - 1] * (work / rates[n - 1])
    return head
