"""Percentiles: closed forms, the tagged customer of the Markov chain, what must not matter."""

from math import inf, log

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import poisson

import qmodel as qm
from qmodel.numerics.laplace import mean
from qmodel.response_times.assumptions import orders
from qmodel.response_times.route import route_of, station_times
from qmodel.single_station import MG1, GGm, MMm
from tests.tables import asked, rows
from tests.truth.passage import Place, Round

SHARES = (0.5, 0.9, 0.95, 0.99)
FCFS, PS, DELAY = "fcfs", "ps", "delay"


def station(name, servers, order):
    if order == DELAY:
        return qm.DelayStation(name)
    return qm.QueueingStation(name, servers, order)


def in_turn(population, think_time, *stations):
    """A network whose stations (time, servers, order) are passed in turn, and its true round."""
    network = qm.Network(
        [station(f"s{k}", m, order) for k, (_, m, order) in enumerate(stations)],
        [qm.ClosedClass("users", population, think_time)],
        [[time for time, _, _ in stations]],
    )
    places = [
        Place(think_time, 0),
        *(Place(t, 0 if order == DELAY else m, order) for t, m, order in stations),
    ]
    size = len(places)
    routing = [[float(b == (a + 1) % size) for b in range(size)] for a in range(size)]
    return network, Round(places, routing, population)


def central(population, think_time, rounds, processor, disk, order=FCFS):
    visits = [[rounds, rounds - 1.0]]
    network = qm.Network.from_visits(
        [station("cpu", 1, order), station("disk", 1, FCFS)],
        [qm.ClosedClass("users", population, think_time)], visits, [[processor, disk]],
    )  # fmt: skip
    routing = [[0, 1, 0], [1 / rounds, 0, 1 - 1 / rounds], [0, 1, 0]]
    places = [Place(think_time, 0), Place(processor, 1, order), Place(disk)]
    return network, Round(places, routing, population)


@pytest.mark.parametrize("call", [call for (call,) in rows(__file__, "exact")])
def test_exact_where_it_says_so(call):
    network, true = asked(call, globals())
    found = qm.percentiles(qm.solve(network), SHARES)
    assert found.exact == (True,)
    assert "exact" in found.assumptions[0]
    expected = [true.percentile(share) for share in SHARES]
    assert found.response_times[0] == pytest.approx(expected, rel=2e-7)


@pytest.mark.parametrize("call", [call for (call,) in rows(__file__, "followed")])
def test_exact_by_following_one_and_near_without(call, monkeypatch):
    network, true = asked(call, globals())
    expected = [true.percentile(share) for share in (0.9, 0.95, 0.99)]
    solution = qm.solve(network)
    found = qm.percentiles(solution, (0.9, 0.95, 0.99))
    assert found.exact == (True,)
    assert "a tagged customer is followed through the whole network" in found.assumptions[0]
    assert found.response_times[0] == pytest.approx(expected, rel=1e-7)
    monkeypatch.setattr("qmodel.response_times.tagged_class.tagged_response", lambda *_, **__: None)
    found = qm.percentiles(solution, (0.9, 0.95, 0.99))
    assert found.exact == (False,)
    assert found.response_times[0] == pytest.approx(expected, rel=0.035)


def machines_percentile(share, population, think_time, servers):
    """M/M/m//N, service 0.1 s: what an arrival finds is the state of one customer less."""
    weights = [1.0] if think_time else [0.0] * (population - 1) + [1.0]
    for n in range(len(weights), population):
        weights.append(weights[-1] * (population - n) * 0.1 / (min(n, servers) * think_time))
    ahead = np.zeros(population)
    np.add.at(ahead, np.maximum(np.arange(population) - servers + 1, 0), weights / np.sum(weights))
    # Events at the rate of all servers: each ends a wait's step, or the service with 1 / m.
    inside, served, ahead = [1.0], ahead[0], np.append(ahead[1:], 0.0)
    while inside[-1] > 1e-18:
        served, ahead = served * (1.0 - 1.0 / servers) + ahead[0], np.append(ahead[1:], 0.0)
        inside.append(float(ahead.sum() + served))
    count = np.arange(len(inside))

    def exceeds(t):
        return poisson.pmf(count, t / 0.1 * servers) @ inside - (1.0 - share)

    return brentq(exceeds, 0.0, 10.0 * len(inside), xtol=1e-12)


