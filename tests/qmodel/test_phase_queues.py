"""Queues with phases against chains written out state by state, and formulas where they exist."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import qmodel as qm
from qmodel.matrix_analytic.departure_dispersion import departures_in_phases
from qmodel.matrix_analytic.map_g1_workload import class_waits
from qmodel.matrix_analytic.map_ph_queue import queue_in_phases
from qmodel.matrix_analytic.rational_arrival_process import (
    counted_alike,
    forgets,
    renewals,
    together,
)
from qmodel.matrix_analytic.server_phases_mixed import busy_servers, sets_of
from qmodel.matrix_analytic.waiting_time import WaitMoments
from qmodel.numerics.phase_type import fit_phase_type
from qmodel.numerics.service_time import ServiceTime
from qmodel.response_times.route import route_of, station_times
from qmodel.response_times.service_order import orders
from qmodel.single_station.pollaczek import wait as contour
from qmodel.solvers.decomposition.dispersion_propagation import flow_dispersion, weight
from qmodel.solvers.decomposition.equivalent_renewal import StationLoad, felt_arrivals, work_index
from qmodel.solvers.decomposition.renewal_dispersion import renewal_dispersion
from qmodel.solvers.decomposition.rqna import station_waits
from qmodel.solvers.decomposition.station_map_queue import station_queue, waits_from_outside
from qmodel.solvers.decomposition.station_waiting_time import at_station
from qmodel.solvers.decomposition.traffic_equations import busy_time, traffic_of
from qmodel.solvers.open_load import OpenLoad
from tests.truth.open_chain import OpenChain

CASES = [(4.0, 0.5, 1), (0.5, 4.0, 1), (2.0, 1.0, 2), (0.5, 2.0, 2), (1.0, 0.5, 2), (4.0, 1.0, 3)]


def queue(arrival_scv, scv, servers, used=0.5):
    service = busy_servers([(1.0, fit_phase_type(used * servers, scv))], servers)
    return queue_in_phases(renewals(1.0, arrival_scv), service)


@pytest.mark.parametrize(("arrival_scv", "scv", "servers"), CASES)
def test_waits_and_departures_are_those_of_the_chain(arrival_scv, scv, servers):
    found = queue(arrival_scv, scv, servers)
    room = 60 if max(arrival_scv, scv) > 2.0 else 36
    chain = OpenChain((1.0, arrival_scv), (0.5 * servers, scv), servers, room)
    assert found.wait[:2] == pytest.approx(chain.wait, rel=1e-5)
    times = np.array([0.2, 1.0, 5.0, 20.0])
    index = departures_in_phases(found, times, arrival_scv, 0.01)
    assert index == pytest.approx(chain.departures(times), rel=4e-3)


@pytest.mark.parametrize("arrival_scv", [0.25, 0.5, 1.0, 4.0])
@pytest.mark.parametrize("scv", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("used", [0.1, 0.95])
def test_moments_at_one_server_are_those_of_the_contour_integrals(arrival_scv, scv, used):
    p, first, second, third = queue(arrival_scv, scv, 1, used).wait
    exact = contour(ServiceTime(1.0, arrival_scv), [(1.0, ServiceTime(used, scv))])
    moments = WaitMoments(p, first, second, third).wait
    assert p == pytest.approx(exact.probability, rel=1e-7)
    assert moments.mean == pytest.approx(exact.mean, rel=1e-7)
    assert moments.variance == pytest.approx(exact.variance, rel=1e-6)
    assert moments.third == pytest.approx(exact.third, rel=1e-5)


@pytest.mark.parametrize("servers", [2, 5])
def test_a_wait_for_exponential_servers_is_exponential(servers):
    p, first, second, third = queue(4.0, 1.0, servers, 0.8).wait
    assert second == pytest.approx(2.0 * first**2 / p, rel=1e-9)
    assert third == pytest.approx(6.0 * first**3 / p**2, rel=1e-9)


def test_what_is_not_stable_is_no_queue():
    assert queue(4.0, 1.0, 1, 1.05) is None


def test_sets_of_phases_are_counted():
    for kinds, servers in product((1, 2, 4), (1, 2, 3)):
        busy = busy_servers([(1.0, fit_phase_type(1.0, 1.0 / kinds))], servers)
        assert len(busy.within[-1]) == sets_of(kinds, servers)
        assert sum(len(inside) for inside in busy.within) == sets_of(kinds + 1, servers)
        assert busy.servers == servers


def test_servers_do_what_each_of_them_does():
    busy = busy_servers([(0.25, fit_phase_type(1.0, 4.0)), (0.75, fit_phase_type(2.0, 0.5))], 3)
    for n in (1, 2, 3):
        leaves = busy.within[n].sum(axis=1) + busy.ends[n - 1].sum(axis=1)
        assert abs(leaves).max() < 1e-12
        assert busy.starts[n - 1].sum(axis=1) == pytest.approx(1.0)
    assert busy.follows.sum() == pytest.approx(busy.ends[-1].sum())


def test_poisson_flows_together_are_one():
    flow = together([renewals(0.3, 1.0), renewals(0.7, 1.0)])
    assert (flow.without, flow.arrival) == (pytest.approx(-1.0), pytest.approx(1.0))
    assert flow.size == 1


@pytest.mark.parametrize("scv", [0.25, 0.5, 2.0, 4.0])
def test_a_renewal_process_is_found_by_its_counts(scv):
    """So its queue is nearly that of the process itself."""
    times = np.geomspace(1e-2, 1e4, 60)
    flow = counted_alike(times, renewal_dispersion(times, scv))
    for used in (0.4, 0.9):
        busy = busy_servers([(1.0, fit_phase_type(used, 1.0))], 1)
        found, exact = queue_in_phases(flow, busy), queue(scv, 1.0, 1, used)
        assert found.wait[1] == pytest.approx(exact.wait[1], rel=0.02)


def test_a_flow_forgets_no_slower_than_it_is_seen_to():
    times = np.geomspace(1e-2, 1e6, 80)
    assert forgets(times, np.ones(80)) == 0.01
    slow = renewal_dispersion(1e-3 * times, 4.0)
    assert 1e-6 < forgets(times, slow) < 1e-4
    flow = counted_alike(times, slow)
    assert flow.size == 13


def test_counts_in_the_end_are_kept():
    times = np.geomspace(1e-2, 1e6, 80)
    index = departures_in_phases(queue(4.0, 0.25, 1, 0.9), times, 4.0, 1e-4)
    assert index[-1] == pytest.approx(4.0, rel=1e-3)


def work(*classes):
    """Waits of classes given by rate, arrival SCV, service time and SCV."""
    return class_waits([(renewals(r, a), fit_phase_type(t, s)) for r, a, t, s in classes])


def test_poisson_classes_find_the_queue_of_all():
    """M/G/1 of the mixture, and all see the same [Pollaczek and Khinchin]."""
    one, other = work((0.5, 1.0, 0.4, 4.0), (0.5, 1.0, 1.0, 0.5))
    second = 0.5 * 0.4**2 * 5.0 + 0.5 * 1.0**2 * 1.5
    third = 0.0
    for part, time, scv in ((0.5, 0.4, 4.0), (0.5, 1.0, 0.5)):
        service = fit_phase_type(time, scv)
        if scv > 1.0:
            each = zip(service.start, service.rate, strict=True)
            third += part * sum(p * 6.0 / rate**3 for p, rate in each)
        else:
            third += part * 2.0 * 3.0 * 4.0 / service.rate[0] ** 3
    mean = second / (2.0 * 0.3)
    for found in (one, other):
        assert found.probability == pytest.approx(0.7)
        assert found.first == pytest.approx(mean)
        assert found.second == pytest.approx(2.0 * mean**2 + third / (3.0 * 0.3))
    assert one.third == pytest.approx(other.third)


def test_classes_served_alike_wait_as_the_queue_of_all():
    waits = work((0.4, 4.0, 0.7, 0.5), (0.6, 0.5, 0.7, 0.5))
    flow = together([renewals(0.4, 4.0), renewals(0.6, 0.5)])
    whole = queue_in_phases(flow, busy_servers([(1.0, fit_phase_type(0.7, 0.5))], 1))
    mixed = WaitMoments.mixed([0.4, 0.6], waits)
    found = (mixed.probability, mixed.first, mixed.second, mixed.third)
    assert found == pytest.approx(whole.wait, rel=1e-8)
    assert waits[0].first > whole.wait[1] > waits[1].first


def test_classes_in_their_order_by_a_chain():
    """Who is in the queue, one by one: bursts of a class with long services."""
    arrival, steady = renewals(0.15, 4.0), 0.2
    mean, room = (0.9, 0.2), 9
    states = {}
    for n in range(room + 1):
        for phase in range(2):
            for order in product((0, 1), repeat=n):
                states[phase, order] = len(states)
    rates = np.zeros((len(states), len(states)))
    for (phase, order), i in states.items():
        moves = [
            (arrival.arrival[phase, to], (to, (*order, 0)) if len(order) < room else (to, order))
            for to in range(2)
        ]
        moves.append((steady, (phase, (*order, 1)) if len(order) < room else (phase, order)))
        if order:
            moves.append((1.0 / mean[order[0]], (phase, order[1:])))
        for flow, to in moves:
            rates[i, states[to]] += flow
            rates[i, i] -= flow
    system = rates.T.copy()
    system[0] = 1.0
    found = np.linalg.solve(system, np.eye(len(states))[0])
    sums, seen = np.zeros(2), np.zeros(2)
    for (phase, order), i in states.items():
        behind = sum(mean[c] for c in order)
        for c, flow in enumerate((arrival.arrival[phase].sum(), steady)):
            sums[c] += found[i] * flow * behind
            seen[c] += found[i] * flow
    waits = work((0.15, 4.0, 0.9, 1.0), (0.2, 1.0, 0.2, 1.0))
    assert [w.first for w in waits] == pytest.approx((sums / seen).tolist(), rel=1e-3)
    assert waits[0].first > 1.3 * waits[1].first


def test_a_server_that_is_never_idle_has_no_waits():
    assert work((0.5, 1.0, 1.0, 1.0), (0.5, 1.0, 1.0, 1.0)) is None


def test_a_wait_between_two():
    one, other = WaitMoments(0.2, 1.0, 3.0, 10.0), WaitMoments(0.4, 2.0, 5.0, 30.0)
    assert one.towards(other, (0.5, 0.25, 0.1)) == WaitMoments(
        pytest.approx(0.3), pytest.approx(1.5), pytest.approx(3.5), pytest.approx(12.0)
    )
    assert WaitMoments.mixed([0.75, 0.25], [one, other]).third == pytest.approx(15.0)
    assert WaitMoments.of(0.3, 0.0, 2.0, None) == WaitMoments(0.0, 0.0, 0.0, 0.0)
    assert WaitMoments(0.0, 0.0, 0.0, 0.0).spread == 1.0
    shape = ((0.6, 1.5), (0.4, 0.25))
    found = WaitMoments.of(0.5, 2.0, 9.9, shape)
    assert found.wait.of_those_who_wait == (
        pytest.approx((0.6, 1.5)),
        pytest.approx((0.4, 0.25)),
    )
    assert found.spread == pytest.approx(2.0 * (0.6 * 2.25 + 0.4 * 0.0625) - 1.0)


def traffic(servers=1, arrival_scv=(4.0, 0.5), scv=0.5, used=0.6, second=False):
    stations = [qm.QueueingStation("a", servers, "fcfs"), qm.QueueingStation("b", 1, "fcfs")]
    classes = [qm.OpenClass(f"c{i}", 0.5, arrival_scv=a) for i, a in enumerate(arrival_scv)]
    time = used * servers / (0.5 * len(classes))
    rows = [[time, 0.3 if second else 0.0] for _ in classes]
    return traffic_of(qm.Network(stations, classes, rows, scv=[[scv, scv]] * len(classes)))


TIMES = np.geomspace(1e-2, 1e4, 50)
INDEX = renewal_dispersion(TIMES, 2.0)


def test_what_comes_from_outside_is_itself():
    assert station_queue(traffic(), 0, INDEX, TIMES).outside
    assert not station_queue(traffic(second=True), 1, INDEX, TIMES).outside
    waits = waits_from_outside(traffic(), 0)
    assert waits == work((0.5, 4.0, 0.6, 0.5), (0.5, 0.5, 0.6, 0.5))


def test_times_that_hardly_vary_have_as_many_phases_as_there_is_room_for():
    one = station_queue(traffic(arrival_scv=(0.0,)), 0, INDEX, TIMES)
    assert (one.outside, one.queue.flow.size) == (True, 32)
    two = station_queue(traffic(arrival_scv=(0.0, 0.0)), 0, INDEX, TIMES)
    assert (two.outside, two.queue.flow.size) == (True, 64)
    many = station_queue(traffic(arrival_scv=(0.0, 0.0, 0.0)), 0, INDEX, TIMES)
    assert not many.outside
    assert waits_from_outside(traffic(arrival_scv=(0.0, 0.0, 0.0)), 0) is None


def test_where_formulas_tell_as_much_there_is_no_queue():
    poisson = traffic(arrival_scv=(1.0, 1.0), scv=1.0)
    assert station_queue(poisson, 0, np.ones(50), TIMES) is None
    assert station_queue(traffic(used=0.99995), 0, INDEX, TIMES) is None
    assert station_queue(traffic(servers=40, scv=0.1), 0, INDEX, TIMES) is None
    assert waits_from_outside(traffic(used=0.99995), 0) is None
    assert waits_from_outside(traffic(servers=2), 0) is None
    assert waits_from_outside(traffic(arrival_scv=(4.0,)), 0) is None


def test_many_servers_are_served_by_one_mixture():
    stations = [qm.QueueingStation("a", 4, "fcfs")]
    classes = [qm.OpenClass("x", 1.0, arrival_scv=2.0), qm.OpenClass("y", 1.0)]
    network = qm.Network(stations, classes, [[1.0], [1.0]], scv=[[4.0], [0.25]])
    found = station_queue(traffic_of(network), 0, INDEX, TIMES)
    assert found.outside
    assert len(found.queue.busy.within[-1]) == sets_of(2, 4)


def felt(flows, servers, k=1):
    """What a station makes of its flow without phases."""
    here = flow_dispersion(flows, TIMES).matrices[k]
    mean, scv = busy_time(flows, k)
    whole = flows.flow[:, k].sum()
    busy = whole * mean
    load = StationLoad(servers, mean, scv, busy / servers, servers - busy, whole)
    return here, OpenLoad(busy, servers - busy), felt_arrivals(load, flows, k, here, TIMES, None)


def test_flows_that_come_through_a_station_are_felt_between_two_processes():
    flows = traffic(arrival_scv=(4.0,), second=True)
    here, load, (_, (_, alone, _), _) = felt(flows, 1)
    queue = station_queue(flows, 1, here[0, 0] / 0.5, TIMES)
    assert not queue.outside
    wait = at_station(flows, 1, load, here, TIMES, None)
    counted = queue.queue.wait[1] / 0.5
    assert abs(counted / alone - 1.0) > 0.01
    assert wait.wait == pytest.approx(alone + 0.4 * (counted - alone))
    given = at_station(flows, 1, load, here, TIMES, queue)
    assert given.wait == pytest.approx(wait.wait, rel=1e-12)


def test_only_what_goes_on_to_others_is_a_queue_with_phases_before_it_is_asked_for():
    found = flow_dispersion(traffic(arrival_scv=(4.0,), second=True), TIMES)
    assert found.queues[0].outside
    assert found.queues[1] is None


@pytest.mark.parametrize("scvs", [(0.0, 0.3), (0.01, 4.0), (0.25, 0.25)])
def test_poisson_classes_at_one_server_are_pollaczek_and_khinchin(scvs):
    """M/G/1 of the mixture, also behind stations that leave arrivals Poisson; each percentile."""
    classes = [qm.OpenClass("x", 0.3), qm.OpenClass("y", 0.3)]
    second = 0.5 * 1.0 * (1.0 + scvs[0]) + 0.5 * 1.2**2 * (1.0 + scvs[1])
    wait = 0.6 * second / (2.0 * (1.0 - 0.66))
    alone = qm.Network(
        [qm.QueueingStation("b", 1, "fcfs")], classes, [[1.0], [1.2]], scv=[[v] for v in scvs]
    )
    behind = qm.Network(
        [qm.QueueingStation("a", 1, "fcfs"), qm.QueueingStation("b", 1, "fcfs")],
        classes,
        [[0.5, 1.0], [0.5, 1.2]],
        scv=[[1.0, v] for v in scvs],
    )
    exact = qm.solve(alone, "dispersion")
    assert exact.response_times == pytest.approx([1.0 + wait, 1.2 + wait], rel=1e-12)
    found = qm.solve(behind, "dispersion")
    for c in (0, 1):
        assert found.residence_times[c][1] == pytest.approx(exact.response_times[c], rel=1e-9)
        stages = [
            route_of(s, c, orders(s.network), station_times(s)).states.stations[-1]
            for s in (exact, found)
        ]
        assert [stage.poisson for stage in stages] == [True, True]


def test_classes_of_unlike_services_bring_their_work():
    """Bursts of a class that is served quickly are felt less than they are counted."""
    stations = [qm.QueueingStation(name, 1, "fcfs") for name in "ab"]
    classes = [qm.OpenClass("bursts", 0.5, arrival_scv=9.0), qm.OpenClass("steady", 0.5)]
    waits = []
    for quick, slow in ((0.1, 1.3), (1.3, 0.1)):
        network = qm.Network(stations, classes, [[0.2, quick], [0.2, slow]])
        waits.append(station_waits(network)[1].wait)
    assert waits[1] > 2.0 * waits[0]


def test_the_unit_of_time_makes_no_difference():
    slow = traffic_of(
        qm.Network(
            [qm.QueueingStation("a", 1, "fcfs")],
            [qm.OpenClass("x", 0.05, arrival_scv=4.0), qm.OpenClass("y", 0.05, arrival_scv=0.5)],
            [[6.0], [6.0]],
            scv=[[0.5], [0.5]],
        )
    )
    found, same = (
        station_queue(slow, 0, INDEX, 10.0 * TIMES),
        station_queue(traffic(), 0, INDEX, TIMES),
    )
    assert found.queue.wait == pytest.approx(same.queue.wait, rel=1e-9)


def test_an_index_that_hardly_changes_has_settled():
    times = np.geomspace(1e-2, 1e6, 80)
    assert forgets(times, 1.0 + 1e-5 * (times > 1e5)) == 0.01


@pytest.mark.parametrize(("used", "near"), [(0.99, 0.04), (0.999, 0.004)])
def test_bursts_at_a_server_that_is_hardly_idle(used, near):
    """Against the variance of all work over a long time, which is all that is felt then."""
    waits = work((0.5, 50.0, used, 0.5), (0.5, 1.0, used, 2.0))
    varied = 0.5 * (50.0 + 0.5) + 0.5 * (1.0 + 2.0)
    heavy = used * varied / (2.0 * (1.0 - used))
    assert waits[1].first == pytest.approx(heavy, rel=near)


def test_departures_of_too_many_phases_follow_the_formula():
    """That of Whitt and You, between the arrivals' variance and the services'."""
    stations = [qm.QueueingStation("a", 20, "fcfs"), qm.QueueingStation("b", 1, "fcfs")]
    network = qm.Network(
        stations, [qm.OpenClass("x", 2.0, arrival_scv=3.0)], [[7.0, 0.1]], scv=[[0.3, 1.0]]
    )
    flows = flow_dispersion(traffic_of(network), TIMES)
    assert flows.queues[0] is None
    arrives = renewal_dispersion(2.0 * TIMES, 3.0)
    served = 1.0 + (renewal_dispersion(2.0 * TIMES / 20.0, 0.3) - 1.0) / 20.0**0.5
    scale = 0.7 * arrives[-1] + 1.3 * 0.3
    kept = weight(0.3**2 * 2.0 * TIMES / (0.7 * scale))
    leaves = kept * arrives + (1.0 - kept) * served
    assert flows.matrices[1][0, 0] / 2.0 == pytest.approx(leaves, rel=1e-9)


def test_the_weight_is_its_asymptote_far_out():
    far = np.array([150.0, 199.0, 201.0, 1000.0])
    assert weight(far) == pytest.approx(1.0 - 0.5 / far, rel=1e-4)


def unlike():
    """Two classes whose services differ at the second of two stations."""
    stations = [qm.QueueingStation("a", 1, "fcfs"), qm.QueueingStation("b", 2, "fcfs")]
    classes = [qm.OpenClass("bursts", 0.5, arrival_scv=9.0), qm.OpenClass("steady", 0.5)]
    network = qm.Network(stations, classes, [[0.2, 0.4], [0.2, 2.0]], scv=[[1.0, 2.0]] * 2)
    return traffic_of(network)


def test_unlike_services_are_counted_by_their_work():
    flows = unlike()
    here, load, (_, (_, alone, _), _) = felt(flows, 2)
    index, counts = work_index(flows, 1, here), here.sum(axis=(0, 1))
    assert index[-1] < 0.8 * counts[-1]
    by_count = station_queue(flows, 1, counts, TIMES)
    by_work = station_queue(flows, 1, index, TIMES).queue.wait[1]
    for queue in (None, by_count):
        wait = at_station(flows, 1, load, here, TIMES, queue)
        assert wait.wait == pytest.approx(alone + 0.4 * (by_work - alone))


def test_a_station_feels_its_flow_for_as_long_as_a_customer_is_felt():
    """T of the module's text; weights over times in powers are a gamma density of mean 2 T."""
    flows = unlike()
    _, _, (_, (probability, wait, _), weights) = felt(flows, 2)
    mean, scv = busy_time(flows, 1)
    scale = 0.7 * (mean * (1.0 + scv) / 4.0 + wait / probability) / 0.4
    assert float(weights @ TIMES) == pytest.approx(2.0 * scale, rel=0.03)


