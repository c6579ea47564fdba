"""Forks followed by two branches and corrected, against the chain in order that knows all."""

import numpy as np
import pytest

from qmodel.solvers.fork_join import branch_pair_ctmc as two_branches
from qmodel.solvers.fork_join import class_aggregation as groups
from qmodel.solvers.fork_join import corrected_branch_pair as corrected_pairs
from qmodel.solvers.fork_join import exact_fork_ctmc as in_order
from qmodel.solvers.fork_join import large_fork
from qmodel.solvers.fork_join.branch_pair_ctmc import ForkedPairs, size_apart
from qmodel.solvers.fork_join.class_aggregation import one_branch
from qmodel.solvers.fork_join.corrected_branch_pair import CorrectedPairs
from qmodel.solvers.fork_join.exact_fork_ctmc import ForkedClasses
from qmodel.solvers.fork_join.large_fork import LargeFork, often
from qmodel.solvers.fork_join.truncation_correction import corrected, drawn, few, within
from qmodel.solvers.markov.ordered_queue import OrderedChain

TIMES = [0.5, 0.05]


def arrivals(population, think=(1.0, 0.25)):
    """Those of customers who think when they are not there."""
    there = np.indices([n + 1 for n in population])
    return np.array([(n - t) / z for n, t, z in zip(population, there, think, strict=True)])


def numbers(found):
    """Mean of each class."""
    return np.array([float((t * found).sum()) for t in np.indices(found.shape)])


def wrong(found, true):
    return float(np.abs(numbers(found) / numbers(true) - 1.0).max())


@pytest.mark.parametrize("branches", [3, 5])
def test_what_takes_few_states_is_that_in_order(branches):
    fork = CorrectedPairs(TIMES, [2, 2], branches)
    true = ForkedClasses(TIMES, [2, 2], branches)
    assert wrong(fork.pairs.solve(arrivals([2, 2])), true.solve(arrivals([2, 2]))) > 1e-3
    assert fork.solve(arrivals([2, 2])) == pytest.approx(true.solve(arrivals([2, 2])), rel=1e-5)


@pytest.mark.parametrize(
    ("think", "left"),
    [((40.0, 10.0), 0.2), ((12.0, 3.0), 0.4), ((4.0, 1.0), 0.65), ((0.2, 0.05), 1.1)],
)
def test_few_visits_in_order_correct_more_of_them(monkeypatch, think, left):
    """Of what is wrong little is left where the fork is hardly busy; nearly always it is little."""
    monkeypatch.setattr(corrected_pairs, "IN_ORDER", 400)
    rates = arrivals([3, 4], think)
    fork = CorrectedPairs(TIMES, [3, 4], 4)
    assert fork.most_in_order == 3
    true = ForkedClasses(TIMES, [3, 4], 4).solve(rates)
    assert wrong(fork.solve(rates), true) < left * wrong(fork.pairs.solve(rates), true)


def test_what_the_other_branch_has_done_is_told_of_few_visits(monkeypatch):
    rates = arrivals([4, 4], (4.0, 1.0))
    apart = CorrectedPairs(TIMES, [4, 4], 2)
    assert apart.pairs.apart
    assert apart.most_apart == apart.most_in_order == 0
    monkeypatch.setattr(two_branches, "LARGEST", 800)
    monkeypatch.setattr(corrected_pairs, "APART", size_apart([4, 4], 6))
    fork = CorrectedPairs(TIMES, [4, 4], 2)
    assert (fork.pairs.apart, fork.few_apart.apart, fork.few_together.apart) == (0, 1, 0)
    assert fork.most_apart == fork.few_apart.counts.sum(axis=1).max() == 6
    assert fork.few_apart.states > fork.few_together.states
    told = apart.solve(rates)
    assert wrong(fork.solve(rates), told) < 0.3 * wrong(fork.pairs.solve(rates), told)


def one_class_of_all(rates):
    """What is known of equal classes: here, that there is a single branch."""
    there = [n - 1 for n in rates.shape[1:]]
    return OrderedChain(one_branch(TIMES), there).solve(rates)


def test_both_at_once(monkeypatch):
    monkeypatch.setattr(two_branches, "LARGEST", 300)
    fork = CorrectedPairs(TIMES, [3, 3], 3)
    assert not fork.pairs.apart
    rates = arrivals([3, 3])
    true = ForkedClasses(TIMES, [3, 3], 3).solve(rates)
    assert fork.solve(rates) == pytest.approx(true, rel=1e-4)


def test_one_branch_is_corrected_as_well(monkeypatch):
    """By two branches, where these take too many states; with all visits nothing else is left."""
    rates = arrivals([3, 3], (4.0, 1.0))
    true = ForkedClasses(TIMES, [3, 3], 3).solve(rates)
    monkeypatch.setattr(two_branches, "LARGEST", 0)
    whole = CorrectedPairs(TIMES, [3, 3], 3)
    assert whole.pairs is None
    assert whole.solve(rates, one_class_of_all) == pytest.approx(true, rel=1e-4)
    monkeypatch.setattr(corrected_pairs, "APART", size_apart([3, 3], 4))
    monkeypatch.setattr(corrected_pairs, "IN_ORDER", 200)
    some = CorrectedPairs(TIMES, [3, 3], 3)
    assert (some.most_apart, some.most_in_order) == (4, 3)
    assert wrong(one_class_of_all(rates), true) > 0.2
    assert wrong(some.solve(rates, one_class_of_all), true) < 0.05