@pytest.mark.parametrize("servers", [1, 8])
@pytest.mark.parametrize(("population", "think_time"), [(1, 0.0), (2, 3.0), (40, 0.0), (300, 3.0)])
def test_one_station_and_terminals(servers, population, think_time):
    network = qm.Network(
        [qm.QueueingStation("repair", servers, FCFS)],
        [qm.ClosedClass("machines", population, think_time)],
        [0.1],
    )
    found = qm.percentiles(qm.solve(network), SHARES)
    expected = [machines_percentile(share, population, think_time, servers) for share in SHARES]
    assert found.response_times[0] == pytest.approx(expected, rel=1e-6)
    assert found.sojourn_times[0][0] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("servers", [1, 3, 200])
@pytest.mark.parametrize("utilization", [0.0, 0.3, 0.95])
def test_open_stations(servers, utilization):
    rate = utilization * servers / 0.5
    network = qm.Network(
        [qm.QueueingStation("disk", servers, FCFS)], [qm.OpenClass("reads", rate)], [0.5]
    )
    expected = [MMm(rate, 0.5, servers).percentile(share) for share in SHARES]
    assert qm.percentiles(qm.solve(network), SHARES).response_times[0] == pytest.approx(
        expected, rel=1e-6
    )


def test_a_tandem_of_open_stations_is_a_sum_of_independent_times():
    network = qm.Network(
        [qm.QueueingStation("a", 1, "fcfs"), qm.QueueingStation("b", 1, "fcfs")],
        [qm.OpenClass("jobs", 1.0)],
        [[0.5, 0.8]],
    )
    found = qm.percentiles(qm.solve(network), [0.95])
    t = found["jobs"][0.95]
    a, b = 1.0, 0.25  # rates 1 / (S / (1 - rho)) of the two exponential times
    assert (a * np.exp(-b * t) - b * np.exp(-a * t)) / (a - b) == pytest.approx(0.05, rel=1e-6)
    assert found.exact == (True,)


@pytest.mark.parametrize("load", [0.2, 0.5, 0.9])
def test_processor_sharing_has_the_variance_of_coffman_muntz_and_trotter(load):
    # Coffman, Muntz, Trotter (1970): var T = (E T)^2 (2 + rho) / (2 - rho).
    network = qm.Network(
        [qm.QueueingStation("cpu", discipline=PS)], [qm.OpenClass("jobs", load)], [1.0]
    )
    solution = qm.solve(network)
    route = route_of(solution, 0, orders(network), station_times(solution))
    average, step = 1.0 / (1.0 - load), 1e-3 * (1.0 - load)
    second = 2.0 * (1.0 - complex(route.response(np.array([1j * step]))[0]).real) / step**2
    assert mean(route.response, 1.0) == pytest.approx(average, rel=1e-9)
    assert second / average**2 - 1.0 == pytest.approx((2 + load) / (2 - load), rel=1e-4)


def test_classes_that_are_alike_are_one():
    stations = [
        qm.QueueingStation("a", 2, FCFS),
        qm.QueueingStation("b", 1, "fcfs"),
        qm.DelayStation("lan"),
    ]
    row = [0.3, 0.2, 0.1]
    whole = qm.Network(stations, [qm.ClosedClass("all", 9, 2.0)], [row])
    parts = qm.Network(
        stations, [qm.ClosedClass("x", 6, 2.0), qm.ClosedClass("y", 3, 2.0)], [row, row]
    )
    one, two = (qm.percentiles(qm.solve(network), SHARES) for network in (whole, parts))
    for c in (0, 1):
        assert two.response_times[c] == pytest.approx(one.response_times[0], rel=1e-6)
        assert two.sojourn_times[c][0] == pytest.approx(one.sojourn_times[0][0], rel=1e-6)


