"""Batches of one closed class: mean value analysis, and convolution, over all points at once."""

import numpy as np

from qmodel.analysis.sweep.batch import Batch
from qmodel.kernels import columns, convolution_columns
from qmodel.model.closed_network import service_rates
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.stations import LoadDependentStation
from qmodel.numerics.arrays import Array, Flags

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
    moderate: Flags = batch.population[:, 0] <= convolution_columns.MOST
    return _one_class(batch) & moderate


def mean_value_analysis(batch: Batch) -> tuple[Array, Array]:
    """Throughputs (B, 1) and residence times (B, 1, K) of points of single servers."""
    queues, delay = batch.queues_and_delay()
    population = batch.population[:, 0]
    residence = batch.demand.copy()
    same = batch.same_but_for_population()
    first = np.flatnonzero(~same)
    column = np.cumsum(~same) - 1 if 2 * len(first) <= len(batch) else None
    if column is None:
        first = np.arange(len(batch))
    throughput, times = columns.mean_values(
        population, delay[first, 0], batch.demand[first][:, 0, queues].T, column
    )
    residence[:, 0, queues] = times.T
    residence[population == 0] = 0.0
    return throughput[:, None], residence


def convolution(batch: Batch) -> tuple[Array, Array]:
    """Throughputs (B, 1) and residence times (B, 1, K); nan where floats are too narrow."""
    queues, delay = batch.queues_and_delay()
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
    networks = convolution_columns.Columns(
        delay[first, 0], np.ascontiguousarray(batch.demand[first][:, 0, queues].T), tuple(rates)
    )
    population = batch.population[:, 0]
    there = population > 0
    throughput = np.zeros(len(batch))
    residence = np.where(there[:, None, None], batch.demand, 0.0)
    if there.any():
        column = np.cumsum(~same) - 1
        throughput[there], times = convolution_columns.at_populations(
            networks, column[there], population[there]
        )
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
    return np.asarray(works | (batch.think_time[:, 0] > 0.0))
