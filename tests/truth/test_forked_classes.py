"""Forks whose classes take different times, against the Markov chain of the whole network."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.solvers.parts import forked_classes
from qmodel.solvers.parts.forked_classes import ForkedClasses, size
from tests.truth import ordered

TIMES = [[0.3], [0.05]]


def response_times(truth):
    return [float(sum(r or 0.0 for r in row)) for row in truth.residence_time]


def alone(branches, *populations):
    classes = [qm.ClosedClass(f"c{c}", n, 0.5) for c, n in enumerate(populations)]
    return qm.Network([qm.ForkJoinStation("fork", branches)], classes, TIMES)


@pytest.mark.parametrize("populations", [(1, 1), (2, 1), (1, 3)])
def test_two_branches_with_nothing_else_are_exact(populations):
    network = alone(2, *populations)
    found = qm.solve(network, "isolation")
    assert found.response_times == pytest.approx(response_times(ordered.solve(network)), rel=1e-9)


def test_three_branches_are_near():
    network = alone(3, 2, 2)
    found = qm.solve(network, "isolation")
    assert found.response_times == pytest.approx(response_times(ordered.solve(network)), rel=0.07)


def test_whom_the_branches_are_at_is_nearly_enough(monkeypatch):
    """Numbers of each class in place of their order change the means by less than two per cent."""
    arrivals = np.zeros((2, 5, 5))
    n, m = np.indices((5, 5))
    arrivals[0], arrivals[1] = 0.8 * (4 - n), 2.0 * (4 - m)
    means = []
    for most in (forked_classes.IN_ORDER, 0):
        monkeypatch.setattr(forked_classes, "IN_ORDER", most)
        chain = ForkedClasses([0.3, 0.05], [4, 4])
        assert chain.in_order is bool(most)
        found = chain.solve(arrivals)
        assert found.sum() == pytest.approx(1.0)
        assert chain.states <= size([4, 4])
        means.append([float((n * found).sum()), float((m * found).sum())])
    assert means[1] == pytest.approx(means[0], rel=0.02)


def test_equal_times_are_those_of_one_class():
    """The chain of classes that are alike has the speeds of `forked_speeds`."""
    arrivals = np.zeros((2, 3, 3))
    n, m = np.indices((3, 3))
    arrivals[0], arrivals[1] = (n < 2) * 1.0, (m < 2) * 1.0
    found = ForkedClasses([0.5, 0.5], [2, 2]).solve(arrivals)
    assert found == pytest.approx(found.T, rel=1e-9)


def test_too_many_states_are_left_to_another_method():
    reason = qm.methods_for(alone(2, 40, 40))["isolation"]
    assert "station 'fork' has" in reason
    assert qm.solve(alone(2, 40, 40)).method == "ordered"
