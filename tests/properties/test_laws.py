"""What holds of every solution, whatever the network."""

from __future__ import annotations

from math import isfinite

import pytest
from hypothesis import given

import qmodel as qm
from tests.properties.checks import close, exact, one_more, same
from tests.strategies import networks
from tests.truth.random_networks import final_speed

HAS_CLASS = networks(closed=(1, 2), opened=(0, 2), population=(0, 5), most_stations=3)


@given(HAS_CLASS)
def test_all_measures_are_finite_and_in_range(network):
    for s in exact(network):
        for c, customer_class in enumerate(network.classes):
            assert isfinite(s.throughputs[c])
            assert s.throughputs[c] >= 0
            if isinstance(customer_class, qm.OpenClass):
                assert s.throughputs[c] == customer_class.arrival_rate
            for k, station in enumerate(network.stations):
                assert isfinite(s.residence_times[c][k])
                assert s.queue_lengths[c][k] >= 0
                fastest = station.max_rate if isinstance(station, qm.LoadDependentStation) else 1
                least = network.demand[c][k] / fastest
                if s.throughputs[c]:
                    assert s.residence_times[c][k] >= least * (1 - 1e-12)


@given(HAS_CLASS)
def test_no_station_works_more_than_all_the_time(network):
    for s in exact(network):
        for station, busy in zip(network.stations, s.station_utilizations, strict=True):
            if not isinstance(station, qm.DelayStation):
                assert busy <= 1 + 1e-12


@given(HAS_CLASS)
def test_customers_are_neither_lost_nor_made(network):
    """Little's law for the system: at the stations and thinking, N in all."""
    for s in exact(network):
        for c, customer_class in enumerate(network.classes):
            if isinstance(customer_class, qm.ClosedClass):
                thinking = s.throughputs[c] * customer_class.think_time
                assert sum(s.queue_lengths[c]) + thinking == close(customer_class.population)


@given(networks(closed=(1, 2), kinds="sd", population=(1, 5), most_stations=3))
def test_arrival_theorem(network):
    """Little's law per station, from two solutions: an arrival sees one customer fewer."""
    sizes = [c.population for c in network.classes if isinstance(c, qm.ClosedClass)]
    for s in exact(network):
        for c in range(len(network.classes)):
            fewer = network.with_population(*(n - (i == c) for i, n in enumerate(sizes)))
            for before in exact(fewer):
                for k, station in enumerate(network.stations):
                    seen = 0.0
                    if isinstance(station, qm.QueueingStation):
                        seen = sum(row[k] for row in before.queue_lengths)
                    expected = network.demand[c][k] * (1 + seen)
                    assert s.residence_times[c][k] == close(expected)


@given(networks(kinds="sdm", population=(1, 30)))
def test_asymptotic_bounds(network):
    (customers,) = network.classes
    least = customers.think_time + sum(network.demand[0])
    waiting = sum(
        d
        for d, s in zip(network.demand[0], network.stations, strict=True)
        if not isinstance(s, qm.DelayStation)
    )
    capacity = min(
        (s.max_rate / d for s, d in zip(network.stations, network.demand[0], strict=True) if d),
        default=float("inf"),
    )
    n = customers.population
    for s in exact(network):
        assert s.throughputs[0] <= min(n / least, capacity) * (1 + 1e-12)
        # At worst every customer queues behind all others everywhere.
        assert s.throughputs[0] >= n / (least + (n - 1) * waiting) * (1 - 1e-12)


@given(networks(kinds="s", population=(1, 30)))
def test_balanced_job_bounds(network):
    """Zahorjan and others 1982, as in Jain (34.8)."""
    (customers,) = network.classes
    n, think = customers.population, customers.think_time
    total, most = sum(network.demand[0]), max(network.demand[0])
    if not total:
        return
    average = total / len(network.stations)
    low = n / (think + total + (n - 1) * most / (1 + think / (n * total)))
    high = n / (think + total + (n - 1) * average / (1 + think / total))
    for s in exact(network):
        assert low * (1 - 1e-12) <= s.throughputs[0] <= high * (1 + 1e-12)


@given(networks(kinds="sdm", population=(1, 30)))
def test_throughput_rises_and_is_concave(network):
    two_more = one_more(one_more(network))
    for a, b, c in zip(exact(network), exact(one_more(network)), exact(two_more), strict=True):
        x0, x1, x2 = a.throughputs[0], b.throughputs[0], c.throughputs[0]
        assert x0 <= x1 * (1 + 1e-12)
        assert x1 <= x2 * (1 + 1e-12)
        assert x2 - x1 <= x1 - x0 + 1e-11 * x2


@given(networks(kinds="sdm", population=(1, 30)))
def test_response_time_rises_with_the_population(network):
    for a, b in zip(exact(network), exact(one_more(network)), strict=True):
        assert a.response_times[0] <= b.response_times[0] * (1 + 1e-11)


@given(networks(kinds="sdm", population=(1, 15)))
def test_response_time_rises_with_every_demand(network):
    for k in range(len(network.stations)):
        row = list(network.demand[0])
        row[k] = row[k] * 1.5 + 0.01
        slower = qm.Network(network.stations, network.classes, [row])
        for a, b in zip(exact(network), exact(slower), strict=True):
            assert a.response_times[0] <= b.response_times[0] * (1 + 1e-11)
            assert a.throughputs[0] >= b.throughputs[0] * (1 - 1e-12)


@given(networks())
def test_one_customer_never_waits(network):
    alone = network.with_population(1)
    rates = [
        s.rates[0] if isinstance(s, qm.LoadDependentStation) else 1.0 for s in network.stations
    ]
    expected = [d / r for d, r in zip(network.demand[0], rates, strict=True)]
    for s in exact(alone):
        same(s.residence_times[0], expected)
        assert s.throughputs[0] == close(1 / (network.think_time[0] + sum(expected)))


@given(networks(kinds="sdml", most_stations=3))
def test_many_customers_reach_the_bound(network):
    """With N very large the throughput is the capacity of the slowest station."""
    limit = min(
        (
            final_speed(s) / d
            for s, d in zip(network.stations, network.demand[0], strict=True)
            if d and not isinstance(s, qm.DelayStation)
        ),
        default=None,
    )
    if limit is None or network.think_time[0] * limit > 100:
        return
    if any(
        isinstance(s, qm.LoadDependentStation) and s.rates[-1] < s.max_rate
        for s in network.stations
    ):
        return  # a station slower when crowded need not be the limit from below
    delays = sum(
        d
        for s, d in zip(network.stations, network.demand[0], strict=True)
        if isinstance(s, qm.DelayStation)
    )
    if delays * limit > 100:
        return
    for s in exact(network.with_population(5_000)):
        assert s.throughputs[0] <= limit * (1 + 1e-12)
        assert s.throughputs[0] == pytest.approx(limit, rel=1e-2)
