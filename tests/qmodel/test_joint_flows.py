"""Flows that part and meet again: equations, exact chains, simulations, degenerate cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

import qmodel as qm
from benchmarks.accuracy.lindley_simulation import simulate
from qmodel.matrix_analytic.age_process import AgeProcess
from qmodel.matrix_analytic.bypass_qbd import BypassQBD
from qmodel.matrix_analytic.class_mix_closure import mix_after_arrival, mix_after_departure
from qmodel.matrix_analytic.departure_process import departure_process
from qmodel.matrix_analytic.infinite_server_departures import infinite_server_departures
from qmodel.matrix_analytic.joint_departure_process import joint_departure_process
from qmodel.matrix_analytic.marked_arrival_process import (
    MarkedArrivalProcess,
    remark,
    renewal_process,
    superpose_exact,
)
from qmodel.matrix_analytic.qbd_resolvent import QBDResolvent, level_count
from qmodel.matrix_analytic.server_phases import server_phases
from qmodel.matrix_analytic.stable_reduction import ReducedProcess, stable_process
from qmodel.matrix_analytic.state_vector import StateVector
from qmodel.matrix_analytic.stationary_distribution import stationary_distribution
from qmodel.numerics.phase_type import fit_phase_type
from qmodel.solvers.decomposition import joint_streams as joining
from qmodel.solvers.decomposition import mmap_network as networks
from qmodel.solvers.decomposition.joint_streams import Mark, behind, chance, outside
from qmodel.solvers.decomposition.mmap import stations
from qmodel.solvers.decomposition.traffic_equations import traffic_of
from tests.qmodel.test_marked_flows import index

TIMES = np.array([0.2, 1.0, 5.0, 20.0, 100.0])
PARTS = {0: 0.2, 3: 0.5, 1: 0.3}


# Composition


def about(there):
    """1 and the d of all classes but the last, for these numbers of customers."""
    n = sum(there.values())
    told = list(PARTS.items())[:-1]
    return np.array([1.0, *(there[c] - part * n for c, part in told)])


def test_one_more_of_a_class():
    there = {0: 2, 3: 1, 1: 4}
    for c in PARTS:
        after = about({k: n + (k == c) for k, n in there.items()})
        assert about(there) @ mix_after_arrival(PARTS, c, 7) == pytest.approx(after)
        assert mix_after_arrival(PARTS, c, 0)[0] == pytest.approx(about({k: k == c for k in PARTS}))


def test_one_less_of_all_classes_together():
    """The products of two d's have no part in their sum."""
    there = {0: 2, 3: 1, 1: 4}
    found = 0.0
    for c in PARTS:
        first, over = mix_after_departure(PARTS, c, 7, 2.5)
        found = found + about(there) @ (first + over / 7)
        assert (about(there) @ (first + over / 7))[0] == pytest.approx(there[c] / 7)
    known = sum(
        n / 7 * about({k: m - (k == c) for k, m in there.items()}) for c, n in there.items()
    )
    assert found == pytest.approx(known)


def test_products_are_as_often_as_by_lot():
    """Each of four customers of a class by lot: the mean after one of a class has left."""
    parts, n = {0: 0.3, 1: 0.7}, 4
    chances = binom.pmf(range(n + 1), n, 0.3)
    known = sum(p * k / n * ((k - 1) - 0.3 * (n - 1)) for k, p in enumerate(chances))
    first, over = mix_after_departure(parts, 0, n, 1.0)
    assert (first + over / n)[0, 1] == pytest.approx(known, abs=1e-12)


# Levels


@pytest.fixture(params=[1, 2])
def levels(request):
    flow = superpose_exact(
        renewal_process(0.4, 4.0, 0, 3),
        superpose_exact(renewal_process(0.3, 0.5, 1, 3), renewal_process(0.5, 2, 2, 3)),
    )
    m = request.param
    return BypassQBD(
        flow, server_phases({0: fit_phase_type(0.9 * m, 2.0)}, 1, m), {0: 4 / 7, 1: 3 / 7}, 1.7
    )


