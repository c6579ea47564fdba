"""Decomposition by dispersion: what it reduces to, its parts, and simulations of others."""

import numpy as np
import pytest

import qmodel as qm
from benchmarks.accuracy.lindley_simulation import simulate
from qmodel.numerics.laplace import tail
from qmodel.numerics.service_time import ServiceTime
from qmodel.response_times.route import route_of, station_times
from qmodel.response_times.service_order import orders
from qmodel.single_station import GM1, MG1, GGm
from qmodel.single_station.pollaczek import wait
from qmodel.solvers.decomposition.dispersion_propagation import weight
from qmodel.solvers.decomposition.renewal_dispersion import MANY, renewal_dispersion
from qmodel.solvers.decomposition.rqna import METHOD, station_waits
from tests.truth.open_chain import OpenChain


def network(servers, classes, demand, **more):
    return qm.Network(
        [qm.QueueingStation(f"s{k}", m, "fcfs") for k, m in enumerate(servers)],
        classes,
        demand,
        **more,
    )


@pytest.mark.parametrize("servers", [(1, 1, 1), (2, 1, 4)])
@pytest.mark.parametrize("visits", [None, [[1, 0.5, 0.7], [0.3, 0.7, 1]]])
def test_poisson_arrivals_and_exponential_service_are_jackson(servers, visits):
    classes = [qm.OpenClass("a", 0.4), qm.OpenClass("b", 0.3)]
    times = [0.9, 0.6, 1.1]
    demand = [[v * t for v, t in zip(row, times)] for row in visits or [[1, 1, 1]] * 2]
    model = network(servers, classes, demand, visit_ratio=visits)
    exact, found = qm.solve(model), qm.solve(model, "dispersion")
    assert exact.method == "open"
    assert found.response_times == pytest.approx(exact.response_times, rel=1e-12)
    shares = (0.5, 0.95, 0.99)
    for c in (0, 1):
        assert qm.percentiles(found, shares).response_times[c] == pytest.approx(
            qm.percentiles(exact, shares).response_times[c], rel=1e-5
        )


@pytest.mark.parametrize("scv", [0.0, 0.5, 4.0])
def test_one_station_with_poisson_arrivals_is_pollaczek_and_khinchin(scv):
    model = network([1], [qm.OpenClass("a", 0.7)], [[1.0]], scv=[[scv]])
    assert qm.solve(model, "dispersion").response_times[0] == pytest.approx(
        MG1(0.7, 1.0, scv).residence_time, rel=1e-12
    )


def test_regular_arrivals_at_one_exponential_server():
    model = network([1], [qm.OpenClass("a", 1.0, arrival_scv=0.0)], [[0.8]])
    true = GM1([(1.0, 0, 1.0)], 0.8)
    solution = qm.solve(model, "dispersion")
    assert solution.response_times[0] == pytest.approx(true.residence_time, rel=1e-5)
    found = qm.percentiles(solution, [0.5, 0.95, 0.99])["a"]
    for share, time in found.items():
        assert time == pytest.approx(true.percentile(share), rel=2e-3)


def test_several_servers_alone_are_their_chain():
    model = network([3], [qm.OpenClass("a", 1.0, arrival_scv=0.5)], [[2.1]], scv=[[2.0]])
    probability, wait = OpenChain((1.0, 0.5), (2.1, 2.0), 3, 70).wait
    (found,) = station_waits(model)
    assert (found.probability, found.wait) == pytest.approx((probability, wait), rel=1e-5)
    assert qm.solve(model, "dispersion").response_times[0] == pytest.approx(2.1 + wait, rel=1e-6)


def test_services_of_too_many_phases_are_left_to_whitt():
    model = network([20], [qm.OpenClass("a", 16.0, arrival_scv=0.5)], [[1.0]], scv=[[0.3]])
    station = GGm(16.0, 1.0, 20, 0.5, 0.3)
    assert qm.solve(model, "dispersion").response_times[0] == pytest.approx(
        station.residence_time, rel=1e-12
    )


# The wait at GI/G/1.


