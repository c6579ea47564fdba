"""Many networks at once: each as if alone, whatever its neighbours."""

import numpy as np
import pytest

from qmodel.kernels import columns
from qmodel.kernels.columns import bard_schweitzer, mean_values
from qmodel.kernels.mean_value_analysis import mean_values as alone


def check(throughput, residence, b, population, delay, demand):
    """Point b is the recursion of its network alone."""
    expected = alone([int(population)], float(delay), demand.tolist())[population]
    found = [throughput[b], *residence[:, b].tolist()]
    assert found == pytest.approx(list(expected), rel=1e-12, abs=0)


@pytest.mark.parametrize("stations", [1, 2, 5])
def test_each_network_is_solved_as_if_alone(stations, monkeypatch):
    monkeypatch.setattr(columns, "COLUMNS", 37)
    rng = np.random.default_rng(stations)
    count = 200
    population = rng.integers(0, 150, count)
    delay = rng.choice([0.0, 1.0, 300.0], count)
    demand = rng.choice([0.0, 1e-6, 0.3, 0.3, 1.0], (stations, count)) * rng.uniform(
        0.9, 1.1, count
    )
    demand[0] += 1e-3
    throughput, residence = mean_values(population, delay, demand)
    for b in np.flatnonzero(population):
        check(throughput, residence, b, population[b], delay[b], demand[:, b])
    assert not throughput[population == 0].any()
    assert not residence[:, population == 0].any()


def test_one_pass_gives_all_populations_of_a_network(monkeypatch):
    monkeypatch.setattr(columns, "COLUMNS", 17)
    rng = np.random.default_rng(5)
    demand, delay = rng.uniform(0.0, 1.0, (3, 40)), rng.choice([0.0, 2.0, 70.0], 40)
    population, column = rng.integers(0, 60, 200), np.sort(rng.integers(0, 40, 200))
    throughput, residence = mean_values(population, delay, demand, column)
    for b in np.flatnonzero(population):
        m = column[b]
        check(throughput, residence, b, population[b], delay[m], demand[:, m])
    assert not throughput[population == 0].any()


def test_stations_alike_are_counted():
    each, _ = mean_values([40], [1.0], [[0.2], [0.2], [0.2], [0.05]])
    counted, residence = mean_values([40], [1.0], [[0.2], [0.05]], count=[[3.0], [1.0]])
    assert counted == pytest.approx(each, rel=1e-13)
    assert 40 / counted[0] == pytest.approx(1.0 + 3 * residence[0, 0] + residence[1, 0], rel=1e-13)


def test_the_saturated_take_no_step(monkeypatch):
    monkeypatch.setattr(columns, "_recursion", None)
    demand = np.array([[0.5, 0.1, 0.2], [0.01, 0.02, 0.0], [0.7, 0.0, 0.0]]).T
    population, delay = [500, 400, 9], [3.0, 0.0, 0.0]
    throughput, residence = mean_values(population, delay, demand)
    for b in range(3):
        check(throughput, residence, b, population[b], delay[b], demand[:, b])


def test_a_tie_is_not_taken_for_saturation():
    throughput, residence = mean_values([5000], [0.0], [[0.5], [0.5]])
    assert throughput[0] == pytest.approx(5000 / 5001 / 0.5, rel=1e-13)
    assert residence[0, 0] == residence[1, 0]


def test_no_networks_and_no_stations():
    assert mean_values([], [], np.empty((3, 0)))[0].shape == (0,)
    throughput, residence = mean_values([4, 0], [2.0, 0.0], np.empty((0, 2)))
    assert throughput.tolist() == [2.0, 0.0]
    assert residence.shape == (0, 2)


def test_the_approximation_is_near_and_settles():
    """One class at tied stations: within the 5 % that Bard and Schweitzer err by there."""
    demand, count = np.array([[[0.1, 0.02]]]), np.array([[4.0, 1.0]])
    ((time,),) = bard_schweitzer([30], [1.0], np.zeros((1, 1)), demand, count)
    exact, _ = mean_values([30], [1.0], demand[0].T, count=count.T)
    assert time == pytest.approx(30 / exact[0] - 1.0, rel=0.05)
