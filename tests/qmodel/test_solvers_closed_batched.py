"""Many networks at once: each as if alone, whatever its neighbours."""

import numpy as np
import pytest

from qmodel.analysis.sweep import batched_mva
from qmodel.solvers.product_form import mva


def alone(population, delay, demand):
    if not population:
        return 0.0, [0.0] * len(demand)
    throughput, *residence = mva.mean_value_analysis(population, delay, demand)
    return throughput, residence


@pytest.mark.parametrize("stations", [1, 2, 5])
def test_each_network_is_solved_as_if_alone(stations, monkeypatch):
    monkeypatch.setattr(batched_mva, "CHUNK", 37)
    rng = np.random.default_rng(stations)
    count = 200
    population = rng.integers(0, 150, count)
    delay = rng.choice([0.0, 1.0, 300.0], count)
    demand = rng.choice([0.0, 1e-6, 0.3, 0.3, 1.0], (count, stations)) * rng.uniform(
        0.9, 1.1, (count, 1)
    )
    demand[:, 0] += 1e-3
    throughput, residence = batched_mva.mean_value_analysis(population, delay, demand)
    for b in range(count):
        expected = alone(int(population[b]), float(delay[b]), demand[b].tolist())
        assert throughput[b] == pytest.approx(expected[0], rel=1e-12, abs=0)
        assert residence[b].tolist() == pytest.approx(expected[1], rel=1e-12, abs=0)


def test_the_saturated_take_no_step(monkeypatch):
    monkeypatch.setattr(batched_mva, "_recursion", None)
    demand = [[0.5, 0.1, 0.2], [0.01, 0.02, 0.0], [0.7, 0.0, 0.0]]
    throughput, residence = batched_mva.mean_value_analysis([500, 400, 9], [3.0, 0.0, 0.0], demand)
    for b, population in enumerate([500, 400, 9]):
        expected = mva.mean_value_analysis(population, [3.0, 0.0, 0.0][b], demand[b])
        assert throughput[b] == pytest.approx(expected[0], rel=1e-14)
        assert residence[b].tolist() == pytest.approx(list(expected[1:]), rel=1e-13, abs=0)


def test_a_tie_is_not_taken_for_saturation():
    throughput, residence = batched_mva.mean_value_analysis([5000], [0.0], [[0.5, 0.5]])
    assert throughput[0] == pytest.approx(5000 / 5001 / 0.5, rel=1e-13)
    assert residence[0, 0] == residence[0, 1]


def test_no_networks_and_no_stations():
    assert batched_mva.mean_value_analysis([], [], np.empty((0, 3)))[0].shape == (0,)
    throughput, residence = batched_mva.mean_value_analysis([4, 0], [2.0, 0.0], np.empty((2, 0)))
    assert throughput.tolist() == [2.0, 0.0]
    assert residence.shape == (2, 0)
