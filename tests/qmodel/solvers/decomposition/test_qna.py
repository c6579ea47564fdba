"""The network analyzer: what it reduces to, published numbers, and its linear equations."""

import pytest

import qmodel as qm
from qmodel.model.visit_routing import ImpliedRouting
from qmodel.single_station import MG1, GGm
from qmodel.solvers.decomposition import qna
from qmodel.solvers.decomposition.sojourn_times import of_qna
from tests.tables import asked, rows


def network(stations, classes, demand, **more):
    return qm.Network(
        [qm.QueueingStation(f"s{k}", m, "fcfs") for k, m in enumerate(stations)], classes, demand,
        **more,
    )  # fmt: skip


@pytest.mark.parametrize("servers", [(1, 1), (2, 1), (1, 5)])
@pytest.mark.parametrize("visits", [None, [[4, 3], [1, 0.5]], [[2.5, 2.5], [0.2, 7]]])
def test_poisson_arrivals_and_exponential_service_are_jackson(servers, visits):
    classes = [qm.OpenClass("a", 0.4), qm.OpenClass("b", 0.3)]
    times = [0.3, 0.2]
    demand = [[v * t for v, t in zip(row, times)] for row in visits or [[1, 1], [1, 1]]]
    model = network(servers, classes, demand, visit_ratio=visits)
    exact, found = qm.solve(model), qm.solve(model, "qna")
    assert exact.method == "open"
    assert found.response_times == pytest.approx(exact.response_times, rel=1e-12)
    assert [flow.arrival_scv for flow in qna.flows(model)] == pytest.approx([1.0, 1.0], rel=1e-12)


@pytest.mark.parametrize("scv", [0.0, 0.5, 4.0])
def test_one_station_with_poisson_arrivals_is_pollaczek_and_khinchin(scv):
    solution = qm.solve(network([1], [qm.OpenClass("a", 0.7)], [[1.0]], scv=[[scv]]))
    assert solution.method == "mmap"
    assert solution.response_times[0] == pytest.approx(MG1(0.7, 1.0, scv).residence_time, rel=1e-12)


def test_two_classes_at_one_station_are_a_mixture():
    # Service 1 s or 3 s, one in three the latter: second moment 2 (2/3 + 3) = 22/3, M/G/1.
    model = network([1], [qm.OpenClass("a", 0.2), qm.OpenClass("b", 0.1)], [[1.0], [3.0]])
    solution = qm.solve(model)
    wait = (0.2 * 2.0 + 0.1 * 18.0) / 2.0 / 0.5
    assert solution.response_times == pytest.approx((1.0 + wait, 3.0 + wait), rel=1e-12)


def test_several_servers_alone_are_whitts():
    model = network([4], [qm.OpenClass("a", 3.2, arrival_scv=0.5)], [[1.0]], scv=[[2.0]])
    station = GGm(3.2, 1.0, 4, 0.5, 2.0)
    assert qm.solve(model, "qna").response_times[0] == pytest.approx(
        station.residence_time, rel=1e-12
    )


def test_flows_by_hand():
    # Departures (Whitt 1983, (28)): 1 + (1 - .25) (0 - 1) + .25 (2 - 1) = 0.5, all of them go on.
    model = network(
        [1, 1], [qm.OpenClass("a", 1.0, arrival_scv=0.0)], [[0.5, 0.8]], scv=[[2.0, 1.0]]
    )
    first, second = qna.flows(model)
    assert (first.arrival_scv, second.arrival_scv) == pytest.approx((0.0, 0.5), rel=1e-12)
    # Half of them go on: 0.5 * 0.5 + 0.5.
    half = network(
        [1, 1], [qm.OpenClass("a", 1.0, arrival_scv=0.0)], [[0.5, 0.4]], visit_ratio=[[1, 0.5]],
        scv=[[2.0, 1.0]],
    )  # fmt: skip
    assert qna.flows(half)[1].arrival_scv == pytest.approx(0.75, rel=1e-12)


def test_merged_streams_lose_their_regularity_at_light_load():
    # (29): w = 1 / (1 + 4 (1 - rho)^2 (nu - 1)), nu = 2 equal streams: rho = 0.5 gives w = 1/2.
    classes = [qm.OpenClass(name, 0.25, arrival_scv=0.0) for name in "ab"]
    model = network([1], classes, [[1.0], [1.0]])
    assert qna.flows(model)[0].arrival_scv == pytest.approx(0.5, rel=1e-12)


def test_straight_returns_are_one_longer_service():
    # Served again at once with probability 1/2: the same work as M/M/1 of twice the time.
    model = network([1], [qm.OpenClass("a", 0.3)], [[2.0]], visit_ratio=[[2]])
    (flow,) = qna.flows(model)
    assert (flow.returns, flow.service_time, flow.scv) == pytest.approx((0.5, 2.0, 1.0))
    solution = qm.solve(model, "qna")
    assert solution.response_times[0] == pytest.approx(5.0, rel=1e-12)
    # A distribution has that mean: a wait of 3 s at one of two visits.
    (queue,) = of_qna(solution).queues[0]
    assert 1.0 - queue.waiting(1e-6) == pytest.approx(1.5e-6, rel=1e-4)