def test_classes_taken_together_say_so(monkeypatch):
    stations = [qm.QueueingStation("a"), qm.QueueingStation("b")]
    classes = [qm.ClosedClass(name, 8, 2.0) for name in "xyz"]
    solution = qm.solve(qm.Network(stations, classes, [[0.1, 0.2], [0.1, 0.2], [0.1, 0.0]]))
    apart = qm.percentiles(solution, [0.95])
    monkeypatch.setattr("qmodel.response_times.route.MOST", 400)
    together = qm.percentiles(solution, [0.95])
    assert "x, y taken together (rough)" in together.assumptions[2]
    assert not any(together.exact)
    for c in range(3):
        assert together.response_times[c] == pytest.approx(apart.response_times[c], rel=0.02)


def test_mixed_networks_at_no_load_are_closed_or_open():
    stations = [qm.QueueingStation("a", 2, FCFS), qm.QueueingStation("b", 1, "fcfs")]
    users = qm.ClosedClass("users", 6, 2.0)
    alone = qm.percentiles(qm.solve(qm.Network(stations, [users], [[0.3, 0.2]])), SHARES)
    shared = qm.percentiles(
        qm.solve(qm.Network(stations, [users, qm.OpenClass("mail", 1e-12)], [[0.3, 0.2]] * 2)),
        SHARES,
    )
    assert shared.response_times[0] == pytest.approx(alone.response_times[0], rel=1e-6)
    # The open arrival sees one customer more than those inside do.
    more = qm.Network(stations, [qm.ClosedClass("users", 7, 2.0)], [[0.3, 0.2]])
    assert shared.response_times[1] == pytest.approx(
        qm.percentiles(qm.solve(more), SHARES).response_times[0], rel=1e-6
    )


@pytest.mark.parametrize("servers", [1, 3])
def test_mixed_networks_have_the_means_of_the_solution(servers):
    stations = [qm.QueueingStation("a", servers), qm.QueueingStation("b", discipline=PS)]
    classes = [qm.ClosedClass("users", 7, 2.0), qm.OpenClass("mail", 1.0)]
    network = qm.Network(stations, classes, [[0.3 * servers, 0.2]] * 2)
    solution = qm.solve(network)
    for c in (0, 1):
        route = route_of(solution, c, orders(network), station_times(solution))
        assert route.scaling == pytest.approx((1.0, 1.0), rel=1e-9)
        assert mean(route.response, 1.0) == pytest.approx(solution.response_times[c], rel=1e-9)


def test_service_of_another_variation_at_one_open_station():
    network = qm.Network(
        [qm.QueueingStation("disk", discipline=FCFS)], [qm.OpenClass("reads", 0.7)], [1.0],
        scv=[[4.0]],
    )  # fmt: skip
    found = qm.percentiles(qm.solve(network, "qna"), [0.5, 0.95])
    station = GGm(0.7, 1.0, 1, scv=4.0)
    assert found.response_times[0] == pytest.approx(station.percentiles([0.5, 0.95]), rel=1e-9)
    assert "SCV 4 at disk" in found.assumptions[0]
    solution = qm.solve(network, "qna")
    route = route_of(solution, 0, orders(network), station_times(solution))
    slope = -complex(route.response(np.array([1e-6j]))[0]).imag / 1e-6
    assert slope == pytest.approx(MG1(0.7, 1.0, 4.0).residence_time, rel=1e-6)


def test_percentiles_of_open_networks_beyond_product_form():
    # D/M/1: the exact time is exponential with the root of the embedded chain.
    network = qm.Network(
        [qm.QueueingStation("disk", 1, "fcfs")],
        [qm.OpenClass("reads", 1.0, arrival_scv=0.0)],
        [0.8],
    )
    found = qm.percentiles(qm.solve(network), [0.95, 0.99])["reads"]
    busy = brentq(lambda x: np.exp(-(1.0 - x) / 0.8) - x, 0.1, 0.9)
    for share, time in found.items():
        assert time == pytest.approx(-0.8 / (1.0 - busy) * np.log1p(-share), rel=0.05)


