"""Networks solved together have the solutions they have alone."""

from pathlib import Path

import pytest

import qmodel
from advisor import load_config
from advisor.predicting import solving
from advisor.predicting.prediction import predict_with
from advisor.predicting.workload import network_of, peak_sets, ways_of
from qmodel import ClosedClass, Network, QueueingStation
from tests.tables import asked, rows

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def crowd(users, demand=0.01, name="cpu"):
    classes = [ClosedClass("read", users, 5.0), ClosedClass("write", users, 9.0)]
    stations = [QueueingStation(name, servers=2), QueueingStation("disk")]
    return Network(stations, classes, [[demand, 0.02], [2 * demand, 0.03]])


@pytest.mark.parametrize("example", ["domino85_cluster_mail.toml", "overloaded.toml"])
def test_variants_solved_together_are_those_solved_alone(example):
    configuration = load_config(EXAMPLES / example).with_users(5000)
    networks = [
        network_of(configuration, way, running).network
        for way in ways_of(configuration)
        for running in peak_sets(configuration)
    ]
    alone = [solving.solve_network(network) for network in networks]
    known = solving.solve_together(networks)
    assert set(known) == set(networks)
    assert len(known) > 1
    for network, one in zip(networks, alone, strict=True):
        together = known[network]
        assert together.method == one.method == "linearizer"
        assert together.throughputs == pytest.approx(one.throughputs, rel=1e-11)
        assert together.response_times == pytest.approx(one.response_times, rel=1e-9)


def test_only_what_takes_long_and_has_company_is_solved_together():
    small, alone, unlike = crowd(5), crowd(500), crowd(500, name="processor")
    assert not solving.solve_together([small, alone, unlike])
    known = solving.solve_together([small, alone, unlike, crowd(500, 0.011), alone])
    assert set(known) == {alone, crowd(500, 0.011)}


def test_a_prediction_asks_alone_for_what_was_not_solved_together():
    configuration = load_config(EXAMPLES / "domino85_cluster_mail.toml").with_users(5000)
    asked = []

    def alone(network):
        asked.append(network)
        return solving.solve_network(network)

    def but_one(networks):
        return dict(list(solving.solve_together(networks).items())[1:])

    usual = predict_with(configuration, alone)
    every, asked[:] = len(set(asked)), []
    assert predict_with(configuration, alone, together=but_one).outlook.method == "linearizer"
    assert len(set(asked)) == 1 < every
    assert usual.outlook.bottleneck


def test_a_network_without_an_answer_is_left_to_itself(monkeypatch):
    def failing(networks, method):
        found = sweep(networks, method=method)
        found.problems[0] = "not converged"
        return found

    sweep = qmodel.sweep
    monkeypatch.setattr(qmodel, "sweep", failing, raising=False)
    assert set(solving.solve_together([crowd(500), crowd(501)])) == {crowd(501)}
    assert solving.solve_network(crowd(500)).method == "linearizer"


def many(population, servers, *more):
    """Classes of these populations at stations of these servers, and one disk."""
    classes = [ClosedClass(f"c{i}", n, 50.0) for i, n in enumerate((population, *more))]
    stations = [QueueingStation(f"cpu{k}", servers=m) for k, m in enumerate(servers)]
    demand = [[0.01] * (len(stations) + 1) for _ in classes]
    return Network([*stations, QueueingStation("disk")], classes, demand)


@pytest.mark.parametrize(("network", "exact"), rows(__file__, "long"))
def test_what_takes_long_is_the_vectors_times_the_servers(network, exact):
    assert (solving.solve_network(asked(network, globals())).method != "linearizer") is exact
