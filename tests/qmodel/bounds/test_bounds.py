"""Bounds: they hold for exact answers, they are reached, and they say where they do not apply."""

import pytest

from qmodel import (
    ClosedClass,
    InvalidInput,
    Network,
    NotApplicable,
    OpenClass,
    QueueingStation,
    bounds,
    solve,
)
from qmodel.bounds import KINDS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_upper_bound_is_reached_in_saturation(kind):
    network = Network(
        [QueueingStation("cpu"), QueueingStation("disk")],
        [ClosedClass("users", 5000, 3.0)],
        [0.3, 0.2],
    )
    found = bounds(network, kind.name).upper_throughputs[0]
    assert solve(network).throughputs[0] == pytest.approx(found, rel=1e-12)


def test_rounding_does_not_turn_bounds_around():
    """The other class fills the station by itself, to the last digit and a bit more."""
    network = Network(
        [QueueingStation("cpu")],
        [ClosedClass("none", 0, 0.11705576529402273), ClosedClass("some", 3)],
        [[0.4581551426561837], [0.6483645197088758]],
    )
    found = bounds(network, "balanced_job")
    assert found.upper_throughputs[0] == 0.0
    assert found.lower_throughputs[1] <= found.upper_throughputs[1]
    assert solve(network).throughputs[1] == pytest.approx(1 / 0.6483645197088758, rel=1e-12)


def test_open_classes_and_unknown_kinds_are_refused():
    network = Network([QueueingStation("cpu")], [OpenClass("mail", 0.5)], [[0.1]])
    with pytest.raises(NotApplicable, match="'mail' is open"):
        bounds(network)
    closed = Network([QueueingStation("cpu", 2)], [ClosedClass("users", 5)], [0.1])
    with pytest.raises(InvalidInput, match="no bound 'best'"):
        bounds(closed, "best")
    with pytest.raises(NotApplicable, match="'cpu' has 2 servers"):
        bounds(closed, "balanced_job")
