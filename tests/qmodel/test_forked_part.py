"""A fork-join station as a part of a network: which chain it takes, and who arrives there."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.model.product_form import EQUAL
from qmodel.numerics import nonlinear_ctmc as settling
from qmodel.solvers.fork_join import branch_pair_ctmc as two_branches
from qmodel.solvers.fork_join import corrected_branch_pair as corrected_pairs
from qmodel.solvers.fork_join import exact_fork_ctmc as in_order
from qmodel.solvers.fork_join.class_aggregation import one_branch
from qmodel.solvers.fork_join.corrected_branch_pair import CorrectedPairs
from qmodel.solvers.fork_join.exact_fork_ctmc import ForkedClasses
from qmodel.solvers.fork_join.large_fork import LargeFork
from qmodel.solvers.marie import fork_join_subnetwork as forked_part
from qmodel.solvers.marie.fork_join_subnetwork import ForkedPart, _as_one, fork_size


def network(populations, demand, *, branches=3, thinks=(1.0, 2.0, 3.0), **more):
    classes = [qm.ClosedClass(f"c{c}", n, z) for c, (n, z) in enumerate(zip(populations, thinks))]
    return qm.Network([qm.ForkJoinStation("fork", branches)], classes, demand, **more)


def part(model):
    everybody = range(len(model.classes))
    population = [c.population for c in model.classes]
    return ForkedPart(model, list(everybody), population, 0, [1.0] * len(population))


@pytest.mark.parametrize(
    ("times", "there", "alike"),
    [
        ([0.1], [5], True),
        ([0.1, 0.2], [5, 0], True),
        ([0.1, 0.2], [0, 0], True),
        ([0.1, 0.1], [2, 2], False),
        ([0.1, 0.1], [300, 300], True),
        ([0.1, 0.1 * (1.0 + 0.5 * EQUAL)], [300, 300], True),
        ([0.1, 0.1 * (1.0 + 3.0 * EQUAL)], [300, 300], False),
        ([0.1, 0.2], [300, 300], False),
    ],
)
def test_classes_are_as_one_where_numbers_say_all(times, there, alike):
    """One class; or equal ones that are too many to be told apart."""
    assert _as_one(times, there) is alike


def test_as_many_equal_ones_as_one_branch_has_states_for_are_told_apart(monkeypatch):
    size = one_branch([0.1, 0.1]).size([3, 2])
    monkeypatch.setattr(forked_part, "LARGEST", size)
    assert not _as_one([0.1, 0.1], [3, 2])
    monkeypatch.setattr(forked_part, "LARGEST", size - 1)
    assert _as_one([0.1, 0.1], [3, 2])


@pytest.mark.parametrize(
    ("populations", "kind"),
    [
        ([30], type(None)),
        ([2, 2], ForkedClasses),
        ([12, 12], CorrectedPairs),
        ([20, 20, 10], LargeFork),
    ],
)
def test_the_first_chain_that_takes_few_enough_states(populations, kind):
    model = network(populations, [[0.1 * (c + 1)] for c in range(len(populations))])
    assert type(part(model).chain) is kind
    size = fork_size(model, range(len(populations)), 0, populations)
    expected = {
        type(None): 0.0,
        ForkedClasses: in_order.size(populations, 3),
        CorrectedPairs: min(two_branches.size(populations), forked_part.LARGEST),
        LargeFork: one_branch([0.1, 0.2, 0.3]).size(populations),
    }
    assert size == expected[kind]


def test_who_never_comes_takes_no_states():
    model = network([3, 50, 2], [[0.1], [0.0], [0.2]])
    fork = part(model)
    assert fork.there == [3, 0, 2]
    assert fork.chain.states == in_order.size([3, 0, 2], 3)
    assert fork_size(model, range(3), 0, [3, 0, 2]) == in_order.size([3, 2], 3)


def test_visits_arrive_as_often_as_they_are_made():
    """Two visits of half the time each, near the chain of the whole network."""
    model = network([2, 2], [[0.4], [0.1]], visit_ratio=[[2.0], [1.0]])
    exact = qm.solve(model, "global_balance").response_times
    assert qm.solve(model, "isolation").response_times == pytest.approx(exact, rel=0.03)
    once = qm.solve(network([2, 2], [[0.4], [0.1]]), "isolation").response_times
    assert once[1] > 1.4 * exact[1]  # who visits once waits for shorter parts


@pytest.mark.parametrize("branches", [2, 4])
def test_equal_times_are_exact_too(branches):
    """Who comes back at once finds other branches than who comes at times of his own."""
    model = network([2, 3], [[0.1], [0.1]], branches=branches, thinks=(0.02, 2.0))
    exact = qm.solve(model, "global_balance").response_times
    assert qm.solve(model, "isolation").response_times == pytest.approx(exact, rel=1e-6)
    assert exact[0] != pytest.approx(exact[1], rel=0.05)


def test_a_chain_that_does_not_settle_is_replaced_by_one_branch(monkeypatch):
    model = network([4, 4], [[0.3], [0.05]], branches=4)
    monkeypatch.setattr(in_order, "IN_ORDER_OF_MORE", 0)
    whole = qm.solve(model, "isolation").response_times
    monkeypatch.setattr(CorrectedPairs, "solve", lambda *_: None)
    rough = qm.solve(model, "isolation").response_times
    assert rough != pytest.approx(whole, rel=1e-4)
    assert rough == pytest.approx(whole, rel=0.15)
    states = one_branch([0.3, 0.05]).size([4, 4])
    monkeypatch.setattr(forked_part, "LARGEST", states)
    assert qm.solve(model, "isolation").response_times == pytest.approx(rough)
    fork = part(model)
    monkeypatch.setattr(forked_part, "LARGEST", states - 1)
    with pytest.raises(qm.NotApplicable, match="do not settle"):
        fork.solve(np.ones((2, 5, 5)), np.ones((5, 5)))


@pytest.mark.parametrize(
    ("branches", "populations", "times", "thinks"),
    [
        (6, [6, 6], [0.082, 0.384], (0.01, 1e6)),
        (2, [30, 3], [0.852, 6.6], (0.433, 1e6)),
        (3, [2, 2, 5], [8.4, 1.3, 0.016], (1e6, 0.01, 0.06)),
    ],
)
def test_who_hardly_ever_comes_has_digits_too(monkeypatch, branches, populations, times, thinks):
    """In another unit chains have other digits: of the small probabilities there were none."""
    monkeypatch.setattr(in_order, "IN_ORDER_OF_MORE", 0)
    monkeypatch.setattr(in_order, "IN_ORDER", 0)
    monkeypatch.setattr(corrected_pairs, "IN_ORDER", 500)
    monkeypatch.setattr(settling, "COMPLETE", 300)

    def found(unit):
        model = network(
            populations,
            [[unit * time] for time in times],
            branches=branches,
            thinks=[unit * think for think in thinks],
        )
        return np.array(qm.solve(model, "isolation").response_times) / unit

    assert found(1e3) == pytest.approx(found(1.0), rel=1e-4)
    assert found(1e-6) == pytest.approx(found(1.0), rel=1e-4)


def test_who_hardly_ever_comes_takes_as_long_as_who_comes_less_seldom():
    """A customer alone among others: it makes no difference whether once a day or in a year."""

    def seldom(think):
        model = network([5, 5], [[0.3], [0.05]], branches=8, thinks=(1.0, think))
        assert isinstance(part(model).chain, CorrectedPairs)
        return qm.solve(model, "isolation").response_times

    assert seldom(1e5) == pytest.approx(seldom(3e7), rel=1e-3)
    assert seldom(1e200) == pytest.approx(seldom(3e7), rel=1e-3)


def test_a_large_chain_that_is_hardly_ever_empty_is_solved(monkeypatch):
    """The state without customers, by which others were told, has a probability of 1e-16."""
    model = network([24, 3], [[0.852], [6.6]], branches=2, thinks=(0.433, 1e6))
    found = qm.solve(model, "isolation").response_times
    monkeypatch.setattr(settling, "COMPLETE", 10**6)
    assert found == pytest.approx(qm.solve(model, "isolation").response_times, rel=1e-6)
