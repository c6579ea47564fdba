"""A curve is the solutions of its populations, whatever the order they are asked for in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import qmodel as qm
from tests.properties.checks import close, same
from tests.strategies import networks

populations = st.lists(st.integers(0, 30), min_size=1, max_size=6)


@given(networks(opened=(0, 1), population=(1, 5), most_stations=3), populations)
def test_curve_is_solve_at_every_population(network, asked):
    found = qm.curve(network, asked)
    assert found.populations == tuple(asked)
    for n, throughputs, times in zip(asked, found.throughputs, found.residence_times, strict=True):
        one = qm.solve(network.with_population(n))
        same(throughputs, one.throughputs)
        if n:
            for mine, theirs in zip(times, one.residence_times, strict=True):
                same(mine, theirs)


@given(networks(closed=(2, 2), kinds="sd", population=(1, 3), most_stations=3), populations)
def test_curve_of_one_of_two_classes(network, asked):
    found = qm.curve(network, asked, vary="closed 1")
    other = network.classes[0].population
    for n, solution in zip(asked, found, strict=True):
        same(solution.throughputs, qm.solve(network.with_population(other, n)).throughputs)
        assert solution.network.classes[1].population == n


@given(networks(population=(1, 1)))
def test_arrays_have_the_populations_in_front(network):
    found = qm.curve(network, range(1, 6))
    stations = len(network.stations)
    assert found.throughput.shape == (5, 1)
    assert found.residence_time.shape == found.queue_length.shape == (5, 1, stations)
    for b, solution in enumerate(found):
        same(found.queue_length[b, 0].tolist(), solution.queue_lengths[0])
        same(found.utilization[b, 0].tolist(), solution.utilizations[0])
        assert float(found.response_time[b, 0]) == close(solution.response_times[0])