def test_a_large_closed_class_with_varied_service_keeps_its_mean():
    network = qm.Network(
        [qm.QueueingStation("a", discipline=FCFS), qm.QueueingStation("b")],
        [qm.ClosedClass("users", 6, 2.0)], [[0.3, 0.2]], scv=[[4.0, 1.0]],
    )  # fmt: skip
    solution = qm.solve(network, "extended-amva")
    route = route_of(solution, 0, orders(network), station_times(solution))
    assert mean(route.response, 1.0) == pytest.approx(solution.response_times[0], rel=1e-9)
    assert "to the means of extended-amva" in qm.percentiles(solution).assumptions[0]


def test_constant_delays_shift_everything():
    stations = [qm.DelayStation("lan"), qm.QueueingStation("a", 1, "fcfs")]
    network = qm.Network(stations, [qm.OpenClass("p", 1.0)], [[0.4, 0.5]], scv=[[0.0, 1.0]])
    found = qm.percentiles(qm.solve(network), [0.5, 0.99])
    assert found["p", "lan"] == {0.5: 0.4, 0.99: 0.4}
    assert found["p"][0.5] == pytest.approx(0.4 + log(2.0), rel=1e-6)
    assert found["p"][0.99] == pytest.approx(0.4 - log(0.01), rel=1e-6)


def test_a_lone_customer_of_constant_services_takes_their_sum():
    stations = [qm.QueueingStation(name, discipline="fcfs") for name in "ab"]
    network = qm.Network(stations, [qm.ClosedClass("c", 1, 9.0)], [[0.2, 0.3]], scv=[[0.0, 0.0]])
    found = qm.percentiles(qm.solve(network), [0.0, 0.5, 0.99])
    assert found["c"][0.5] == found["c"][0.99] == pytest.approx(0.5, rel=1e-15)
    assert found["c", "a"] == {0.0: 0.2, 0.5: 0.2, 0.99: 0.2}


@pytest.mark.parametrize("station", [qm.DelayStation("s"), qm.QueueingStation("s", discipline=PS)])
def test_an_assumed_distribution_is_not_called_exact(station):
    network = qm.Network([station], [qm.OpenClass("p", 1.0)], [[0.5]], scv=[[0.25]])
    assert qm.percentiles(qm.solve(network)).exact == (False,)


def test_classes_that_go_nowhere_or_are_nobody():
    stations = [qm.QueueingStation("a")]
    classes = [
        qm.ClosedClass("nobody", 0, 1.0), qm.ClosedClass("thinkers", 3, 1.0),
        qm.ClosedClass("user", 1, 5.0), qm.OpenClass("never", 0.0),
    ]  # fmt: skip
    network = qm.Network(stations, classes, [[1.0], [0.0], [1.0], [1.0]])
    found = qm.percentiles(qm.solve(network), [0.5])
    assert found["thinkers"] == {0.5: 0.0}
    assert found["user"][0.5] == pytest.approx(log(2.0), rel=1e-6)
    assert 0.0 < found["never"][0.5] < inf
    assert (found["nobody"][0.5], found.assumptions[0]) == (0.0, "no customers")
    assert qm.late_shares(qm.solve(network), 0.1, classes=iter(["nobody"]))["nobody"] == {0.1: 0.0}


def test_saturated_hundreds():
    from scipy.special import gammaincinv

    # 299 are ahead, all at the one server that matters: an Erlang time of 300 phases.
    network = qm.Network(
        [qm.QueueingStation("a", 1, "fcfs")], [qm.ClosedClass("users", 300)], [1.0]
    )
    found = qm.percentiles(qm.solve(network), [0.05, 0.5, 0.99])["users"]
    assert list(found.values()) == pytest.approx(gammaincinv(300, [0.05, 0.5, 0.99]), rel=1e-6)