def test_functions_and_measures_solve_their_equations(levels):
    count = 60
    often = QBDResolvent(levels, 0.0, count).stationary()
    random = np.random.default_rng(5)
    fades = np.exp(-0.5 * np.arange(count))[:, None, None]
    shape = (count, often.levels.shape[1], 2)
    f = StateVector(random.random((len(often.boundary), 2)), random.random(shape) * fades)
    g = StateVector(random.random((len(often.boundary), 2)), random.random(shape) * fades)
    for ends in (True, False):
        solved = QBDResolvent(levels, 0.7, count, killed=not ends)
        y, z = solved.solve_right(f), solved.solve_left(g)
        rates = levels.apply_generator(y).flat
        if not ends:
            rates = rates - sum(levels.departures(c, y).flat for c in levels.parts)
            rates = rates - levels.on_arrival_phases(levels.arrivals.d[2], y).flat
        left = 0.7 * y.flat - rates - f.flat
        assert abs(left[: -3 * shape[1]]).max() < 1e-10
        assert z.flat.T @ f.flat == pytest.approx(g.flat.T @ y.flat, rel=1e-9)


def test_often_is_often(levels):
    count = level_count(levels)
    often = QBDResolvent(levels, 0.0, count).stationary()
    one = levels.one(often)
    assert float((often.flat * one.flat).sum()) == pytest.approx(1.0)
    assert 2.0 * QBDResolvent(levels, 2.0, count).solve_left(often).flat == pytest.approx(
        often.flat, abs=1e-7
    )
    for c, rate in ((0, 0.4), (1, 0.3)):
        assert float((often.flat * levels.departures(c, one).flat).sum()) == pytest.approx(
            rate, rel=1e-6
        )
        f = often.like(np.random.default_rng(1).random((len(often.flat), 1)))
        mine = float((levels.departure_measure(c, often).flat * f.flat).sum())
        assert mine == pytest.approx(float((often.flat * levels.departures(c, f).flat).sum()))


def test_as_many_are_there_as_by_littles_law():
    """M/M/2 with a class that passes by, of which nothing depends."""
    flow = superpose_exact(renewal_process(1.0, 1.0, 0, 2), renewal_process(0.5, 4.0, 1, 2))
    queue = BypassQBD(flow, server_phases({0: fit_phase_type(1.2, 1.0)}, 1, 2), {0: 1.0})
    often = QBDResolvent(queue, 0.0, level_count(queue)).stationary()
    n = 2 + np.arange(len(often.levels))
    found = float(often.boundary[queue.slices[1]].sum() + n @ often.levels.sum(axis=(1, 2)))
    assert found == pytest.approx(1.2 / (1.0 - 0.36), rel=1e-6)


# What leaves and what passes by


@pytest.mark.parametrize(("servers", "scv"), [(1, 1.0), (1, 4.0), (2, 0.5), (3, 2.0)])
def test_who_leaves_does_so_as_from_the_other_queue(servers, scv):
    flow = superpose_exact(renewal_process(0.6, 4.0, 0, 2), renewal_process(0.4, 0.25, 1, 2))
    service = fit_phase_type(0.9 * servers, scv)
    found = joint_departure_process(flow, [0], service, servers, 0.05)
    queue = AgeProcess(renewal_process(0.6, 4.0, 0, 1), server_phases({0: service}, 1, servers))
    other = departure_process(queue, stationary_distribution(queue), 0.05, 0)
    assert index(found, TIMES, [0]) == pytest.approx(index(other, TIMES), rel=4e-3)
    assert index(found, TIMES, [1]) == pytest.approx(index(flow, TIMES, [1]), rel=4e-3)


def test_both_together_are_as_in_the_whole_chain():
    """Half of bursts come and half pass by; up to 80 customers, state by state."""
    flow, size, mu = remark(renewal_process(1.0, 4.0, 0, 1), [[0.5], [0.5]]), 80, 0.8
    up, down = np.eye(size, k=1), np.eye(size, k=-1)
    up[-1, -1] = 1.0
    busy = np.diag([0.0] + [1.0] * (size - 1))
    come, by = flow.d
    whole = MarkedArrivalProcess(
        np.kron(np.eye(size), flow.d0) - mu * np.kron(busy, np.eye(2)) + np.kron(up, come),
        (mu * np.kron(down, np.eye(2)), np.kron(np.eye(size), by)),
    )
    found = joint_departure_process(flow, [0], fit_phase_type(1.0 / mu, 1.0), 1, 0.02)
    assert index(found, TIMES) == pytest.approx(index(whole, TIMES), rel=3e-3)
    assert found.rate == pytest.approx(1.0, rel=1e-6)