def test_what_does_not_settle_is_not_known(monkeypatch):
    rates = arrivals([2, 2])
    for largest, broken in ((30_000, "pairs"), (120, "few_apart"), (120, "few_pairs")):
        monkeypatch.setattr(two_branches, "LARGEST", largest)
        fork = CorrectedPairs(TIMES, [2, 2], 3)
        assert fork.solve(rates) is not None
        monkeypatch.setattr(getattr(fork, broken), "solve", lambda _: None)
        assert fork.solve(rates) is None


def test_what_hardly_ever_is_tells_no_ratio():
    """One class that hardly comes: numbers of it are corrected as with one less."""
    fork = CorrectedPairs(TIMES, [2, 2], 3)
    rates = arrivals([2, 2], (1e12, 0.25))
    found, plain = fork.solve(rates), fork.pairs.solve(rates)
    ratio = found / plain
    assert found[1].sum() < 1e-10
    assert ratio[1, 1] == pytest.approx((ratio[0, 1] * ratio[0, 0]) ** 0.5, rel=0.1)
    assert np.isfinite(ratio).all()


def test_arrivals_beyond_few_visits_are_lost():
    rates = np.ones((2, 4, 3))
    found = within(rates, 2)
    assert found.shape == (2, 3, 3)
    there = np.indices((3, 3)).sum(axis=0)
    assert (found[0] == (there < 2)).all()
    assert rates.min() == 1.0  # what was given is left alone


@pytest.mark.parametrize(("population", "branches"), [([3, 2], 3), ([2, 2, 2], 4), ([5], 8)])
@pytest.mark.parametrize("most", [1, 2, 4])
def test_states_of_few_visits_are_counted_before_they_are_made(population, branches, most):
    times = [*TIMES, 0.2]
    chain = ForkedClasses(times[: len(population)], population, branches, most)
    assert chain.states == in_order.size(population, branches, most)
    pairs = ForkedPairs(times[: len(population)], population, branches, most, apart=True)
    assert pairs.states <= size_apart(population, most)
    assert chain.counts.sum(axis=1).max() == min(most, sum(population))
    assert pairs.counts.sum(axis=1).max() == min(most, sum(population))


def test_as_many_as_there_is_room_for():
    def size(population, most):
        return float(min(most, sum(population)))

    assert few([4, 4], size, 3.0) == 3
    assert few([4, 4], size, 100.0) == 8
    assert few([4, 4], size, 0.0) == 1


def test_what_is_not_known_is_the_mean_of_visits_drawn():
    """A linear function stays linear: it is as if the unknown ones were as the mean visit."""
    known = np.full((4, 4), np.nan)
    for i, j in ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2)):
        known[i, j] = 1.0 if i + j == 2 and i == j else 0.0
    found = drawn(known)
    # Of i and j drawing one of each: 2 i j / (n (n - 1)).
    assert found[3, 2] == pytest.approx(2 * 3 * 2 / (5 * 4))
    assert found[3, 0] == 0.0


def test_neither_side_tells_a_ratio_where_it_is_hardly_ever():
    found = np.array([0.5, 0.3, 0.2])
    for better, same in (([0.6, 1e-3], [0.6, 1e-12]), ([0.6, 1e-12], [0.6, 1e-3])):
        now = corrected(found, np.array(better), np.array(same))
        assert now == pytest.approx(found, rel=1e-12)  # as where nobody is: the same
    told = corrected(found, np.array([0.6, 1e-3]), np.array([0.6, 2e-3]))
    assert told == pytest.approx(np.array([0.5, 0.15, 0.1]) / 0.75)


def test_as_many_as_there_are_at_most():
    assert often(np.array([0.5, 0.4]), 0.01) == (1,)
    assert often(np.array([0.5, 0.4, 0.1]), 0.2) == (2,)  # two at least
    assert often(np.array([0.5, 0.3, 0.1, 0.1]), 1e-9) == (3,)


@pytest.mark.parametrize(("largest", "apart"), [(1_000, True), (400, False)])
def test_large_forks_take_classes_of_nearly_the_same_time_together(monkeypatch, largest, apart):
    """Three classes, two of them alike; the exact chain and what is near it."""
    times, population = [0.5, 0.05, 0.06], [3, 2, 2]
    rates = arrivals(population, (2.0, 0.5, 0.6))
    true = ForkedClasses(times, population, 3).solve(rates)
    for module in (two_branches, groups):
        monkeypatch.setattr(module, "LARGEST", largest)
    monkeypatch.setattr(corrected_pairs, "IN_ORDER", 0)
    monkeypatch.setattr(corrected_pairs, "APART", size_apart(population, 4))
    said = []
    taken = large_fork.taken_together

    def spied(*given, apart):
        said.append((given[1], apart))
        return taken(*given, apart=apart)

    monkeypatch.setattr(large_fork, "taken_together", spied)
    found = LargeFork(times, population, 3).solve(rates)
    assert said == [([[1, 2], [0]], apart)] * 2
    assert found.sum() == pytest.approx(1.0)
    assert wrong(found, true) < 0.03
