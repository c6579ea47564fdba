"""Other people's solvers, as they answered when they were asked, against qmodel and the digits.

The answers are in JSON files beside this one, with version and how they were made;
`make second-opinion` asks again where the peers are installed.
"""

import json
from pathlib import Path

import pytest

import qmodel as qm
from benchmarks.second_opinion.cases import cases, queues
from benchmarks.second_opinion.digits import our_digits, peer_digits

RECORDED = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(Path(__file__).parent.glob("*.json"))
}
PAIRS = [(peer, found) for peer in RECORDED for found in cases()]


def test_there_is_a_second_opinion_of_each_kind():
    assert "octave" in RECORDED
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


@pytest.mark.parametrize(("peer", "found"), PAIRS, ids=lambda v: getattr(v, "name", v))
def test_both_have_the_digits_that_are_certified(peer, found):
    assert our_digits(found) > 13.0
    assert peer_digits(found, RECORDED[peer]["answers"][found.name]) > 13.0