def test_counts_of_each_class_vary_in_the_long_run_as_they_come():
    flow = superpose_exact(renewal_process(0.4, 4.0, 0, 3), renewal_process(0.3, 0.25, 1, 3))
    both = joint_departure_process(
        superpose_exact(flow, renewal_process(0.2, 2.0, 2, 3)),
        [0, 1],
        fit_phase_type(0.9, 2.0),
        1,
        0.02,
    )
    for c, scv in ((0, 4.0), (1, 0.25), (2, 2.0)):
        assert index(both, [1e5], [c]) == pytest.approx([scv], abs=0.15)


def test_who_comes_as_poisson_leaves_so_and_both_are_independent():
    flow = remark(renewal_process(1.0, 1.0, 0, 1), [[0.5], [0.5]])
    found = joint_departure_process(flow, [0], fit_phase_type(1.2, 1.0), 1, 0.05)
    assert index(found, TIMES) == pytest.approx(np.ones(5), abs=1e-3)


def test_too_many_phases_are_too_many(monkeypatch):
    flow = superpose_exact(renewal_process(0.6, 4.0, 0, 2), renewal_process(0.4, 0.25, 1, 2))
    assert joint_departure_process(flow, [0], fit_phase_type(1.0, 4.0), 200, 0.05) is None
    monkeypatch.setattr("qmodel.matrix_analytic.qbd_resolvent.MOST", 50)
    assert joint_departure_process(flow, [0], fit_phase_type(1.5, 1.0), 1, 0.05) is None


# What is possible


def test_what_grows_is_taken_out_and_rates_stay():
    change = np.diag([0.0, 0.5, -1.0, -2.0])
    change[0, 1], change[0, 2] = 0.3, 0.2
    seen = ReducedProcess(
        change, [np.diag([1.0, 1.0, 0.5, 0.2])], {(0, 0): np.array([0.0, 1.0, 2.0, 3.0])}
    )
    found = stable_process(seen)
    assert found.size == 3
    assert found.rate == pytest.approx(1.0)
    assert np.linalg.eigvals(found.generator).real.max() < 1e-9


def test_fewer_functions_are_taken_where_it_does_not_do():
    """With three it would not come to an end that nobody comes."""
    rates = np.diag([1.0, 0.5, -1.5])
    seen = ReducedProcess(np.diag([0.0, -1.0, -1.0]), [rates], {(0, 0): np.ones(3)})
    found = stable_process(seen)
    assert found.size == 2
    assert found.sojourn_weights[0, 0].shape == (2,)


# Networks


def network(servers, classes, demand, **more):
    return qm.Network(
        [
            qm.QueueingStation(f"s{k}", m, "fcfs") if m else qm.DelayStation(f"s{k}")
            for k, m in enumerate(servers)
        ],
        classes,
        demand,
        **more,
    )


BETWEEN = network(
    (1, 1, 1),
    [qm.OpenClass("direct", 0.55, arrival_scv=2.0), qm.OpenClass("b", 0.5, arrival_scv=8.0)],
    [[0.49, 0.0, 0.55], [0.81, 0.83, 0.34]],
    scv=[[0.5, 1.0, 1.0], [0.25, 1.0, 0.5]],
)


def part_ways(servers):
    """Half of a class pass by a second station."""
    bursts = [qm.OpenClass("x", 1.0, arrival_scv=4.0)]
    return network((1, servers, 1), bursts, [[0.6, 0.2, 0.7]], visit_ratio=[[1.0, 0.5, 1.0]])


def test_where_flows_meet_again_it_is_as_simulated():
    """With flows from both stations independent, waits are 10 to 40 % off.

    The recorded family ``open-ggm-parting`` has such networks with delays and three classes.
    """
    found = qm.solve(BETWEEN, "marked_flows")
    for c, times in enumerate(simulate(BETWEEN, 6_000_000, seed=3)):
        assert found.response_times[c] == pytest.approx(times.mean(), rel=0.02)
        mine = qm.percentiles(found, [0.95]).response_times[c][0]
        assert mine == pytest.approx(np.quantile(times, 0.95), rel=0.03)


def test_it_is_the_flows_that_meet_which_make_it(monkeypatch):
    model = part_ways(0)
    known = stations(model)[2].waits[0].first
    monkeypatch.setattr(networks, "meeting", lambda *_: None)
    alone = networks.marked_network(traffic_of(model)).stations[2].waits[0].first
    assert alone < 0.8 * known


