"""Networks solved ahead, together, have the solutions they have alone."""

from pathlib import Path

import pytest

from advisor import load_config
from advisor.predicting import solving
from advisor.predicting.prediction import network_of, ways_of
from advisor.predicting.workload import peak_sets
from qmodel import ClosedClass, Network, QueueingStation

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(autouse=True)
def _forgotten():
    for remembered in (solving.solve_network, solving._ahead):
        (remembered.clear if isinstance(remembered, dict) else remembered.cache_clear)()


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
    solving.solve_network.cache_clear()
    solving.solve_ahead(networks)
    assert len(solving._ahead) == len(set(networks)) > 1
    for network, one in zip(networks, alone, strict=True):
        together = solving.solve_network(network)
        assert together.method == one.method == "linearizer"
        assert together.throughputs == pytest.approx(one.throughputs, rel=1e-11)
        assert together.response_times == pytest.approx(one.response_times, rel=1e-9)


def test_only_what_takes_long_and_has_company_is_solved_ahead():
    small, alone, unlike = crowd(5), crowd(500), crowd(500, name="processor")
    solving.solve_ahead([small, alone, unlike])
    assert not solving._ahead
    solving.solve_ahead([small, alone, unlike, crowd(500, 0.011), alone])
    assert set(solving._ahead) == {alone, crowd(500, 0.011)}


def test_what_is_not_asked_for_is_forgotten():
    solving.solve_ahead([crowd(500), crowd(501)])
    solving.solve_ahead([crowd(502), crowd(503)])
    assert set(solving._ahead) == {crowd(502), crowd(503)}
    solving.solve_network(crowd(502))
    assert set(solving._ahead) == {crowd(503)}


def test_a_network_without_an_answer_is_left_to_itself(monkeypatch):
    def failing(networks, method):
        found = sweep(networks, method=method)
        found.problems[0] = "not converged"
        return found

    sweep = solving.sweep
    monkeypatch.setattr(solving, "sweep", failing)
    solving.solve_ahead([crowd(500), crowd(501)])
    assert set(solving._ahead) == {crowd(501)}
    assert solving.solve_network(crowd(500)).method == "linearizer"