@pytest.mark.parametrize(("call", "recorded"), rows(__file__, "errors"))
def test_errors_are_quoted_within_the_recorded_range_only(call, recorded):
    text = qm.percentiles(qm.solve(asked(call, globals())), [0.95]).assumptions[0]
    assert ("p95 off by" in text, "(errors not recorded)" in text) == (recorded, not recorded)


def test_a_central_server_says_how_its_rounds_are_taken(monkeypatch):
    solution = qm.solve(central(5, 1.0, 4.0, 0.1, 0.12)[0])
    assert "4 rounds in the mean; a tagged" in qm.percentiles(solution, [0.95]).assumptions[0]
    monkeypatch.setattr("qmodel.response_times.tagged_class.tagged_response", lambda *_, **__: None)
    text = qm.percentiles(solution, [0.95]).assumptions[0]
    assert "4 rounds in the mean; 8 rounds in turn find the same" in text


@pytest.mark.parametrize(("scv", "alike"), [(0.25, 8), (2.0, 2), (4.0, 1)])
def test_fewer_rounds_find_the_same_where_service_varies_more(scv, alike):
    network = qm.Network.from_visits(
        [qm.QueueingStation("cpu", 1, FCFS), qm.QueueingStation("disk", 1, FCFS)],
        [qm.ClosedClass("users", 4, 1.0)], [[4.0, 3.0]], [[0.05, 0.06]],
    )  # fmt: skip
    varied = qm.Network(
        network.stations, network.classes, network.demand, visit_ratio=network.visit_ratio,
        scv=[[scv, 1.0]],
    )  # fmt: skip
    solution = qm.solve(varied)
    assert route_of(solution, 0, orders(varied), station_times(solution)).alike == alike
    text = qm.percentiles(solution, [0.95]).assumptions[0]
    assert "errors not recorded for rounds with such service" in text
    assert "off by" not in text


def test_the_record():
    found = qm.percentiles(qm.solve(in_turn(3, 1.0, (0.2, 1, FCFS), (0.1, 1, PS))[0]))
    assert found.shares == SHARES
    assert list(found["users", "s1"]) == list(SHARES)
    assert found["users"][0.5] < found["users"][0.9] < found["users"][0.99]
    text = str(found)
    assert "p99" in text
    assert "assumes s0: first come, first served; s1: customers share" in text
    assert found.to_dict()["response_time"] == [list(found["users"].values())]
    frame = found.to_frame()
    assert list(frame.columns) == ["class", "place", "share", "time"]
    assert len(frame) == 3 * 4
    with pytest.raises(qm.InvalidInput, match="no station 'tape'; there is s0, s1"):
        found["users", "tape"]


@pytest.mark.parametrize(("shares", "text"), rows(__file__, "bad_shares"))
def test_bad_shares(shares, text):
    with pytest.raises(qm.InvalidInput) as refused:
        qm.percentiles(qm.solve(in_turn(2, 1.0, (0.2, 1, FCFS))[0]), asked(shares, globals()))
    assert text in str(refused.value)
    assert "\n" not in str(refused.value)


USERS, OTHERS = qm.ClosedClass("users", 3, 1.0), qm.ClosedClass("others", 3, 1.0, priority=1)


@pytest.mark.parametrize(("call", "text"), rows(__file__, "refused"))
def test_what_has_no_percentiles_is_named(call, text):
    network = asked(call, globals())
    row = tuple(d for d in network.demand[0])
    solution = qm.Solution(
        network, "any", (1.0,) * len(network.classes), (row,) * len(network.classes)
    )
    with pytest.raises(qm.NotApplicable, match="percentiles: ") as refused:
        qm.percentiles(solution)
    assert text in str(refused.value)