def test_a_station_that_nobody_stays_at_is_none():
    """Half pass it, at once: the same as a line of two."""
    bursts = [qm.OpenClass("x", 1.0, arrival_scv=4.0)]
    way = network(
        (1, 1, 1), bursts, [[0.6, 0.005, 0.7]], scv=[[0.5] * 3], visit_ratio=[[1.0, 0.5, 1.0]]
    )
    line = network((1, 1), bursts, [[0.6, 0.7]], scv=[[0.5] * 2])
    found, known = (stations(each)[-1].waits[0] for each in (way, line))
    assert found.first == pytest.approx(known.first, rel=0.01)
    assert found.second == pytest.approx(known.second, rel=0.02)


def test_numbers_that_make_no_sense_leave_flows_independent(monkeypatch):
    def fails(*_):
        raise np.linalg.LinAlgError

    model = part_ways(0)
    monkeypatch.setattr(networks, "meeting", lambda *_: None)
    alone = networks.marked_network(traffic_of(model)).stations[2].waits
    monkeypatch.undo()
    for name in ("meeting", "met_again"):
        monkeypatch.setattr(networks, name, fails)
        assert networks.marked_network(traffic_of(model)).stations[2].waits == alone
        monkeypatch.undo()


# Joint flows


def test_chances_of_those_who_are_still_on_their_way():
    some = network(
        (1, 1, 1), [qm.OpenClass("x", 1.0)], [[0.5, 0.1, 0.2]], visit_ratio=[[0.6, 0.5, 0.4]]
    )
    traffic = traffic_of(some)
    for mark in (Mark(0, -1), Mark(0, 0)):
        ways = traffic.entry[0] if mark.at < 0 else traffic.ways[0, 0]
        left = 1.0
        for k in range(mark.at + 1, 3):
            assert left * chance(traffic, mark, k) == pytest.approx(ways[k])
            left *= 1.0 - chance(traffic, mark, k)


def test_only_flows_that_will_meet_are_kept_together():
    """Of three classes from one station, two meet at the last; the third goes elsewhere."""
    classes = [qm.OpenClass(name, 0.2, arrival_scv=4.0) for name in "abc"]
    times = [[0.5, 0.0, 0.0, 0.5], [0.5, 0.5, 0.0, 0.5], [0.5, 0.0, 0.5, 0.0]]
    model = network((1, 1, 1, 1), classes, times)
    traffic, found = traffic_of(model), networks.marked_network(traffic_of(model))
    joints = outside(traffic)
    assert [joint.marks for joint in joints] == [(Mark(c, -1),) for c in range(3)]
    joints = behind(traffic, joints, 0, found.stations[0], found.left[0])
    (one,) = joints
    assert one.flow is found.left[0]
    joints = behind(traffic, joints, 1, found.stations[1], found.left[1])
    kinds = sorted(joint.marks for joint in joints)
    assert kinds == [(Mark(1, 1), Mark(0, 0)), (Mark(2, 0),)]
    for joint in joints:
        for mark, arrival in zip(joint.marks, joint.flow.d, strict=True):
            rate = float(joint.flow.stationary_phase @ arrival.sum(axis=1))
            assert rate == pytest.approx(0.2, rel=1e-4), mark


def test_with_too_many_phases_in_a_queue_each_is_scattered_by_his_stay(monkeypatch):
    """Whose mean and variance are those of the wait and the service."""
    stays = []

    def seen(flow, found):
        stays.append(found)
        return infinite_server_departures(flow, found)

    model = part_ways(1)
    known = networks.marked_network(traffic_of(model))
    monkeypatch.setattr(joining, "joint_departure_process", lambda *_: None)
    monkeypatch.setattr(joining, "infinite_server_departures", seen)
    found = networks.marked_network(traffic_of(model))
    wait, time = known.stations[1].waits[0], model.service_time_at(0, 1)
    (stay,) = stays
    assert stay[0].mean == pytest.approx(wait.first + time, rel=1e-3)
    variance = wait.second - wait.first**2 + model.scv_at(0, 1) * time**2
    assert stay[0].scv * stay[0].mean ** 2 == pytest.approx(variance, rel=1e-3)
    for one, other in zip(found.stations[2].waits, known.stations[2].waits, strict=True):
        assert one.first == pytest.approx(other.first, rel=0.1)
        assert one.first != other.first
