"""Flows told apart by class: chains written out state by state, other algorithms, simulations."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.matrix_analytic import age_process as ap
from qmodel.matrix_analytic import first_passage_matrix as fp
from qmodel.matrix_analytic import marked_arrival_process as mp
from qmodel.matrix_analytic import service_simplification as serving
from qmodel.matrix_analytic import superposition as merging
from qmodel.matrix_analytic.age_resolvent import AgeResolvent
from qmodel.matrix_analytic.departure_process import departure_process
from qmodel.matrix_analytic.galerkin_projection import MOST
from qmodel.matrix_analytic.inner_product import QueueProduct
from qmodel.matrix_analytic.mmap_ph_queue import solve_mmap_queue
from qmodel.matrix_analytic.server_phases import server_phases
from qmodel.matrix_analytic.service_simplification import Service
from qmodel.matrix_analytic.superposition import reduce_order, superpose
from qmodel.matrix_analytic.waiting_time import wait_covariances, waiting_time_moments
from qmodel.numerics.phase_type import ServiceTime, fit_phase_type
from qmodel.single_station.pollaczek import wait as contour
from qmodel.solvers.decomposition.mmap import METHOD
from qmodel.solvers.decomposition.mmap_network import covariances, marked_network
from qmodel.solvers.decomposition.traffic_equations import traffic_of
from tests.tables import rows
from tests.truth.open_chain import OpenChain
from tests.truth.open_tandem import OpenTandem

CASES = [(4.0, 0.5, 1), (0.5, 4.0, 1), (2.0, 1.0, 2), (0.5, 2.0, 2), (0.25, 0.5, 3)]


def ticks(flow, services, servers):
    return ap.AgeProcess(flow, server_phases(services, len(flow.d), servers))


def line(arrival_scv, scv, servers=1, used=0.5):
    return ticks(
        mp.renewal_process(1.0, arrival_scv, 0, 1),
        {0: fit_phase_type(used * servers, scv)},
        servers,
    )


def index(flow: mp.MarkedArrivalProcess, times, chosen=None):
    """Index of dispersion for counts, by the integral of the rates after an arrival.

    In the limit by the fundamental matrix: at long times the integral is all cancellation.
    """
    from scipy.linalg import expm

    counted = sum(flow.d[c] for c in chosen or range(len(flow.d)))
    rate, size = float(flow.stationary_phase @ counted.sum(axis=1)), flow.size
    found = []
    for t in times:
        if t == np.inf:
            fundamental = np.linalg.inv(flow.stationary_phase - flow.generator)
            after = flow.stationary_phase @ counted @ fundamental @ counted.sum(axis=1)
            found.append(1.0 - 2.0 * rate + 2.0 / rate * float(after))
            continue
        blocks = np.zeros((size + 2, size + 2))
        blocks[:size, :size] = flow.generator
        blocks[:size, size] = counted.sum(axis=1)
        blocks[size, size + 1] = 1.0
        both = float(flow.stationary_phase @ counted @ expm(blocks * t)[:size, size + 1])
        found.append(1.0 + 2.0 / (rate * t) * (both - 0.5 * (rate * t) ** 2))
    return found


# One station


@pytest.mark.parametrize(("arrival_scv", "scv", "servers"), CASES)
@pytest.mark.parametrize("used", [0.3, 0.5])
def test_one_class_waits_as_in_the_chain(arrival_scv, scv, servers, used):
    queue = line(arrival_scv, scv, servers, used)
    (found,) = waiting_time_moments(queue, fp.stationary_distribution(queue))
    room = 60 if max(arrival_scv, scv) > 2.0 else 36
    chain = OpenChain((1.0, arrival_scv), (used * servers, scv), servers, room)
    assert (found.probability, found.first) == pytest.approx(chain.wait, rel=1e-4)


@pytest.mark.parametrize(("arrival_scv", "scv"), [(0.25, 4.0), (4.0, 0.5), (4.0, 4.0)])
@pytest.mark.parametrize("used", [0.1, 0.8])
def test_moments_at_one_server_are_those_of_the_contour_integrals(arrival_scv, scv, used):
    """Exponential, Erlang and hyperexponential times are gamma or hyperexponential ones."""
    queue = line(arrival_scv, scv, 1, used)
    (found,) = waiting_time_moments(queue, fp.stationary_distribution(queue))
    exact = contour(ServiceTime(1.0, arrival_scv), [(1.0, ServiceTime(used, scv))])
    assert found.probability == pytest.approx(exact.probability, rel=1e-6)
    assert found.first == pytest.approx(exact.first, rel=1e-6)
    assert found.second == pytest.approx(exact.second, rel=1e-5)
    assert found.third == pytest.approx(exact.third, rel=1e-4)


def test_poisson_classes_find_the_queue_of_all():
    """M/G/1 of the mixture, and all see the same [Pollaczek and Khinchin]."""
    flow = mp.superpose_exact(
        mp.renewal_process(0.5, 1.0, 0, 2), mp.renewal_process(0.5, 1.0, 1, 2)
    )
    queue = ticks(flow, {0: fit_phase_type(0.4, 4.0), 1: fit_phase_type(1.0, 0.5)}, 1)
    mean = (0.5 * 0.4**2 * 5.0 + 0.5 * 1.0**2 * 1.5) / (2.0 * 0.3)
    for found in waiting_time_moments(queue, fp.stationary_distribution(queue)):
        assert found.probability == pytest.approx(0.7)
        assert found.first == pytest.approx(mean)


def test_classes_in_their_order_by_a_chain():
    """Customers in the queue, one by one: bursts of a class with long services."""
    mean, rates = (0.9, 0.2), (0.15, 0.2)
    gaps = ((1 / 0.15, 4.0), (1 / 0.2, 1.0))
    chain = OpenTandem([(gap, (m, 1.0), None) for gap, m in zip(gaps, mean)], room=(11, 1))
    known = [chain.customers(0, c) / rates[c] - mean[c] for c in (0, 1)]
    flow = mp.superpose_exact(
        mp.renewal_process(0.15, 4.0, 0, 2), mp.renewal_process(0.2, 1.0, 1, 2)
    )
    queue = ticks(flow, {0: fit_phase_type(0.9, 1.0), 1: fit_phase_type(0.2, 1.0)}, 1)
    long, short = (
        wait.first for wait in waiting_time_moments(queue, fp.stationary_distribution(queue))
    )
    assert [long, short] == pytest.approx(known, rel=1e-3)
    assert long > 1.3 * short


def test_who_does_not_come_does_not_wait():
    queue = ticks(mp.renewal_process(1.0, 1.0, 1, 2), {1: fit_phase_type(0.5, 1.0)}, 1)
    first, second = waiting_time_moments(queue, fp.stationary_distribution(queue))
    assert first is None
    assert second.first == pytest.approx(0.5)


def test_where_nobody_waits_long_few_levels_are_enough_and_none_where_there_are_too_many(
    monkeypatch,
):
    few, many = (len(fp.stationary_distribution(line(1.0, 1.0, used=u)).levels) for u in (0.1, 0.8))
    assert few < 20 < 100 < many
    monkeypatch.setattr("qmodel.matrix_analytic.first_passage_matrix.MOST", 100)
    assert fp.stationary_distribution(line(1.0, 1.0, used=0.8)) is None
    assert (
        solve_mmap_queue(mp.renewal_process(1.0, 1.0, 0, 1), {0: Service(1.0, 0.8, 1.0)}, 1, 0)
        is None
    )


# Its equations


@pytest.fixture
def two_classes():
    flow = mp.superpose_exact(
        mp.renewal_process(0.6, 0.5, 0, 2), mp.renewal_process(0.4, 4.0, 1, 2)
    )
    return ticks(flow, {0: fit_phase_type(0.6, 0.5), 1: fit_phase_type(1.0, 2.0)}, 2)


def test_the_first_return_solves_its_equation(two_classes):
    q = two_classes
    for s in (0.0, 0.7):
        found = fp.first_passage_matrix(q, s)
        starts = np.linalg.inv(
            (s + q.tick_rate) * np.eye(len(q.service_generator)) - q.service_generator
        )
        again = found @ (q.quiet_tick + q.arrival_tick @ found)
        assert found == pytest.approx(
            starts @ (sum(q.completions) + q.tick_rate * again), abs=1e-12
        )
    assert fp.first_passage_matrix(q, 0.0).sum(axis=1) == pytest.approx(np.ones(len(found)))


def test_a_queue_that_grows_without_end_has_no_first_return_but_less_than_one():
    assert fp.first_passage_matrix(line(1.0, 1.0, used=2.0), 0.0).item() == pytest.approx(0.5)


def test_functions_and_measures_solve_their_equations(two_classes):
    """(s - Q) y = f; and measures are the same matrix from the other side."""
    q = two_classes
    often = fp.stationary_distribution(q)
    random = np.random.default_rng(5)
    # Nothing at the last levels, where the space ends.
    shape = (len(often.levels), *often.levels.shape[1:2], 2)
    fades = np.exp(-0.4 * np.arange(shape[0]))[:, None, None]
    f = ap.StateVector(random.random((len(often.boundary), 2)), random.random(shape) * fades)
    g = ap.StateVector(random.random((len(often.boundary), 2)), random.random(shape) * fades)
    ended = random.random((shape[0], len(q.quiet_tick), 2)) * fades
    for ends in (True, False):
        solved = AgeResolvent(q, 0.7, killed=not ends)
        y, z = solved.solve_right(f), solved.solve_left(g)
        rates = ap.apply_generator(q, y).flat
        if not ends:
            rates = rates - sum(ap.after_completion(q, c, y).flat for c in (0, 1))
        left = 0.7 * y.flat - rates - f.flat
        assert abs(left[: -3 * shape[1]]).max() < 1e-12
        assert z.flat.T @ f.flat == pytest.approx(g.flat.T @ y.flat, rel=1e-10)
    from_looks = AgeResolvent(q, 0.7).solve_left(g, ended).flat.T @ f.flat
    y = AgeResolvent(q, 0.7).solve_right(f)
    after = np.einsum("nbr,nbs->rs", ended, ap.at_inspection(q, y))
    assert from_looks == pytest.approx(g.flat.T @ y.flat + after, rel=1e-10)


def test_the_clock_is_as_fast_as_it_must_be():
    """Erlang gaps go round: a slower clock would have them grow."""
    queue = line(0.25, 1.0)
    tick = queue.quiet_tick + sum(queue.arrivals.d) / queue.tick_rate
    assert abs(np.linalg.eigvals(tick)).max() == pytest.approx(1.0)
    assert queue.tick_rate == pytest.approx(1.5 * 4.0)
    assert line(1.0, 1.0).tick_rate == pytest.approx(2.0)
    spoilt = mp.MarkedArrivalProcess(np.array([[1.0]]), (np.array([[-1.0]]),))
    with pytest.raises((np.linalg.LinAlgError, ValueError)):
        _ = ticks(spoilt, {0: fit_phase_type(0.5, 1.0)}, 1).tick_rate


# What leaves


@pytest.mark.parametrize(("arrival_scv", "scv", "servers"), CASES[:4])
def test_departures_are_as_uneven_as_those_of_the_chain(arrival_scv, scv, servers):
    queue = line(arrival_scv, scv, servers)
    left = departure_process(queue, fp.stationary_distribution(queue), 0.05, 0)
    room = 60 if max(arrival_scv, scv) > 2.0 else 36
    chain = OpenChain((1.0, arrival_scv), (0.5 * servers, scv), servers, room)
    times = np.array([0.2, 1.0, 5.0, 20.0])
    assert index(left, times) == pytest.approx(chain.departures(times), rel=4e-3)
    assert left.size <= MOST
    assert left.rate == pytest.approx(1.0, rel=1e-4)


def test_classes_leave_in_their_order():
    """In the end each is as uneven as it came, though both share the server."""
    flow = mp.superpose_exact(
        mp.renewal_process(0.5, 0.25, 0, 2), mp.renewal_process(0.3, 4.0, 1, 2)
    )
    queue = ticks(flow, {0: fit_phase_type(1.0, 1.0), 1: fit_phase_type(1.0, 1.0)}, 1)
    left = departure_process(queue, fp.stationary_distribution(queue), 0.01, 0)
    long = [3e4]
    assert index(left, long, [0]) == pytest.approx([0.25], abs=0.03)
    assert index(left, long, [1]) == pytest.approx([4.0], abs=0.03)
    assert index(left, long) == pytest.approx([(0.5 * 0.25 + 0.3 * 4.0) / 0.8], abs=0.03)


def test_burke():
    """What leaves M/M/1 and M/M/2 is Poisson, and what one leaves behind does not matter."""
    for servers in (1, 2):
        queue = line(1.0, 1.0, servers, 0.6)
        left = departure_process(queue, fp.stationary_distribution(queue), 0.02, 7)
        assert index(left, [0.1, 1.0, 30.0]) == pytest.approx([1.0] * 3, abs=1e-4)
        second = ticks(left, {0: fit_phase_type(0.7, 1.0)}, 1)
        often = fp.stationary_distribution(second)
        (found,) = waiting_time_moments(second, often)
        assert found.first == pytest.approx(0.7 * 0.7 / 0.3, rel=1e-4)
        assert wait_covariances(second, often)[0, 7] == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("scvs", [(4.0, 0.5), (0.5, 2.0)])
def test_two_stations_in_turn_are_their_chain(scvs):
    """Both classes at the first station, one of them at the second, in their order."""
    bursts, even = scvs
    classes = [
        ((1 / 0.11, bursts), (0.9, even), (1.3, 0.5)),
        ((1 / 0.09, even), (0.7, bursts), None),
    ]
    chain = OpenTandem(classes, room=(5, 5))
    assert chain.lost() < 1e-3
    network = qm.Network(
        [qm.QueueingStation(name, 1, "fcfs") for name in "ab"],
        [qm.OpenClass("x", 0.11, arrival_scv=bursts), qm.OpenClass("y", 0.09, arrival_scv=even)],
        [[0.9, 1.3], [0.7, 0.0]],
        scv=[[even, 0.5], [bursts, 1.0]],
    )
    found = qm.solve(network, "mmap").queue_lengths
    for c, k in ((0, 0), (1, 0), (0, 1)):
        assert found[c][k] == pytest.approx(chain.customers(k, c), rel=0.02)


# Fewer phases


def test_a_flow_of_fewer_phases_is_as_uneven():
    flows = [
        mp.renewal_process(1.0, 0.25, 0, 2),
        mp.renewal_process(0.5, 4.0, 1, 2),
        mp.renewal_process(0.7, 0.25, 1, 2),
    ]
    whole = mp.superpose_exact(mp.superpose_exact(*flows[:2]), flows[2])
    few = superpose(flows, 0.1)
    assert few.size <= MOST < whole.size
    times = [0.1, 1.0, 10.0]
    for chosen in (None, [0], [1]):
        assert index(few, times, chosen) == pytest.approx(index(whole, times, chosen), rel=2e-3)
    again = reduce_order(whole, 0.1)
    assert again.rate == pytest.approx(2.2)
    assert len(superpose(flows[:1], 0.1).d0) == 4


def test_too_many_phases_are_too_many(monkeypatch):
    monkeypatch.setattr(merging, "LARGEST", 15)
    assert superpose([mp.renewal_process(1.0, 0.25, c, 3) for c in range(3)], 0.1) is None


def test_what_is_brought_along_stays_with_its_flow():
    queue = line(4.0, 1.0)
    left = departure_process(queue, fp.stationary_distribution(queue), 0.05, 2)
    brought = left.sojourn_weights[0, 2]
    assert float(left.stationary_phase @ brought) == pytest.approx(0.0, abs=1e-8)
    assert mp.thin(left, [0.25]).sojourn_weights[0, 2] == pytest.approx(0.25 * brought)
    assert mp.thin(left, [0.0]).sojourn_weights == {}
    other = mp.renewal_process(1.0, 0.5, 0, 1)
    for both in (mp.superpose_exact(left, other), mp.superpose_exact(other, left)):
        second = ticks(both, {0: fit_phase_type(0.4, 0.5)}, 1)
        alone = ticks(reduce_order(both, 0.05), {0: fit_phase_type(0.4, 0.5)}, 1)
        found = [
            wait_covariances(each, fp.stationary_distribution(each))[0, 2]
            for each in (second, alone)
        ]
        assert found[0] != 0.0
        assert found[0] == pytest.approx(found[1], rel=0.01)


def test_the_product_of_coordinates_is_undone():
    queue = line(4.0, 1.0)
    left = departure_process(queue, fp.stationary_distribution(queue), 0.05, 0)
    second = ticks(left, {0: fit_phase_type(0.6, 0.5)}, 2)
    often = fp.stationary_distribution(second)
    product = QueueProduct(second, often)
    f, g = np.random.default_rng(2).random((2, len(often.flat), 1))
    assert product.solve(product(f)) == pytest.approx(f, rel=1e-6)
    assert float((f * product(g)).sum()) == pytest.approx(float((g * product(f)).sum()))
    assert float((f * product(f)).sum()) > 0.0


# Units


@pytest.mark.parametrize("servers", [(1, 1, 2), (2, 3, 1)])
def test_another_unit_of_time_changes_nothing_else(servers):
    def line_of_three(unit):
        times = [0.6 * m * unit for m in servers]
        bursts = [qm.OpenClass("x", 1.0 / unit, arrival_scv=4.0)]
        return network(servers, bursts, [times], scv=[[2.0, 0.5, 0.5]])

    traffic = [traffic_of(line_of_three(unit)) for unit in (1.0, 1e4)]
    solved = [marked_network(each) for each in traffic]
    for one, other in zip(*(each.stations for each in solved), strict=True):
        assert other.waits[0].first == pytest.approx(1e4 * one.waits[0].first, rel=1e-5)
        assert other.waits[0].second == pytest.approx(1e8 * one.waits[0].second, rel=1e-5)
    for one, other in zip(*map(covariances, traffic, solved), strict=True):
        for at, known in one.items():
            assert other[at] == pytest.approx(1e8 * known, rel=1e-3)


def test_classes_of_very_unlike_services_at_many_servers():
    """Simulated with 8 million customers: 1152 and 946 s; by variances alone five thousand."""
    classes = [qm.OpenClass("long", 0.0141), qm.OpenClass("bursts", 0.0155, arrival_scv=30.0)]
    found = qm.solve(network((6,), classes, [[351.0], [48.5]], scv=[[0.25], [1.0]]))
    assert found.method == "mmap"
    assert found.response_times == pytest.approx([1152.0, 946.0], rel=0.06)


# Simpler services


@pytest.mark.parametrize(("servers", "most", "near"), rows(__file__, "many_phases"))
def test_where_phases_are_too_many_waits_are_nearly_those_of_all_of_them(
    monkeypatch, servers, most, near
):
    """Six phases of services in all, of which four or two are left."""
    flow = mp.superpose_exact(
        mp.renewal_process(0.6, 0.5, 0, 2), mp.renewal_process(0.4, 2.0, 1, 2)
    )
    services = {0: Service(0.6, 0.4 * servers, 0.25), 1: Service(0.4, 1.2 * servers, 2.0)}
    true = solve_mmap_queue(flow, services, servers, None)
    monkeypatch.setattr(serving, "LARGEST", flow.size * most)
    found = solve_mmap_queue(flow, services, servers, None)
    for one, other in zip(true.waits, found.waits, strict=True):
        assert other.first != one.first
        assert other.first == pytest.approx(one.first, rel=near)
        assert other.second == pytest.approx(one.second, rel=3 * near)
    monkeypatch.setattr(serving, "LARGEST", flow.size)
    assert solve_mmap_queue(flow, services, servers, None) is None


# Networks


def network(servers, classes, demand, **more):
    return qm.Network(
        [qm.QueueingStation(f"s{k}", m, "fcfs") for k, m in enumerate(servers)], classes, demand,
        **more,
    )  # fmt: skip


@pytest.mark.parametrize("visits", [None, [[1, 0.5, 0.7], [0.3, 0.7, 1]]])
def test_poisson_arrivals_and_exponential_service_are_jackson(visits):
    classes = [qm.OpenClass("a", 0.4), qm.OpenClass("b", 0.3)]
    times = [0.9, 0.6, 1.1]
    demand = [[v * t for v, t in zip(row, times)] for row in visits or [[1, 1, 1]] * 2]
    model = network((2, 1, 3), classes, demand, visit_ratio=visits)
    exact, found = qm.solve(model), qm.solve(model, "mmap")
    assert exact.method == "open"
    assert found.response_times == pytest.approx(exact.response_times, rel=1e-4)
    shares = (0.5, 0.95)
    for c in (0, 1):
        known, mine = (qm.percentiles(s, shares).response_times[c] for s in (exact, found))
        assert mine == pytest.approx(known, rel=5e-3)


@pytest.mark.parametrize("scv", [0.3, 1.0, 3.0])
def test_one_server_alone_is_exact_whatever_its_shape(scv):
    """M/G/1 and GI/M/1, with gamma times that no few phases have."""
    model = network((1,), [qm.OpenClass("a", 0.5)], [[1.2]], scv=[[scv]])
    known = 1.2 + 0.5 * 1.2**2 * (1.0 + scv) / (2.0 * (1.0 - 0.6))
    assert qm.solve(model, "mmap").response_times[0] == pytest.approx(known, rel=1e-9)
    gaps = network((1,), [qm.OpenClass("a", 0.5, arrival_scv=scv)], [[1.2]])
    other = contour(ServiceTime(2.0, scv), [(1.0, ServiceTime(1.2))]).first + 1.2
    assert qm.solve(gaps, "mmap").response_times[0] == pytest.approx(other, rel=1e-9)


def test_a_line_of_three_is_as_simulated():
    """With 24 million customers."""
    model = network(
        (1, 2, 1), [qm.OpenClass("a", 1.0, arrival_scv=0.25)], [[0.36, 0.8, 0.86]],
        scv=[[0.25, 4.0, 0.25]],
    )  # fmt: skip
    found = qm.solve(model, "mmap")
    assert found.response_times[0] == pytest.approx(4.152, rel=0.02)
    mine = qm.percentiles(found, (0.5, 0.9, 0.95)).response_times[0]
    assert mine == pytest.approx([3.348, 7.77, 9.73], rel=0.03)


def test_a_delay_of_one_time_passes_its_arrivals_on_and_nobody_waits_there():
    stations_ = [
        qm.QueueingStation("a", 1, "fcfs"), qm.DelayStation("wait"),
        qm.QueueingStation("b", 1, "fcfs"), qm.QueueingStation("nobody", 1, "fcfs"),
    ]  # fmt: skip
    arrives = qm.OpenClass("x", 1.0, arrival_scv=4.0)
    model = qm.Network(stations_, [arrives], [[0.5, 3.0, 0.6, 0.0]], scv=[[1.0, 0.0, 1.0, 1.0]])
    short = network((1, 1), [arrives], [[0.5, 0.6]])
    found, other = (qm.solve(each, "mmap") for each in (model, short))
    assert found.response_times[0] == pytest.approx(other.response_times[0] + 3.0)
    assert found.details.stations[1] is None
    assert found.details.stations[3] is None
    assert len(qm.percentiles(found, [0.95]).sojourn_times[0]) == 4


def test_what_it_does_not_take_is_named():
    even = network((1,), [qm.OpenClass("a", 0.5, arrival_scv=0.0)], [[1.0]])
    assert METHOD.why_not(even) is None
    fixed = network((1,), [qm.OpenClass("a", 0.5)], [[1.0]], scv=[[0.0]])
    assert METHOD.why_not(fixed) is None
    again = network((1,), [qm.OpenClass("a", 0.2)], [[2.0]], visit_ratio=[[2.0]])
    assert "comes back" in METHOD.why_not(again)
    with pytest.raises(qm.Unstable):
        qm.solve(network((1,), [qm.OpenClass("a", 2.0)], [[1.0]], scv=[[2.0]]), "mmap")


def test_auto_takes_another_method_where_there_are_too_many_phases(monkeypatch):
    model = network((1, 1), [qm.OpenClass("a", 0.5, arrival_scv=3.5)], [[1.0, 1.1]])
    assert qm.solve(model).method == "mmap"
    monkeypatch.setattr(serving, "LARGEST", 1)
    found = qm.solve(model)
    assert found.method == "qna"
    with pytest.raises(qm.NotApplicable, match="too many phases"):
        qm.solve(model, "mmap")


@pytest.mark.parametrize("load", [1e-9, 0.3, 1.0 - 1e-9])
def test_any_load_has_an_answer(load):
    """Near saturation there are too many customers for it, and another method answers."""
    classes = [qm.OpenClass("a", 1.0, arrival_scv=9.0)]
    solution = qm.solve(network([1, 3], classes, [[load, 3 * load]], scv=[[0.5, 20.0]]))
    assert solution.method == ("qna" if load > 0.9 else "mmap")
    for time, least in zip(solution.residence_times[0], (load, 3 * load), strict=True):
        assert least * (1.0 - 1e-9) <= time < 20.0 * least / (1.0 - load)


def test_a_class_that_never_comes_would_wait_as_the_others():
    never = qm.OpenClass("never", 0.0, arrival_scv=9.0)
    classes = [qm.OpenClass("a", 1.0, arrival_scv=0.5), never]
    model = network((2, 1), classes, [[1.5, 0.5], [1.5, 0.2]], scv=[[2.0, 0.5], [2.0, 0.5]])
    alone = network((2, 1), classes[:1], [[1.5, 0.5]], scv=[[2.0, 0.5]])
    found, other = (qm.solve(each, "mmap").residence_times for each in (model, alone))
    assert found[0] == pytest.approx(other[0], rel=1e-9)
    assert found[1] == pytest.approx((other[0][0], other[0][1] - 0.3), rel=1e-9)
    apart = network((2, 1), classes, [[1.5, 0.0], [0.0, 0.2]])
    assert qm.solve(apart, "mmap").residence_times[1] == (0.0, 0.2)


def test_flows_that_are_too_many_at_a_delay_are_not_forgotten(monkeypatch):
    classes = [qm.OpenClass(name, 0.5, arrival_scv=0.25) for name in "xyz"]
    at = [qm.DelayStation("d"), qm.QueueingStation("a", 1, "fcfs")]
    model = qm.Network(at, classes, [[1.0, 0.3], [1.0, 0.3], [0.0, 0.3]])
    assert qm.solve(model).method == "mmap"
    monkeypatch.setattr(merging, "LARGEST", 8)
    assert qm.solve(model).method == "qna"


def test_percentiles_say_what_they_assume():
    model = network((1, 1), [qm.OpenClass("a", 0.5, arrival_scv=4.0)], [[1.0, 1.1]])
    found = qm.percentiles(qm.solve(model, "mmap"), [0.95])
    for said in ("flows by phases by class", "correlated as bursts of arrivals make them"):
        assert said in found.assumptions[0]
    assert not found.exact[0]


@pytest.mark.parametrize("less", [2e-9, 1.0000001e-9, 1e-9, 1e-12, -1e-12, -2e-9])
def test_an_scv_of_nearly_1_is_solved_like_one_of_1(less):
    def line(scv):
        stations = [qm.QueueingStation(f"s{m}", m, "fcfs") for m in (1, 2)]
        parts = qm.OpenClass("parts", 1.0, arrival_scv=scv)
        return qm.Network(stations, [parts], [[0.5, 0.8]], scv=[[scv, scv]])

    near, one = (qm.solve(line(scv), "mmap") for scv in (1.0 - less, 1.0))
    np.testing.assert_allclose(near.residence_times, one.residence_times, rtol=1e-7)
