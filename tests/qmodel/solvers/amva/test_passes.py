"""Passes of Linearizer and AQL, their tolerance, and what keeps a utilization at 1."""

import random

import pytest

import qmodel as qm
from tests.tables import rows


def closed(seed: int) -> qm.Network:
    rng = random.Random(seed)
    stations = [qm.QueueingStation(f"s{k}", rng.choice([1, 1, 1, 2, 4])) for k in range(4)]
    classes = [
        qm.ClosedClass(f"c{c}", rng.choice([1, 3, 10, 50]), think_time=rng.choice([0, 1, 10]))
        for c in range(3)
    ]
    demand = [[rng.choice([0.01, 0.1, 0.5]) * rng.random() for _ in stations] for _ in classes]
    return qm.Network(stations, classes, demand)


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_aql_is_at_its_fixed_point(seed):
    """Three passes, as before, are up to 2e-3 off it."""
    network = closed(seed)
    found, more = qm.solve(network, "aql"), qm.solve(network, "aql", passes=400)
    assert found.response_times == pytest.approx(more.response_times, rel=1e-7)


def test_passes_and_tolerance_are_those_asked_for():
    network = closed(1)
    three = qm.solve(network, "linearizer").response_times
    assert qm.solve(network, "linearizer", passes=3).response_times == three
    assert qm.solve(network, "linearizer", passes=2).response_times != three
    many = qm.solve(network, "linearizer", passes=300).response_times
    near = qm.solve(network, "linearizer", tolerance=1e-9).response_times
    assert near == pytest.approx(many, rel=1e-7)


@pytest.mark.parametrize(("method", "asked", "problem"), rows(__file__, "refused"))
def test_what_cannot_be_asked_for_is_said(method, asked, problem):
    with pytest.raises(qm.InvalidInput, match=problem):
        qm.solve(closed(0), method, **asked)


def test_a_correction_is_named_where_it_acts():
    found = [qm.solve(closed(seed), "aql") for seed in range(20)]
    slowed = [each for each in found if "to keep a utilization at 1" in each.reason]
    assert 0 < len(slowed) < len(found)
    for each in slowed:
        assert max(each.station_utilizations) == pytest.approx(1.0, abs=1e-9)
    assert all(each.reason == "asked for" for each in found if each not in slowed)