@pytest.mark.parametrize(
    "visits", [[1, 1, 1], [4, 3], [5, 2, 2], [1, 0.5, 0.2], [3, 2.7, 0.1], [0.4, 0.2]]
)
def test_rounds_have_their_visit_ratios(visits):
    entry, ways = ImpliedRouting.of(visits).transitions()
    for k, v in enumerate(visits):
        assert entry[k] + sum(row[k] for row in ways) == pytest.approx(v, rel=1e-12)
        assert sum(ways[k]) <= v * (1 + 1e-12)
    assert sum(entry) <= 1 + 1e-12


# J. G. Dai, V. Nguyen and M. I. Reiman, "Sequential bottleneck decomposition: an approximation
# method for generalized Jackson networks," Operations Research 42(1), 1994, pp. 119-136, quoted in
# the headers of infinite/BNAsbd/test_*.in of Nemecizer/Qnet-1.0; the pages themselves were not
# seen. Both are simulations; the analyzer is known to be off in them, and here is by how much.


def test_five_stations_of_dai_nguyen_and_reiman():
    # Section 3.2, system A, case 1: constant service, four stations feed back to the first.
    model = network(
        [1] * 5, [qm.OpenClass("c", 1.0)], [[0.8, 0.6, 0.6, 0.6, 0.6]],
        visit_ratio=[[2, 0.5, 0.5, 0.5, 0.5]], scv=[[0.0] * 5],
    )  # fmt: skip
    # Table VII, simulation; here the stations are passed in turn.
    assert qm.solve(model).response_times[0] / 6.725 - 1.0 == pytest.approx(-0.073, abs=0.03)


def test_nine_stations_in_series_show_where_it_fails():
    # Section 3.3, table VIII: arrivals on time, eight stations at 0.6 and then one at 0.9, which
    # still feels the regular arrivals; the analyzer has forgotten them.
    model = network([1] * 9, [qm.OpenClass("c", 1.0, arrival_scv=0.0)], [[0.6] * 8 + [0.9]])
    waits = sum(flow.wait for flow in qna.flows(model))
    assert waits / 10.05 - 1.0 == pytest.approx(0.361, abs=0.001)


def test_a_delay_passes_its_arrivals_on():
    model = qm.Network(
        [qm.DelayStation("lan"), qm.QueueingStation("disk")],
        [qm.OpenClass("a", 1.0, arrival_scv=0.25)],
        [[5.0, 0.5]],
    )
    lan, disk = qna.flows(model)
    assert (lan.wait, disk.arrival_scv) == pytest.approx((0.0, 0.25))
    assert qm.solve(model)["a", "lan"].residence_time == 5.0


def test_stations_and_classes_that_nobody_uses():
    classes = [qm.OpenClass("a", 1.0, arrival_scv=0.5), qm.OpenClass("never", 0.0, arrival_scv=9.0)]
    solution = qm.solve(network([1, 1, 2], classes, [[0.5, 0.0, 0.0], [0.5, 0.2, 0.0]]))
    assert solution["never", "s1"].residence_time == 0.2
    assert solution["never", "s0"].residence_time == solution["a", "s0"].residence_time
    nobody = network([1], [qm.OpenClass("a", 0.0, arrival_scv=0.5)], [[0.5]])
    assert qm.solve(nobody).response_times == (0.5,)


def test_regular_arrivals_and_service_do_not_wait():
    model = network([1], [qm.OpenClass("a", 1.0, arrival_scv=0.0)], [[0.9]], scv=[[0.0]])
    assert qm.solve(model).response_times == (0.9,)


USERS, OPENED = qm.ClosedClass("users", 2, 1.0), qm.OpenClass("a", 1.0, arrival_scv=2.0)


@pytest.mark.parametrize(("call", "text"), rows(__file__, "not_for"))
def test_what_it_is_not_for(call, text):
    with pytest.raises(qm.NotApplicable) as error:
        qm.solve(asked(call, globals()), "qna")
    assert text in str(error.value)
    assert "\n" not in str(error.value)


def test_unstable_networks_are_refused():
    model = network([2], [qm.OpenClass("a", 3.0, arrival_scv=2.0)], [[1.0]])
    with pytest.raises(qm.Unstable, match="class 'a' at station 's0': utilization would be 150 %"):
        qm.solve(model)


def test_a_class_does_not_disturb_a_station_that_it_does_not_visit():
    stations = [qm.QueueingStation(name, 1, "fcfs") for name in "ab"]
    even, uneven = qm.OpenClass("even", 1.0), qm.OpenClass("uneven", 1.0, arrival_scv=4.0)
    both = qm.solve(qm.Network(stations, [even, uneven], [[0.6, 0.0], [0.0, 0.5]]), "qna")
    assert both.residence_times[0] == pytest.approx((0.6 / 0.4, 0.0), rel=1e-12)  # M/M/1
    assert both["uneven", "b"].residence_time > 0.5 / 0.5
