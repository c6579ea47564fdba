"""Orders of service, distributions, routes, rejection and loads over time against what is exact."""

from dataclasses import replace

import numpy as np
import pytest

import qmodel as qm
from tests.qmodel.simulation.test_engine import quick
from tests.tables import asked, rows

MMPP = {"d0": [[-3.0, 1.0], [0.5, -0.7]], "d1": [[2.0, 0.0], [0.0, 0.2]]}


def station(order, servers=1):
    return qm.QueueingStation("disk", servers, order)


def reads(rate=0.5):
    return [qm.OpenClass("reads", rate)]


def covers(estimate, exact):
    return abs(estimate.value - exact) < 2.0 * estimate.half_width < 0.2 * exact


def test_last_come_first_served_with_preemption_is_insensitive():
    """BCMP: the mean of M/M/1, whatever the service times; a busy period has far larger tails."""
    said = {("reads", "disk"): "lognormal"}
    network = qm.Network([station("lcfs-pr")], reads(), [1.0], scv=[[3.0]], distributions=said)
    assert qm.solve(network)["reads"].response_time == pytest.approx(2.0)
    found = quick(network, events=25_000)
    assert covers(found["reads"], 2.0)


def test_two_servers_interrupt_who_came_first():
    """Exponential services: as many there as under any other order, exactly."""
    network = qm.Network([station("lcfs-pr", 2)], [qm.ClosedClass("u", 6, 1.0)], [1.0])
    assert covers(quick(network)["u"], qm.solve(network)["u"].response_time)


def test_random_order_has_the_mean_and_not_the_percentiles_of_the_order_of_arrival():
    network = qm.Network([station("random")], reads(0.8), [1.0])
    found, line = (quick(n, events=40_000, percentiles=[0.99])
                   for n in (network, replace(network, stations=[station("fcfs")])))  # fmt: skip
    assert covers(found["reads"], 5.0)
    assert found.percentiles[0][0].low > 1.2 * line.percentiles[0][0].value


def test_random_order_of_general_services_has_the_mean_of_pollaczek_and_khinchine():
    network = qm.Network([station("random")], reads(), [1.0], scv=[[3.0]])
    assert covers(quick(network, events=40_000)["reads"], 1.0 + 0.5 * 2.0 / 0.5)


def test_a_markovian_arrival_process_by_its_queue():
    """MAP/M/1 by its matrix of rates R = D1 (I mu - D0 - R mu)^-1, scaled to 0.5 /s."""
    network = qm.Network([station("fcfs")], reads(), [1.0], distributions={"reads": MMPP})
    scale = 0.5 * 1.25
    d0, d1 = (scale * np.array(MMPP[key]) for key in ("d0", "d1"))
    ratio, one = np.zeros((2, 2)), np.eye(2)
    for _ in range(2000):
        ratio = d1 @ np.linalg.inv(one - d0 - ratio)
    empty = np.vstack([(d0 + ratio).T, np.linalg.inv(one - ratio).sum(axis=1)])
    start = np.linalg.lstsq(empty, np.array([0.0, 0.0, 1.0]), rcond=None)[0]
    inside = np.linalg.inv(one - ratio)
    mean = (start @ ratio @ inside @ inside).sum() / 0.5
    assert covers(quick(network, events=40_000)["reads"], mean)
    assert qm.solve(network)["reads"].response_time == pytest.approx(mean, rel=1e-6)
    assert "by mean and SCV only: 'reads' (arrivals)" in qm.solve(network, "qna").reason


def test_arrivals_by_phases_are_solved_by_the_root_of_their_queue():
    """H2/M/1: sigma = E exp(-(1 - sigma) T), where two moments leave 2.81 s."""
    law, scale = {"probabilities": [0.5, 0.5], "rates": [100.0, 0.51]}, 0.5 * (1 / 200 + 1 / 1.02)
    network = qm.Network([station("fcfs")], reads(), [1.0], distributions={"reads": law})
    root = 0.5
    for _ in range(200):
        root = sum(0.5 * r / (r + (1.0 - root) / scale) for r in law["rates"])
    assert qm.solve(network)["reads"].response_time == pytest.approx(1.0 / (1.0 - root), rel=1e-6)


def test_a_finite_buffer_with_loss():
    """M/M/1/3, offered more than it can serve."""
    room = qm.PopulationLimit("room", 3, ["disk"], full="reject")
    found = quick(qm.Network([station("fcfs")], reads(1.5), [1.0], limits=[room]), events=25_000)
    chance = 1.5 ** np.arange(4) / sum(1.5**n for n in range(4))
    assert covers(found.rejected_shares[0], chance[3])
    assert covers(found["reads"], chance @ np.arange(4) / (1.5 * (1.0 - chance[3])))


@pytest.mark.parametrize("users", [3, 6])
def test_a_finite_buffer_inside_a_limit(users):
    """Three pallets are always under way, however many wait: as three customers without a limit."""
    stations = [qm.QueueingStation("saw"), qm.QueueingStation("drill", 1, "fcfs", buffer=2)]
    pallets = qm.PopulationLimit("pallets", 3, ["saw", "drill"])
    network = qm.Network(stations, [qm.ClosedClass("u", users)], [[1.0, 0.8]], limits=[pallets])
    blocked = qm.solve(qm.Network(stations, [qm.ClosedClass("u", 3)], [[1.0, 0.8]]))
    found = quick(network, events=20_000)
    assert covers(found.throughputs[0], blocked.throughputs[0])
    assert covers(found.residence_times[0][1], blocked.residence_times[0][1])