@pytest.mark.parametrize("scv", [0.0, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("load", [0.05, 0.7, 0.99])
def test_the_contour_integrals_with_poisson_arrivals(load, scv):
    found = wait(ServiceTime(1.0), [(1.0, ServiceTime(load, scv))])
    assert found.mean == pytest.approx(MG1(1.0, load, scv).waiting_time, rel=1e-5)
    assert found.probability == pytest.approx(load, abs=1e-4)


def test_two_exponentials_are_the_wait_for_hyperexponential_service():
    found = wait(ServiceTime(1.0), [(1.0, ServiceTime(0.7, 4.0))])
    times = found.of_those_who_wait
    station = GGm(1.0, 0.7, 1, scv=4.0)
    one = station.waiting_time / 0.7
    for share in (0.5, 0.9, 0.99):
        t = station.waiting_time_percentile(share) / one
        tail = 0.7 * sum(p * np.exp(-t / x) for p, x in times)
        assert tail == pytest.approx(1.0 - share, rel=1e-4)
    assert wait(ServiceTime(1.0), [(1.0, ServiceTime(0.7, 0.5))]).of_those_who_wait is None


def test_nobody_waits_where_nothing_varies():
    assert wait(ServiceTime(1.0, 0.0), [(1.0, ServiceTime(0.9, 0.0))]).mean == 0.0
    model = network([1], [qm.OpenClass("a", 1.0, arrival_scv=0.0)], [[0.9]], scv=[[0.0]])
    assert qm.solve(model, "dispersion").response_times == (0.9,)


# The flows.


@pytest.mark.parametrize("scv", [0.0, 0.05, 0.25, 1.0, 3.0])
def test_renewal_processes_by_simulation(scv):
    random = np.random.default_rng(5)
    gaps = [
        np.full(400_000, 1.0),
        random.gamma(1.0 / max(scv, 0.01), max(scv, 0.01), 400_000),
        random.exponential(1.0, 400_000),
    ]
    if scv == 3.0:
        first = 0.5 * (1.0 + (2.0 / 4.0) ** 0.5)
        p = np.where(random.random(400_000) < first, first, 1.0 - first)
        events = np.cumsum(gaps[2] / (2.0 * p))
    else:
        events = np.cumsum(gaps[0] if scv == 0.0 else gaps[1] if scv < 1.0 else gaps[2])
    for length in (0.3, 1.7, 20.0):
        begins = random.random(40_000) * (events[-1] - length)
        count = np.searchsorted(events, begins + length) - np.searchsorted(events, begins)
        expected = float(renewal_dispersion(np.array([length]), scv)[0])
        assert count.var() / length == pytest.approx(expected, abs=0.03 * max(1.0, scv))


def test_every_other_event_of_a_poisson_process_is_known_in_closed_form():
    """Erlang-2 gaps of rate 1: var N(t) = t / 2 + (1 - exp(-4 t)) / 8 (Cox, 1962, section 4.5)."""
    t = np.array([1e-3, 0.1, 0.5, 2.0, 29.0, 31.0, 1e4])
    expected = 0.5 + (1.0 - np.exp(-4.0 * t)) / (8.0 * t)
    assert renewal_dispersion(t, 0.5) == pytest.approx(expected, rel=2e-6)


@pytest.mark.parametrize("scv", [0.2, 0.7, 0.95])
def test_the_asymptote_takes_over_where_it_holds(scv):
    before, behind = renewal_dispersion(np.array([MANY, MANY * (1.0 + 1e-9)]), scv)
    assert behind == pytest.approx(before, abs=1e-5)


def test_the_weight_rises_from_none_to_all():
    x = np.geomspace(1e-12, 1e12, 400)
    found = weight(x)
    assert (np.diff(found) >= -1e-9).all()
    assert found[0] < 1e-5
    assert found[-1] > 1.0 - 1e-9


def test_nine_stations_still_feel_the_regular_arrivals():
    # Dai, Nguyen and Reiman (1994), table VIII, quoted in `test_qna`: 10.05 by simulation. The
    # network analyzer is 36 % off.
    model = network([1] * 9, [qm.OpenClass("c", 1.0, arrival_scv=0.0)], [[0.6] * 8 + [0.9]])
    waits = sum(found.waits[0] for found in station_waits(model))
    assert waits / 10.05 - 1.0 == pytest.approx(0.008, abs=0.001)


def test_a_bursty_class_waits_longer():
    classes = [
        qm.OpenClass("even", 0.5, arrival_scv=0.25),
        qm.OpenClass("burst", 0.5, arrival_scv=4.0),
    ]
    model = network([1], classes, [[0.8], [0.8]])
    true = [np.mean(times) for times in simulate(model, 400_000, seed=3)]
    assert qm.solve(model, "dispersion").response_times == pytest.approx(true, rel=0.07)
    assert true[1] > 1.05 * true[0]


def test_classes_that_are_alike_are_one():
    whole = network([2, 1], [qm.OpenClass("all", 1.0)], [[1.2, 0.7]], scv=[[3.0, 0.5]])
    halves = [qm.OpenClass(name, 0.5) for name in "xy"]
    parts = network([2, 1], halves, [[1.2, 0.7]] * 2, scv=[[3.0, 0.5]] * 2)
    one, two = (qm.solve(model, "dispersion").response_times for model in (whole, parts))
    assert two == pytest.approx((one[0], one[0]), rel=1e-9)


def test_a_delay_passes_its_arrivals_on():
    model = qm.Network(
        [qm.DelayStation("lan"), qm.QueueingStation("disk")],
        [qm.OpenClass("a", 1.0, arrival_scv=0.25)],
        [[5.0, 0.5]],
    )
    lan, disk = station_waits(model)
    assert lan.waits == (0.0,)
    assert disk.arrival_scv == pytest.approx(0.25, rel=1e-6)


@pytest.mark.parametrize("load", [1e-9, 0.3, 0.99999, 1.0 - 1e-9])
def test_any_load_has_an_answer(load):
    classes = [qm.OpenClass("a", 1.0, arrival_scv=9.0)]
    model = network([1, 3], classes, [[load, 3 * load]], scv=[[0.5, 20.0]])
    solution = qm.solve(model, "dispersion")
    for time, least in zip(solution.residence_times[0], (load, 3 * load)):
        assert least <= time < 20.0 * least / (1.0 - load)


def test_customers_who_come_back_are_left_to_the_network_analyzer():
    model = network(
        [1, 1], [qm.OpenClass("a", 0.2, arrival_scv=3.0)], [[1.2, 0.9]], visit_ratio=[[4, 3]]
    )
    assert qm.solve(model).method == "qna"
    with pytest.raises(qm.NotApplicable, match="class 'a' comes back to station 's0'"):
        qm.solve(model, "dispersion")


def test_percentiles_say_what_they_assume():
    model = network([1, 2], [qm.OpenClass("a", 1.0, arrival_scv=4.0)], [[0.6, 1.4]])
    (text,) = qm.percentiles(qm.solve(model, "dispersion"), [0.95]).assumptions
    assert "flows by variance over any time (p95 off by " in text
    assert "at worst" in text
    assert "times at different stations correlated as bursts of arrivals make them" in text


def test_a_class_that_waits_longer_waits_more_often_and_not_for_longer():
    model = qm.Network(
        [qm.QueueingStation("disk", discipline="fcfs")],
        [
            qm.OpenClass("bursts", 0.5, arrival_scv=4.0),
            qm.OpenClass("steady", 0.5, arrival_scv=0.25),
        ],
        [[0.8], [0.8]],
    )
    solution = qm.solve(model, "dispersion")
    (found,) = station_waits(model)
    assert found.waits[0] > 1.25 * found.waits[1]
    stages = [
        route_of(solution, c, orders(model), station_times(solution)).states.stations[0]
        for c in (0, 1)
    ]
    for c, stage in enumerate(stages):
        assert stage.waits == pytest.approx(min(1.0, found.probability * stage.wait / found.wait))
        slope = -complex(stage.waiting(np.array([1e-7j]))[0]).imag / 1e-7
        assert slope == pytest.approx(found.waits[c], rel=1e-6)
    # So long a wait that all decays alike: the ratio of the tails stays.
    times = np.array([20.0, 30.0])
    tails = [tail(stage.waiting, times) for stage in stages]
    assert stages[0].waits < 1.0
    assert tails[0] / tails[1] == pytest.approx([found.waits[0] / found.waits[1]] * 2, rel=1e-3)


@pytest.mark.parametrize("unit", [1.0, 1e-3, 60.0])
def test_who_waits_behind_regular_arrivals_waits_exponentially(unit):
    model = network([1], [qm.OpenClass("a", 1.0 / unit, arrival_scv=0.0)], [[0.8 * unit]])
    (found,) = station_waits(model)
    assert found.spread == pytest.approx(1.0, abs=1e-3)


def test_a_class_that_passes_by_changes_nothing():
    classes = [
        qm.OpenClass("even", 0.5, arrival_scv=0.25), qm.OpenClass("burst", 0.4, arrival_scv=4.0),
        qm.OpenClass("elsewhere", 1.0),
    ]  # fmt: skip
    two = network([1], classes[:2], [[0.8], [0.9]])
    three = network([1, 1], classes, [[0.8, 0.0], [0.9, 0.0], [0.0, 0.5]])
    assert station_waits(three)[0].waits[:2] == pytest.approx(station_waits(two)[0].waits, rel=1e-3)


def test_it_is_an_approximation():
    assert not METHOD.exact
