"""Mixed networks: effective capacity, its corners, and the roads that must lead to one answer."""

import pytest
from mpmath import mp, mpf

import qmodel as qm
from qmodel.solvers.product_form import mixed
from tests.truth import rational

USERS = qm.ClosedClass("users", population=6, think_time=2.0)
MAIL = qm.OpenClass("mail", arrival_rate=1.5)


def test_single_servers_are_slower_by_what_the_open_classes_take():
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.DelayStation("lan")], [USERS, MAIL], [[0.3, 0.1], [0.2, 0.4]]
    )
    alone = qm.solve(qm.Network(network.stations, [USERS], [[0.3 / (1 - 1.5 * 0.2), 0.1]]))
    solution = qm.solve(network)
    assert solution.method == "mixed"
    assert solution.throughputs == pytest.approx((alone.throughputs[0], 1.5), rel=1e-15)
    assert solution.residence_times[0] == pytest.approx(alone.residence_times[0], rel=1e-14)
    queue = alone.queue_lengths[0][0]
    assert solution.residence_times[1] == pytest.approx((0.2 * (1 + queue) / 0.7, 0.4), rel=1e-14)


@pytest.mark.parametrize("population", [1, 7, 40])
def test_an_open_class_of_rate_zero_changes_nothing_and_sees_what_is_there(population):
    stations = [qm.QueueingStation("disk"), qm.QueueingStation("cpu", 3), qm.DelayStation("lan")]
    users = qm.ClosedClass("users", population, 1.0)
    row = [0.1, 0.5, 0.3]
    alone = qm.solve(qm.Network(stations, [users], [row]))
    mixed_one = qm.solve(qm.Network(stations, [users, qm.OpenClass("mail", 0.0)], [row, row]))
    assert mixed_one.throughputs == pytest.approx((alone.throughputs[0], 0.0), rel=1e-14)
    assert mixed_one.residence_times[0] == pytest.approx(alone.residence_times[0], rel=1e-13)
    # What a lone arrival sees is what one more user would see (arrival theorem).
    more = qm.solve(qm.Network(stations, [qm.ClosedClass("users", population + 1, 1.0)], [row]))
    assert mixed_one.residence_times[1] == pytest.approx(more.residence_times[0], rel=1e-13)


@pytest.mark.parametrize("station", [qm.QueueingStation("cpu", 4), qm.QueueingStation("cpu")])
def test_a_saturated_station_gives_the_closed_class_what_is_left(station):
    servers = station.servers
    users = qm.ClosedClass("users", 3000, 1.0)
    solution = qm.solve(qm.Network([station], [users, MAIL], [[0.8], [0.4]]))
    assert solution.throughputs[0] == pytest.approx((servers - 1.5 * 0.4) / 0.8, rel=1e-12)
    assert solution.station_utilizations[0] == pytest.approx(1.0, rel=1e-12)


def test_unstable_by_the_open_classes_alone():
    network = qm.Network([qm.QueueingStation("cpu", 2)], [USERS, MAIL], [[0.1], [2.0]])
    assert qm.methods_for(network)["mixed"] is None
    with pytest.raises(
        qm.Unstable, match=r"'mail' at station 'cpu': utilization would be 150 %; unstable"
    ):
        qm.solve(network)


@pytest.mark.parametrize(
    ("classes", "reason"), [([USERS], "no class is open"), ([MAIL], "no class is closed")]
)
def test_refusals(classes, reason):
    network = qm.Network([qm.QueueingStation("cpu")], classes, [[0.1]])
    assert mixed.why_not(network) == reason


def test_a_closed_part_too_large_for_exact_methods_is_refused_with_its_reasons():
    closed = [qm.ClosedClass(f"c{i}", 400, 1.0) for i in range(9)]
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
        [*closed, MAIL],
        [[0.01 * (i + 1), 0.02] for i in range(9)] + [[0.1, 0.1]],
    )
    reason = mixed.why_not(network)
    assert reason.startswith("what is left for the closed classes: mva: ")


def test_more_rates_than_can_be_afforded_are_refused():
    rates = [1.0 + n / 10_000 for n in range(5000)]
    network = qm.Network(
        [qm.LoadDependentStation("array", rates)],
        [qm.ClosedClass("users", 5000, 1.0), MAIL],
        [[0.01], [0.1]],
    )
    assert "station 'array' needs 2.5e+07 steps" in str(mixed.why_not(network))


@pytest.mark.parametrize(
    ("servers", "population", "share"),
    [(8, 500, 0.9), (64, 250, 0.97), (128, 200, 0.5), (16, 300, 1 - 1e-9), (128, 200, 1e-6)],
)
def test_many_servers_and_customers_to_60_digits(servers, population, share):
    demand, rate = (0.32, 0.002), share * servers / 0.4
    open_demand = (0.4, min(0.3 / rate, 0.01))
    network = qm.Network(
        [qm.QueueingStation("cpu", servers), qm.QueueingStation("disk")],
        [qm.ClosedClass("users", population, 1.0), qm.OpenClass("mail", rate)],
        [demand, open_demand],
    )
    solution = qm.solve(network)
    with mp.workdps(60):
        truth = rational.solve(network, mpf)
        queue, residence = truth.queue_length[0][0], truth.residence_time[1][0]
        assert abs(solution.throughputs[0] / truth.throughput[0] - 1) < 1e-14
        assert abs(solution["users", "cpu"].queue_length / queue - 1) < 1e-13
        assert abs(solution["mail", "cpu"].residence_time / residence - 1) < 1e-13


def test_the_approximate_way_has_a_name_of_its_own_and_refuses_what_it_cannot_do():
    stations = [qm.QueueingStation("cpu", 2), qm.QueueingStation("disk")]
    plain = qm.Network(stations, [USERS, MAIL], [[0.5, 0.2], [0.1, 0.1]])
    assert qm.solve(plain, "exact").method == "mixed"
    assert qm.solve(plain, "mixed-linearizer").method == "mixed-linearizer"
    falling = [qm.LoadDependentStation("cpu", [1.0, 1.5, 1.2]), stations[1]]
    network = qm.Network(falling, plain.classes, plain.demand)
    assert qm.methods_for(network)["mixed"] is None
    reason = qm.methods_for(network)["mixed-linearizer"]
    assert reason == (
        "what is left for the closed classes: linearizer: station 'cpu' slows down as customers "
        "come"
    )