def test_those_without_a_place_inside_do_not_hold_a_room():
    """Of two classes one needs the key to the store; there is one, and room for one as well."""
    stations = [qm.QueueingStation("door"), qm.QueueingStation("store", 1, "fcfs", buffer=1)]
    key = qm.PopulationLimit("key", 1, ["store"], ["guests"])
    classes = [qm.ClosedClass("guests", 3, 1.0), qm.ClosedClass("staff", 2, 1.0)]
    network = qm.Network(stations, classes, [[0.2, 0.5], [0.2, 0.3]], limits=[key])
    found = quick(network, events=20_000)
    assert 0.5 < sum(row[1].value for row in found.queue_lengths) <= 1.0
    assert found.queue_lengths[0][2].value > 0.1 > found.queue_lengths[1][2].value == 0.0
    spent = [sum(e.value for e in row) for row in found.residence_times]
    for c, total in enumerate(spent):
        cycle = found.throughputs[c].value * (1.0 + total)
        assert cycle == pytest.approx(classes[c].population, rel=0.05)


def test_those_rejected_inside_give_back_what_they_hold():
    """Two connections, of which one may be at the disk: nobody stays inside for good."""
    stations = [qm.QueueingStation("cpu"), station("fcfs")]
    limits = [qm.PopulationLimit("two", 2, ["cpu", "disk"]),
              qm.PopulationLimit("one", 1, ["disk"], full="reject")]  # fmt: skip
    network = qm.Network(stations, [qm.ClosedClass("u", 6, 1.0)], [[0.3, 0.5]], limits=limits)
    found = quick(network)
    assert 0.0 < found.rejected_shares[0].value < 0.6
    assert found.queue_lengths[0][0].value + found.queue_lengths[0][1].value < 2.0


def test_a_fixed_route_has_the_means_of_its_visits_and_less_variation():
    stations = [qm.QueueingStation("cpu"), qm.DelayStation("lan"), station("fcfs")]
    route = ["cpu", "lan", "cpu", "disk", "cpu"]
    users = [qm.ClosedClass("u", 4, 1.0)]
    given = qm.Network(stations, users, [[0.3, 0.2, 0.3]], routes={"u": route})
    assert given.visit_ratio == ((3.0, 1.0, 1.0),)
    assert covers(quick(given)["u"], qm.solve(given)["u"].response_time)
    implied = qm.Network(stations, users, [[0.3, 0.2, 0.3]], visit_ratio=[[3.0, 1.0, 1.0]])
    tails = [quick(n, percentiles=[0.99]).percentiles[0][0].value for n in (given, implied)]
    assert tails[0] < 0.9 * tails[1]


def test_what_solve_refuses_names_the_simulation():
    room = qm.PopulationLimit("room", 3, ["disk"], full="reject")
    for network, said in (
        (qm.Network([station("fcfs")], [qm.ClosedClass("reads", 9, 1.0)], [1.0], limits=[room]),
         "limit 'room' rejects"),
        (qm.Network([station("random")], reads(), [1.0], scv=[[4.0]]), "serves by 'random'"),
        (qm.Network([station("fcfs")], reads(), [1.0], scv=[[4.0]], routes={"reads": ["disk"]}),
         "class 'reads' has a route"),
    ):  # fmt: skip
        with pytest.raises(qm.NotApplicable, match=said) as refused:
            qm.solve(network)
        assert "simulate() takes" in str(refused.value)


@pytest.mark.parametrize(("given", "said"), rows(__file__, "no_sense"))
def test_a_distribution_that_makes_no_sense_is_one_line(given, said):
    with pytest.raises(qm.InvalidNetwork, match="reads") as refused:
        qm.Network([station("fcfs")], reads(), [1.0], distributions=asked(given, globals()))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_files_say_all_of_it(tmp_path):
    network = qm.Network(
        [station("random"), qm.QueueingStation("cpu", discipline="lcfs-pr")],
        [*reads(), qm.ClosedClass("u", 3, 1.0)],
        [[0.5, 0.1], [0.2, 0.2]],
        scv=[[4.0, 1.0], [1.0, 0.25]],
        limits=[qm.PopulationLimit("room", 3, ["disk"], full="reject")],
        distributions={
            ("reads", "disk"): "pareto",
            "reads": MMPP,
            ("u", "cpu"): [0.5, 1.5],
            ("u", "disk"): {"probabilities": [0.9, 0.1], "rates": [2.0, 0.3]},
        },
        routes={"u": ["disk", "cpu"]},
    )
    for kind in ("toml", "json"):
        qm.dump_network(network, tmp_path / f"model.{kind}")
        assert qm.load_network(tmp_path / f"model.{kind}") == network


def test_arrivals_follow_a_load():
    """M/M/infinity: throughputs are those of the load once the delay has passed."""
    network = qm.Network([qm.DelayStation("lan")], [qm.OpenClass("x", 20.0)], [0.2])
    load = {"x": [(10.0, 3.0), (20.0, 0.0), (30.0, 1.0)]}
    found = qm.simulate_over_time(network, 40.0, steps=8, load=load, replications=30)
    rates = [step.throughputs[0].value for step in found.steps]
    assert [rates[i] for i in (1, 3, 5, 7)] == pytest.approx([20.0, 60.0, 0.0, 20.0], rel=0.05)


@pytest.mark.parametrize("think", [0.0, 1.0])
def test_customers_follow_a_load(think):
    network = qm.Network([qm.DelayStation("lan")], [qm.ClosedClass("u", 20, think)], [1.0])
    load = {"u": [(10.0, 3.0), (20.0, 0.5)]}
    found = qm.simulate_over_time(network, 30.0, steps=6, load=load, replications=30)
    there = [step.queue_lengths[0][0].value * (1.0 + think) for step in found.steps]
    assert [there[i] for i in (1, 3, 5)] == pytest.approx([20.0, 60.0, 10.0], rel=0.08)
