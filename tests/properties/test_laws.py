"""What holds of every solution, whatever the network."""

import pytest
from hypothesis import given

import qmodel as qm
from tests.properties.checks import close, exact, one_more, same
from tests.strategies import networks
from tests.truth.random_networks import final_speed


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
