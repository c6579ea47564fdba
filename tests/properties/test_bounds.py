"""Bounds contain the truth, and are reached where they must be."""

import pytest
from hypothesis import given

import qmodel as qm
from qmodel.bounds import KINDS
from tests.properties.checks import close, exact
from tests.strategies import networks

#: Relative room for rounding; a bound may be the truth itself.
ROOM = 1e-11


@pytest.mark.parametrize("kind", [k.name for k in KINDS] + ["tightest"])
@given(network=networks(closed=(1, 2), population=(0, 8), most_stations=3))
def test_the_truth_is_inside(network, kind):
    try:
        found = qm.bounds(network, kind)
    except qm.NotApplicable:
        return
    for s in exact(network):
        for c in range(len(network.classes)):
            x, r = s.throughputs[c], s.response_times[c]
            assert found.lower_throughputs[c] <= x * (1 + ROOM)
            assert x <= found.upper_throughputs[c] * (1 + ROOM)
            if not x:
                continue
            # R = N/X - Z loses digits where Z is large.
            slack = ROOM * (r + network.think_time[c])
            assert found.lower_response_times[c] <= r + slack
            assert r <= found.upper_response_times[c] + slack


@given(networks(closed=(1, 2), population=(0, 8), most_stations=3))
def test_the_tightest_is_as_tight_as_any(network):
    tightest = qm.bounds(network)
    for kind in KINDS:
        if kind.why_not(network) is None:
            one = qm.bounds(network, kind.name)
            for c in range(len(network.classes)):
                assert tightest.lower_throughputs[c] >= one.lower_throughputs[c]
                assert tightest.upper_throughputs[c] <= one.upper_throughputs[c]


@given(networks(kinds="s", population=(1, 40)))
def test_one_customer_reaches_the_bounds(network):
    alone = network.with_population(1)
    found = qm.bounds(alone)
    for s in exact(alone):
        assert found.lower_throughputs[0] == close(s.throughputs[0])
        assert found.upper_throughputs[0] == close(s.throughputs[0])


@pytest.mark.parametrize("stations", [1, 2, 5])
@pytest.mark.parametrize("population", [1, 7, 100])
def test_a_balanced_network_reaches_the_balanced_bounds(stations, population):
    network = qm.Network(
        [qm.QueueingStation(f"s{k}") for k in range(stations)],
        [qm.ClosedClass("jobs", population)],
        [[0.3] * stations],
    )
    found = qm.bounds(network, "balanced_job")
    exactly = population / (0.3 * (population + stations - 1))
    assert found.lower_throughputs[0] == close(exactly)
    assert found.upper_throughputs[0] == close(exactly)


@pytest.mark.parametrize("servers", [1, 4])
def test_heavy_load_reaches_the_asymptote(servers):
    network = qm.Network(
        [qm.QueueingStation("busy", servers), qm.QueueingStation("idle")],
        [qm.ClosedClass("jobs", 2_000, think_time=1.0)],
        [[0.4, 0.01]],
    )
    found = qm.bounds(network)
    assert found.upper_throughputs[0] == close(servers / 0.4)
    assert qm.solve(network).throughputs[0] == close(servers / 0.4)
