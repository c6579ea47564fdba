"""Batches of one closed class: mean value analysis, and convolution, over all points at once.

Convolution serves several servers and load dependence: Buzen's sums as in
`qmodel.kernels.convolution`, all positive, with the networks as columns and populations as rows.
Every column is scaled by its own unit of time; where a normalising constant leaves the range of
floats nonetheless, the point is left as nan, for the solvers of single networks, which have
decimals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qmodel.analysis.sweep.batch import Batch
from qmodel.kernels import columns
from qmodel.kernels.array_series import delays, geometric, present, product
from qmodel.kernels.convolution import HIGHEST, LOWEST
from qmodel.model.closed_network import service_rates
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.stations import DelayStation, LoadDependentStation
from qmodel.numerics.arrays import Array, Flags, Whole

#: Networks that differ in more than their populations go through one pass together from here on:
#: of mean value analysis, and of convolution, which does more at each step.
WIDE, WIDER = 8, 32


def single_servers(batch: Batch) -> Flags:
    """Points of one closed class at delay stations and single servers."""
    if any(isinstance(station, LoadDependentStation) for station in batch.network.stations):
        return np.zeros(len(batch), bool)
    single: Flags = (batch.servers == 1).all(axis=1)
    return _one_class(batch) & single


def any_stations(batch: Batch) -> Flags:
    """Points of one closed class, enough of them to be worth it, of moderate populations."""
    if np.count_nonzero(~batch.same_but_for_population()) < WIDER:
        return np.zeros(len(batch), bool)
    moderate: Flags = batch.population[:, 0] <= MOST
    return _one_class(batch) & moderate


def mean_value_analysis(batch: Batch) -> tuple[Array, Array]:
    """Throughputs (B, 1) and residence times (B, 1, K) of points of single servers."""
    queues, delay = _queues_and_delay(batch)
    population = batch.population[:, 0]
    residence = batch.demand.copy()
    same = batch.same_but_for_population()
    first = np.flatnonzero(~same)
    column = np.cumsum(~same) - 1 if 2 * len(first) <= len(batch) else None
    if column is None:
        first = np.arange(len(batch))
    throughput, times = columns.mean_values(
        population, delay[first], batch.demand[first][:, 0, queues].T, column
    )
    residence[:, 0, queues] = times.T
    residence[population == 0] = 0.0
    return throughput[:, None], residence


def convolution(batch: Batch) -> tuple[Array, Array]:
    """Throughputs (B, 1) and residence times (B, 1, K); nan where floats are too narrow."""
    queues, delay = _queues_and_delay(batch)
    same = batch.same_but_for_population()
    first = np.flatnonzero(~same)
    rates = []
    for k in queues:
        station = batch.network.stations[k]
        if isinstance(station, LoadDependentStation):
            rates.append(np.tile(np.array(service_rates(station))[:, None], len(first)))
        else:
            # More servers than customers are never busy together.
            servers = np.minimum(batch.servers[first, k], max(1, int(batch.population.max())))
            rates.append(np.minimum(np.arange(1.0, servers.max() + 1)[:, None], servers))
    networks = Columns(
        delay[first], np.ascontiguousarray(batch.demand[first][:, 0, queues].T), tuple(rates)
    )
    population = batch.population[:, 0]
    there = population > 0
    throughput = np.zeros(len(batch))
    residence = np.where(there[:, None, None], batch.demand, 0.0)
    if there.any():
        column = np.cumsum(~same) - 1
        throughput[there], times = at_populations(networks, column[there], population[there])
        block = residence[there]
        block[:, 0, queues] = times.T
        residence[there] = block
    return throughput[:, None], residence


def _one_class(batch: Batch) -> Flags:
    """Points of one closed class, but for a few networks over many populations.

    Scalars are quicker there, and stop where the bottleneck is saturated.
    """
    network = batch.network
    none = np.zeros(len(batch), bool)
    if len(network.classes) != 1 or not isinstance(network.classes[0], ClosedClass):
        return none
    if not network.has_product_form_kinds:
        return none
    if np.count_nonzero(~batch.same_but_for_population()) < min(WIDE, len(batch)):
        return none
    works = (batch.demand[:, 0] > 0.0).any(axis=1)
    bounded: Flags = works | (batch.think_time[:, 0] > 0.0)
    return bounded


def _queues_and_delay(batch: Batch) -> tuple[list[int], Array]:
    """Positions of the stations where customers queue, and the time they do not, (B,)."""
    delay = batch.think_time[:, 0].copy()
    queues = []
    for k, station in enumerate(batch.network.stations):
        if isinstance(station, DelayStation):
            delay += batch.demand[:, 0, k]
        else:
            queues.append(k)
    return queues, delay


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

    Examples
    --------
    >>> from numpy import array
    >>> two_servers = Columns(array([0.0]), array([[1.0]]), (array([[1.0], [2.0]]),))
    >>> x, r = at_populations(two_servers, array([0, 0]), array([1, 4]))
    >>> x.tolist(), r.tolist()
    ([1.0, 2.0], [[1.0, 2.0]])
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
    delay, demand, rates = networks
    last = np.zeros(len(delay), np.int64)
    np.maximum.at(last, column, population)
    unit = _time_units(networks, last)
    base = delays(delay / unit, int(population.max()))
    work = demand / unit
    single = [k for k, speeds in enumerate(rates) if len(speeds) == 1]
    several = [k for k in range(len(rates)) if k not in single]
    for k in single:
        base = geometric(base, work[k] / rates[k][0])
    heads = {k: _head(work[k], rates[k]) for k in several}
    ends = {k: work[k] / rates[k][-1] for k in several}
    constants = base
    for k in several:
        constants = product(constants, heads[k], ends[k])
    before, here = constants[population - 1, column], constants[population, column]
    throughput = before / here / unit[column]
    residence = np.empty((len(demand), len(column)))
    for k in single:
        ratio = work[k] / rates[k][0]
        twice = geometric(constants, ratio)[population - 1, column]
        residence[k] = ratio[column] * twice / before * unit[column]
    for k in several:
        rest = base
        for other in several:
            if other != k:
                rest = product(rest, heads[other], ends[other])
        there = present(rest, heads[k], ends[k])[population, column]
        residence[k] = there / before * unit[column]
    narrow = ~((here > LOWEST) & (here < HIGHEST) & (before > LOWEST) & (before < HIGHEST))
    throughput[narrow] = np.nan
    residence[:, narrow] = np.nan
    return throughput, residence


def _time_units(networks: Columns, population: Whole) -> Array:
    """One over an upper bound of each throughput, see `qmodel.kernels.convolution.time_unit`."""
    least = networks.delay.copy()
    unit = np.zeros_like(least)
    for demand, speeds in zip(networks.demand, networks.rates, strict=True):
        number = np.arange(1.0, len(speeds) + 1)[:, None]
        least += demand * (number / speeds).min(axis=0)
        unit = np.maximum(unit, demand / speeds.max(axis=0))
    found: Array = np.maximum(unit, least / np.maximum(population, 1))
    return found


def _head(work: Array, rates: Array) -> Array:
    """The first weights of a station, work^n / (r(1) ... r(n)) for n below the number of rates."""
    head: Array = np.ones_like(rates)
    for n in range(1, len(rates)):
        head[n] = head[n - 1] * (work / rates[n - 1])
    return head
