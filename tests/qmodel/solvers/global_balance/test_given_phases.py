"""What is said of service times by given phases, and what two moments of them miss."""

import pytest

import qmodel as qm
from tests.qmodel.simulation.test_engine import quick

UNBALANCED = {"probabilities": [0.95, 0.05], "rates": [19 / 6, 1 / 14]}
QUANTILES = {"shares": [0.0, 0.5, 0.9, 1.0], "times": [0.0, 0.1, 0.5, 3.0]}


def network(law):
    stations = [qm.QueueingStation("cpu"), qm.QueueingStation("disk", discipline="fcfs")]
    return qm.Network(stations, [qm.ClosedClass("u", 5, 1.0)], [(0.4, 0.6)],
                      distributions={("u", "disk"): law})  # fmt: skip


def test_two_moments_of_them_are_some_per_cent_off():
    given = network(UNBALANCED)
    exact = qm.solve(given)["u"].response_time
    moments = qm.solve(qm.Network(given.stations, given.classes, given.demand, scv=given.scv))
    assert abs(moments["u"].response_time / exact - 1.0) > 0.03
    found = quick(given, events=40_000)["u"]
    assert abs(found.value - exact) < 2.0 * found.half_width < 0.2 * exact


@pytest.mark.parametrize("law", ["constant", QUANTILES])
def test_what_is_no_phases_is_told(law):
    for method in ("auto", "extended-amva"):
        assert "by mean and SCV only: 'u' at 'disk'" in qm.solve(network(law), method).reason
    with pytest.raises(qm.NotApplicable, match=r"by mean and SCV only|more than 32 phases"):
        qm.solve(network(law), "exact")


def test_phases_that_go_back_and_forth():
    """E exp(-s T) = 6 / ((s + 3)^2 - 3): two phases in turn; one phase is an exponential time."""
    circle = {"start": [1.0, 0.0], "generator": [[-3.0, 3.0], [1.0, -3.0]]}
    line = {"rates": [3.0 + 3.0**0.5, 3.0 - 3.0**0.5], "ends": [0.0, 1.0]}
    two = [qm.solve(network(law)).throughputs[0] for law in (circle, line)]
    assert two[0] == pytest.approx(two[1], rel=1e-12)
    assert network({"erlang": 1}).product_form_violation() is None
