"""What leaves a delay: polynomials, a queue of many servers, simulations."""

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.special import gammaln

import qmodel as qm
from qmodel.matrix_analytic import infinite_server_departures as delays
from qmodel.matrix_analytic.age_process import AgeProcess
from qmodel.matrix_analytic.departure_process import departure_process
from qmodel.matrix_analytic.first_passage_matrix import stationary_distribution
from qmodel.matrix_analytic.infinite_server_departures import (
    basis_size,
    charlier_operators,
    infinite_server_departures,
)
from qmodel.matrix_analytic.marked_arrival_process import remark, renewal_process, superpose_exact
from qmodel.matrix_analytic.server_phases import server_phases
from qmodel.matrix_analytic.service_simplification import Service
from qmodel.numerics.phase_type import fit_phase_type
from tests.qmodel.matrix_analytic.test_marked_flows import index
from tests.tables import asked, rows

TIMES = np.array([0.2, 1.0, 5.0, 20.0, 100.0])


def values(mean, degree, there):
    """Of polynomials that are orthonormal by Poisson weights: by QR, their leading parts > 0."""
    every = np.arange(60)
    root = np.exp(0.5 * (every * np.log(mean) - mean - gammaln(every + 1.0)))
    q, r = np.linalg.qr(root[:, None] * (every[:, None] / mean) ** np.arange(degree + 1))
    known = q * np.sign(np.diag(r)) / root[:, None]
    return known[there]


def test_polynomials_become_what_they_are_said_to():
    """Two numbers: products of those of each, on a grid."""
    means, degree = (1.5, 4.0), 3
    found = charlier_operators(means, degree)
    powers = [one for one in product(range(degree + 1), repeat=2) if sum(one) <= degree]
    powers.sort(key=lambda one: (sum(one), one))
    assert len(powers) == basis_size(2, degree) == comb(5, 2)

    def at(n):
        each = [values(mean, degree, k) for mean, k in zip(means, n, strict=True)]
        return np.array([each[0][i] * each[1][j] for i, j in powers])

    short = [i for i, one in enumerate(powers) if sum(one) < degree]
    for n in ((0, 0), (2, 1), (5, 7)):
        here = at(n)
        for j in (0, 1):
            up = tuple(k + (i == j) for i, k in enumerate(n))
            assert here @ found.arrival[j] == pytest.approx(at(up) - here, abs=1e-9)
            down = tuple(k - (i == j) for i, k in enumerate(n))
            before = at(down) if n[j] else np.zeros_like(here)
            ended = here @ found.departure[j]
            assert ended[short] == pytest.approx((n[j] * before)[short], abs=1e-9)
            less = here @ found.death[j]
            assert less == pytest.approx(n[j] * (before - here), abs=1e-8)


@pytest.mark.parametrize(("scv", "stay"), [(4.0, 2.0), (0.25, 1.0), (4.0, 0.3)])
def test_a_delay_is_a_queue_of_many_servers(scv, stay):
    flow = renewal_process(1.0, scv, 0, 1)
    found = infinite_server_departures(flow, {0: Service(1.0, stay, 1.0)})
    queue = AgeProcess(flow, server_phases({0: fit_phase_type(stay, 1.0)}, 1, 16))
    other = departure_process(queue, stationary_distribution(queue), 0.1, 0)
    assert index(found, TIMES) == pytest.approx(index(other, TIMES), rel=3e-3)
    assert found.rate == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("stay_scv", [0.1, 0.5, 1.0, 8.0])
def test_in_the_long_run_as_many_leave_as_come(stay_scv):
    flow = renewal_process(1.0, 4.0, 0, 1)
    found = infinite_server_departures(flow, {0: Service(1.0, 3.0, stay_scv)})
    first, last = index(found, [0.05, np.inf])
    assert last == pytest.approx(4.0, rel=0.01)
    assert 1.0 < first < index(flow, [0.05])[0]


def test_who_does_not_come_passes_by():
    flow = superpose_exact(renewal_process(0.6, 4.0, 0, 2), renewal_process(0.4, 0.25, 1, 2))
    found = infinite_server_departures(flow, {0: Service(0.6, 2.0, 1.0)})
    assert index(found, TIMES, [1]) == pytest.approx(index(flow, TIMES, [1]), rel=3e-3)
    alone = infinite_server_departures(renewal_process(0.6, 4.0, 0, 1), {0: Service(0.6, 2.0, 1.0)})
    assert index(found, TIMES, [0]) == pytest.approx(index(alone, TIMES), rel=3e-3)


def test_who_comes_and_who_passes_by_of_one_flow():
    """In the long run they vary together as before; at once, those who stay come later."""
    flow = remark(renewal_process(1.0, 4.0, 0, 1), [[0.5], [0.5]])
    found = infinite_server_departures(flow, {0: Service(0.5, 5.0, 1.0)})
    assert index(found, [np.inf]) == pytest.approx([4.0], rel=1e-4)
    soon = [0.5]
    assert index(found, soon, [1]) == pytest.approx(index(flow, soon, [1]), rel=3e-3)
    assert index(found, soon)[0] < 0.92 * index(flow, soon)[0]


def test_times_that_all_are_the_same_change_nothing():
    flow = renewal_process(1.0, 4.0, 0, 1)
    assert infinite_server_departures(flow, {0: Service(1.0, 3.0, 0.0)}) is flow
    steady = renewal_process(1.0, 1.0, 0, 1)
    assert infinite_server_departures(steady, {0: Service(1.0, 3.0, 4.0)}) is steady


def test_without_room_for_any_function_a_flow_passes_as_it_is(monkeypatch):
    monkeypatch.setattr(delays, "LARGEST", 1)
    flow = renewal_process(1.0, 4.0, 0, 1)
    assert infinite_server_departures(flow, {0: Service(1.0, 3.0, 1.0)}) is flow


def network(stay, stay_scv, scv):
    stations = [
        qm.QueueingStation("a", 1, "fcfs"),
        qm.DelayStation("delay"),
        qm.QueueingStation("b", 1, "fcfs"),
    ]
    return qm.Network(
        stations, [qm.OpenClass("x", 1.0, arrival_scv=scv)], [[0.6, stay, 0.8]],
        scv=[[2.0, stay_scv, 0.5]],
    )  # fmt: skip


@pytest.mark.parametrize(("delay", "mean", "nine", "ninety_nine"), rows(__file__, "simulated"))
def test_behind_a_delay_it_is_as_simulated(delay, mean, nine, ninety_nine):
    """With 24 million customers; taken as a flow that passes as it is, up to a tenth off."""
    found = qm.solve(network(*asked(delay, globals())), "mmap")
    assert found.response_times[0] == pytest.approx(mean, rel=0.015)
    mine = qm.percentiles(found, [0.9, 0.99]).response_times[0]
    assert mine == pytest.approx([nine, ninety_nine], rel=0.03)


def test_a_delay_of_fixed_times_is_taken():
    assert qm.solve(network(2.0, 0.0, 4.0)).method == "mmap"