def test_among_a_million_customers_one_comes_as_to_an_open_queue():
    network = qm.Network([qm.QueueingStation("a")], [qm.ClosedClass("u", 10**6, 5.0)], [4e-6])
    found = qm.percentiles(qm.solve(network), [0.95])
    queue = qm.Network([qm.QueueingStation("a")], [qm.OpenClass("u", 0.2e6)], [4e-6])
    assert found["u"][0.95] == pytest.approx(
        qm.percentiles(qm.solve(queue), [0.95])["u"][0.95], rel=1e-3
    )


@pytest.mark.parametrize(("scv", "how"), [(0.25, "narrower"), (1.0, "same"), (4.0, "wider")])
def test_bursts_make_times_at_stations_alike(scv, how):
    """Percentiles of two stations in turn, against those of independent times."""
    from qmodel.response_times.assumptions import orders
    from qmodel.response_times.response_time import spread
    from qmodel.response_times.route import route_of, station_times

    network = qm.Network(
        [qm.QueueingStation("a", discipline="fcfs"), qm.QueueingStation("b", discipline="fcfs")],
        [qm.OpenClass("jobs", 0.75, arrival_scv=scv)],
        [[1.0, 0.8]],
    )
    solution = qm.solve(network, "mmap")
    route = route_of(solution, 0, orders(network), station_times(solution))
    factor = spread(solution, 0, route, route.decomposed)
    assert ("same" if abs(factor - 1.0) < 1e-4 else "wider" if factor > 1.0 else "narrower") == how
    assert 0.8 < factor < 1.25


@pytest.mark.parametrize("think_time", [0.0, 1e-6])
def test_customers_who_never_pause_always_share_with_all_others(think_time):
    """Two servers among 30: the time is exponential, 15 services long."""
    demands = 0.31047, 0.83446
    classes = [qm.ClosedClass("a", 20, think_time), qm.ClosedClass("b", 10, think_time)]
    network = qm.Network([qm.QueueingStation("cpu", 2)], classes, [[d] for d in demands])
    found = qm.percentiles(qm.solve(network), [0.95, 0.99])
    for name, demand in zip("ab", demands):
        for share in (0.95, 0.99):
            exact = -15.0 * demand * log(1.0 - share)
            assert found[name][share] == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize(("stations", "classes"), [
    ([qm.QueueingStation("a", 1, "fcfs")], [qm.ClosedClass("u", 20, 1.0)]),
    ([qm.QueueingStation(n, 2, "ps") for n in "ab"], [qm.ClosedClass("u", 300, 30.0)]),
    ([qm.QueueingStation("a", 2, "ps"), qm.QueueingStation("b", 1, "fcfs")],
     [qm.ClosedClass("u", 9, 1.0), qm.ClosedClass("v", 4, 2.0)]),
    ([qm.QueueingStation(n, 1, "fcfs") for n in "ab"], [qm.OpenClass("u", 3.0, arrival_scv=4.0)]),
    ([qm.DelayStation("a"), qm.QueueingStation("b", 64)], [qm.ClosedClass("u", 40, 1.0)]),
])  # fmt: skip
@pytest.mark.parametrize("exact", [False, True])
def test_late_shares_are_percentiles_from_the_other_side(stations, classes, exact):
    network = qm.Network(stations, classes, [[0.1] * len(stations)] * len(classes))
    solution = qm.solve(network)
    table = qm.percentiles(solution, (0.5, 0.95, 0.99), visits=False, exact=exact)
    for name in network.class_names:
        times = table[name]
        found = qm.late_shares(solution, times.values(), classes=[name], exact=exact)[name]
        for share, time in times.items():
            assert found[time] == pytest.approx(1.0 - share, rel=1e-3)


def test_a_late_share_needs_a_time():
    solution = qm.solve(qm.Network([qm.QueueingStation("a")], [qm.OpenClass("u", 1.0)], [0.5]))
    for times in (0.0, [-1.0], ["soon"]):
        with pytest.raises(qm.InvalidInput, match="time is"):
            qm.late_shares(solution, times)
    with pytest.raises(qm.InvalidInput, match="v"):
        qm.late_shares(solution, 1.0, classes=["v"])