def test_classes_wait_as_their_excess_work_differs():
    flows = unlike()
    here, load, (_, _, weights) = felt(flows, 2)
    found = at_station(flows, 1, load, here, TIMES, None)
    excess = [
        0.25 * time * found.probability * (float(here[c, c] @ weights) / 0.5 - 1.0)
        for c, time in enumerate((0.4, 2.0))
    ]
    assert found.waits[0] - found.waits[1] == pytest.approx(excess[0] - excess[1])
    assert sum(found.waits) / 2.0 == pytest.approx(found.wait)


def test_how_a_wait_is_spread_where_it_varies_little():
    network = qm.Network(
        [qm.QueueingStation("a", 1, "fcfs")],
        [qm.OpenClass("x", 1.0, arrival_scv=0.5)],
        [[0.8]],
        scv=[[0.25]],
    )
    (found,) = station_waits(network)
    exact = contour(ServiceTime(1.0, 0.5), [(1.0, ServiceTime(0.8, 0.25))])
    square = (exact.variance + exact.mean**2) * exact.probability / exact.mean**2
    assert found.spread == pytest.approx(square - 1.0, rel=1e-6)


def test_counts_of_nothing_that_happens_make_no_queue():
    """Its levels would grow: no numbers, and no overflow on the way to them."""
    random = np.random.default_rng(1)
    times = np.geomspace(1e-2, 1e4, 50)
    refused = 0
    for _ in range(20):
        flow = counted_alike(times, abs(1.0 + np.cumsum(random.normal(0.0, 3.0, 50))))
        found = queue_in_phases(flow, busy_servers([(1.0, fit_phase_type(0.9, 1.0))], 1))
        refused += found is None
        assert found is None or min(found.wait) >= 0.0
    assert 0 < refused < 20
