"""Bounds: they hold for exact answers, they are reached, and they say where they do not apply."""

import pytest

import qmodel as qm
from qmodel.bounds import KINDS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_upper_bound_is_reached_in_saturation(kind):
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
        [qm.ClosedClass("users", 5000, 3.0)],
        [0.3, 0.2],
    )
    found = qm.bounds(network, kind.name).upper_throughputs[0]
    assert qm.solve(network).throughputs[0] == pytest.approx(found, rel=1e-12)


def test_rounding_does_not_turn_bounds_around():
    """The other class fills the station by itself, to the last digit and a bit more."""
    network = qm.Network(
        [qm.QueueingStation("cpu")],
        [qm.ClosedClass("none", 0, 0.11705576529402273), qm.ClosedClass("some", 3)],
        [[0.4581551426561837], [0.6483645197088758]],
    )
    found = qm.bounds(network, "balanced_job")
    assert found.upper_throughputs[0] == 0.0
    assert found.lower_throughputs[1] <= found.upper_throughputs[1]
    assert qm.solve(network).throughputs[1] == pytest.approx(1 / 0.6483645197088758, rel=1e-12)


def test_open_classes_and_unknown_kinds_are_refused():
    classes = [qm.OpenClass("mail", 0.5), qm.ClosedClass("users", 5)]
    network = qm.Network([qm.QueueingStation("cpu")], classes, [[0.1], [0.1]])
    with pytest.raises(qm.NotApplicable, match="'mail' is open"):
        qm.bounds(network)
    closed = qm.Network([qm.QueueingStation("cpu", 2)], [qm.ClosedClass("users", 5)], [0.1])
    with pytest.raises(qm.InvalidInput, match="no bound 'best'"):
        qm.bounds(closed, "best")
    with pytest.raises(qm.NotApplicable, match="'cpu' has 2 servers"):
        qm.bounds(closed, "balanced_job")
