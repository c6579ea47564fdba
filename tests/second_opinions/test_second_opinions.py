"""Other people's solvers, as they answered when they were asked, against qmodel and the digits.

The answers are in JSON files beside this one, with version and how they were made;
`make second-opinion` asks again where the peers are installed.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import qmodel as qm
from benchmarks.second_opinion.cases import cases, queues
from benchmarks.second_opinion.simulated import networks, promised

RECORDED = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(Path(__file__).parent.glob("*.json"))
}
PAIRS = [(peer, found) for peer in RECORDED for found in cases()]


def test_there_is_a_second_opinion_of_each_kind():
    assert {"line", "octave"} <= set(RECORDED)
    assert len(cases()) >= 10
    assert any(len(found.network.classes) > 1 for found in cases())
    for peer in RECORDED.values():
        assert peer["tool"]
        assert "make second-opinion" in peer["made"]


def test_nobody_is_asked_about_several_servers():
    for found in cases():
        for station in found.network.stations:
            assert isinstance(station, qm.DelayStation) or station.servers == 1


@pytest.mark.parametrize(("peer", "found"), PAIRS, ids=lambda v: getattr(v, "name", v))
def test_qmodel_agrees_with_the_peer(peer, found):
    answer = RECORDED[peer]["answers"][found.name]
    solution = qm.solve(found.network)
    kept = queues(found.network)
    mine = [row[k] for row in solution.queue_lengths for k in kept]
    assert solution.throughputs == pytest.approx(answer["throughput"], rel=1e-11)
    assert mine == pytest.approx(answer["queue_length"], rel=1e-10, abs=1e-300)


SIMULATED = json.loads(
    (Path(__file__).parent / "simulated" / "ciw.json").read_text(encoding="utf-8")
)
NETWORKS = networks()


def farthest(solution, name, room):
    """How far the response times are from those simulated, in units of what is allowed."""
    answer = SIMULATED["answers"][name]
    return max(
        abs(mine - theirs) / (width + room * theirs)
        for mine, theirs, width in zip(
            solution.response_times,
            answer["response_time"],
            answer["response_time_half_width"],
            strict=True,
        )
    )


def test_every_network_was_simulated_well_enough_to_tell():
    assert SIMULATED["tool"].startswith("Ciw ")
    assert set(SIMULATED["answers"]) == set(NETWORKS)
    for answer in SIMULATED["answers"].values():
        for value, width in zip(answer["response_time"], answer["response_time_half_width"]):
            assert 0.0 < width < 0.1 * value


@pytest.mark.parametrize("name", NETWORKS)
def test_a_simulation_is_as_near_as_the_method_promises(name):
    """Within its interval of 95 % and the worst error that the solution itself names."""
    solution = qm.solve(NETWORKS[name])
    assert farthest(solution, name, promised(solution)) <= 1.0
    answer = SIMULATED["answers"][name]
    room = 3.0 * max(answer["throughput_half_width"]) + 1e-3
    assert solution.throughputs == pytest.approx(
        answer["throughput"], abs=room, rel=promised(solution)
    )


@pytest.mark.parametrize("name", NETWORKS)
def test_the_simulations_would_show_a_discipline_that_is_forgotten(name):
    """As if order did not matter and service were exponential: off by more than the interval."""
    network = NETWORKS[name]
    plain = qm.Network(
        [qm.QueueingStation(s.name, s.servers) for s in network.stations],
        [replace(c, **({"arrival_scv": 1.0} if isinstance(c, qm.OpenClass) else {}))
         for c in network.classes],
        network.demand,
    )  # fmt: skip
    assert farthest(qm.solve(plain), name, 0.0) > 2.0
