"""Services that are constant or nearly so: their distributions, exact lines, a simulated one."""

from math import exp

import numpy as np
import pytest
from scipy.optimize import brentq

import qmodel as qm
from qmodel.matrix_analytic.concentrated_distribution import ORDERS, concentrated, distribution
from qmodel.single_station.wait_moments import WaitMoments


def line(times, servers=None, arrival_scv=1.0, scv=0.0):
    stations = [
        qm.QueueingStation(f"s{k}", m, "fcfs") for k, m in enumerate(servers or [1] * len(times))
    ]
    arrivals = [qm.OpenClass("parts", 1.0, arrival_scv=arrival_scv)]
    return qm.Network(stations, arrivals, [times], scv=[[scv] * len(times)])


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_varies_less_than_any_phases_of_its_number(order):
    time = concentrated(order)
    mean, scv = time.moments
    assert mean == pytest.approx(1.0, rel=1e-9)
    assert scv < 3.4 / order**2 < 1.0 / order or order == 3
    assert float(time.start.sum()) == pytest.approx(1.0, rel=1e-9)
    # A contraction in the inner product that it is written in, but for its integration.
    assert np.linalg.eigvalsh(time.generator + time.generator.T).max() < 0.02


@pytest.mark.parametrize("order", [5, 31])
def test_its_density_is_nowhere_negative_and_its_survival_falls(order):
    from scipy.linalg import expm

    time = concentrated(order)
    step, state = expm(0.01 * time.generator), time.start
    density, survival = [], []
    for _ in range(400):
        density.append(float(-state @ time.generator.sum(axis=1)))
        survival.append(float(state.sum()))
        state = state @ step
    assert min(density) > -1e-8
    assert (np.diff(survival) < 1e-10).all()


@pytest.mark.parametrize("scv", [0.0, 0.005, 0.02, 0.03])
def test_the_nearest_order_is_taken(scv):
    mean, mine = distribution(3.0, scv).moments
    assert mean == pytest.approx(3.0)
    assert mine == pytest.approx(scv, abs=0.0045)
    assert len(distribution(3.0, scv, 7).start) == 7


@pytest.mark.parametrize("times", [[0.75, 0.70], [0.5, 0.7]])
def test_constant_services_in_line_wait_as_at_the_longest_of_them(times):
    """Friedman (1965): the order of constant single servers makes no difference."""
    longest = max(times)
    exact = sum(times) + longest * longest / (2.0 * (1.0 - longest))
    solution = qm.solve(line(times))
    assert solution.method == "mmap"
    assert solution.response_times[0] == pytest.approx(exact, rel=0.02)


def test_bursts_at_constant_services_are_as_simulated():
    """With 16 million customers: 5.51 s, and 6.26 s with two servers at the second station."""
    one = qm.solve(line([0.75, 0.70], arrival_scv=4.0))
    two = qm.solve(line([0.75, 1.45], [1, 2], arrival_scv=4.0))
    assert one.response_times[0] == pytest.approx(5.51, rel=0.02)
    assert two.response_times[0] == pytest.approx(6.26, rel=0.02)


def test_constant_arrivals_at_one_exponential_server_and_behind_it():
    """D/M/1, and the next station as simulated: 3.43 s in all."""
    model = qm.Network(
        [qm.QueueingStation(name, 1, "fcfs") for name in "ab"],
        [qm.OpenClass("clock", 1.0, arrival_scv=0.0)],
        [[0.6, 0.8]],
    )
    solution = qm.solve(model, "mmap")
    busy = brentq(lambda x: exp(-(1.0 - x) / 0.6) - x, 0.1, 0.9)  # the root of G/M/1
    exact = 0.6 / (1.0 - busy)
    assert solution.residence_times[0][0] == pytest.approx(exact, rel=1e-5)
    assert solution.response_times[0] == pytest.approx(3.43, rel=0.02)


def test_nine_stations_still_feel_the_constant_arrivals():
    """Dai, Nguyen and Reiman (1994), table VIII: waits of 10.05 s; `qna` is 36 % off."""
    waits = qm.solve(line([0.6] * 8 + [0.9], arrival_scv=0.0, scv=1.0)).response_times[0] - 5.7
    assert waits == pytest.approx(10.05, rel=0.03)


def test_services_that_vary_a_little_are_between_constant_and_others():
    times = [
        qm.solve(line([0.6, 0.7], [1, 2], 2.0, scv)).response_times[0]
        for scv in (0.0, 0.02, 0.1, 0.3)
    ]
    assert times == sorted(times)


def test_a_wait_within_the_error_of_the_reduction_has_possible_moments():
    assert WaitMoments(0.3, -1e-3, 1e-4, 1e-5).mended(1.0).first == 0.0
    long = WaitMoments(0.5, 1.0, -1.0, 1.0)
    assert long.mended(1.0) is long
    short = WaitMoments(0.5, 0.1, 0.1, 0.1)
    assert short.mended(1.0) is short
