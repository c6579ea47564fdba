"""Forks whose classes take different times, against the Markov chain of the whole network."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.solvers.parts import forked_classes, isolated_parts
from qmodel.solvers.parts.forked_chain import forked_speeds
from qmodel.solvers.parts.forked_classes import ForkedClasses, size
from qmodel.solvers.parts.forked_queue import joined
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


@pytest.mark.parametrize(("branches", "populations"), [(3, (2, 1)), (3, (1, 2)), (4, (1, 1))])
def test_few_visits_are_exact_at_any_number_of_branches(branches, populations):
    network = alone(branches, *populations)
    found = qm.solve(network, "isolation")
    assert found.response_times == pytest.approx(response_times(ordered.solve(network)), rel=1e-9)


@pytest.mark.parametrize("branches", [2, 3, 4])
def test_one_branch_and_what_joins_add_is_near(monkeypatch, branches):
    """As many visits as have an exact chain, and the approximation for more of them."""
    network = alone(branches, 2, 3)
    exact = qm.solve(network, "isolation")
    monkeypatch.setattr(isolated_parts, "LARGEST", 24)  # those of one branch
    found = qm.solve(network, "isolation")
    assert found.response_times != exact.response_times
    assert found.response_times == pytest.approx(exact.response_times, rel=0.06)


def test_what_joins_add_reduces_to_one_class():
    """Classes of equal times are stretched by their number alone."""
    speeds = forked_speeds(3, np.array([1.0, 1.0, 1.0, 0.0]))
    together = joined(np.array([0.4, 0.3, 0.2, 0.1]), [0.5], speeds)
    apart = joined(np.array([[0.4, 0.15], [0.15, 0.12], [0.08, 0.1]]), [0.5, 0.5], speeds)
    assert apart[1, 0] + apart[0, 1] == pytest.approx(together[1], rel=1e-12)
    assert apart[1, 1] + apart[2, 0] == pytest.approx(together[2], rel=1e-12)
    assert apart[2, 1] == pytest.approx(together[3], rel=1e-12)


def test_visits_of_one_class_are_more_likely_by_their_speeds():
    """W(n) = product over i of 1 / speed(i), here 1, 2, 4, 16/3."""
    found = joined(np.array([0.4, 0.3, 0.2, 0.1]), [0.5], [0.5, 0.5, 0.75])
    weights = np.array([0.4, 0.3 * 2.0, 0.2 * 4.0, 0.1 * 16.0 / 3.0])
    assert found == pytest.approx(weights / weights.sum(), rel=1e-12)


def test_a_long_and_a_short_visit_count_as_fewer_than_two():
    """n' = (1 + 0.1)^2 / (1 + 0.01), and log W between its values at one and at two visits."""
    found = joined(np.full((2, 2), 0.25), [1.0, 0.1], [0.5, 0.25])
    at = 2.0**0.7 * (1.21 / 1.01) ** 0.3
    both = np.exp(np.log(2.0) + (at - 1.0) * np.log(4.0))
    assert found[1, 1] / found[0, 0] == pytest.approx(both, rel=1e-12)
    assert found[1, 0] / found[0, 0] == pytest.approx(2.0, rel=1e-12)
    assert found[0, 1] / found[0, 0] == pytest.approx(2.0, rel=1e-12)


def test_a_rare_short_visit_meets_long_ones_as_in_light_traffic():
    """`ordered` against the first order in the load of an open fork of two branches.

    An arrival finds a long visit, S = 1, at t since it came: with probability exp(-t) a part at
    either branch, so that it waits 1 U, and joins take (3/4) U S^2 / (S + s) more than s / 2.
    """
    load, short = 1e-4, 0.1
    network = qm.Network(
        [qm.ForkJoinStation("fork", 2)],
        [qm.OpenClass("long", load), qm.OpenClass("short", load)],
        [[1.0], [short]],
    )
    found = qm.solve(network, "ordered").response_times[1]
    more = load * (1.0 + 0.75 / (1.0 + short)) + load * short * (short + 0.375 * short)
    assert found - 1.5 * short == pytest.approx(more, rel=1e-3)


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


def test_too_many_customers_are_left_to_another_method():
    network = alone(3, 60, 60)
    assert "population vectors" in qm.methods_for(network)["isolation"]
    assert qm.solve(network).method == "ordered"
