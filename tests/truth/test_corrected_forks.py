"""Forks followed by two branches and corrected, against the chain in order that knows all."""

import numpy as np
import pytest

from qmodel.solvers.parts.forks import corrected_pairs, in_order, two_branches
from qmodel.solvers.parts.forks.corrected_pairs import CorrectedPairs, drawn, few
from qmodel.solvers.parts.forks.in_order import ForkedClasses
from qmodel.solvers.parts.forks.two_branches import ForkedPairs, size_apart

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


@pytest.mark.parametrize("think", [(4.0, 1.0), (1.0, 0.25), (0.2, 0.05)])
def test_few_visits_in_order_correct_more_of_them(monkeypatch, think):
    """From hardly busy to nearly always."""
    monkeypatch.setattr(corrected_pairs, "IN_ORDER", 400)
    rates = arrivals([3, 4], think)
    fork = CorrectedPairs(TIMES, [3, 4], 4)
    (correction,) = fork.corrections
    assert correction.same.population == (3, 3)
    true = ForkedClasses(TIMES, [3, 4], 4).solve(rates)
    assert wrong(fork.solve(rates), true) < 0.6 * wrong(fork.pairs.solve(rates), true)


def test_what_the_other_branch_has_done_is_told_of_few_visits(monkeypatch):
    rates = arrivals([6, 6])
    true = ForkedClasses(TIMES, [6, 6], 2).solve(rates)
    apart = CorrectedPairs(TIMES, [6, 6], 2)
    assert apart.pairs.apart
    assert not apart.corrections
    monkeypatch.setattr(two_branches, "LARGEST", 2_000)
    assert size_apart([6, 6], 8) <= 1_700 < size_apart([6, 6], 9)
    monkeypatch.setattr(corrected_pairs, "APART", 1_700)
    fork = CorrectedPairs(TIMES, [6, 6], 2)
    assert not fork.pairs.apart
    ((better, same),) = fork.corrections
    assert (better.apart, same.apart) == (True, False)
    assert better.states > same.states
    assert better.counts.sum(axis=1).max() == same.counts.sum(axis=1).max() == 8
    plain = wrong(fork.pairs.solve(rates), true)
    assert wrong(fork.solve(rates), true) < 0.5 * plain
    assert wrong(fork.solve(rates), true) == pytest.approx(
        wrong(apart.solve(rates), true), abs=2e-3
    )


def test_both_at_once(monkeypatch):
    monkeypatch.setattr(two_branches, "LARGEST", 100)
    fork = CorrectedPairs(TIMES, [3, 3], 3)
    assert len(fork.corrections) == 2
    rates = arrivals([3, 3])
    true = ForkedClasses(TIMES, [3, 3], 3).solve(rates)
    assert fork.solve(rates) == pytest.approx(true, rel=1e-4)


def test_what_does_not_settle_is_left_as_it_is_or_not_known(monkeypatch):
    fork = CorrectedPairs(TIMES, [2, 2], 3)
    rates = arrivals([2, 2])
    plain = fork.pairs.solve(rates)
    monkeypatch.setattr(ForkedClasses, "solve", lambda self, rates: None)
    assert fork.solve(rates) == pytest.approx(plain, rel=1e-12)
    monkeypatch.setattr(ForkedPairs, "solve", lambda self, rates: None)
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


@pytest.mark.parametrize(("population", "branches"), [([3, 2], 3), ([2, 2, 2], 4), ([5], 8)])
@pytest.mark.parametrize("most", [1, 2, 4])
def test_states_of_few_visits_are_counted_before_they_are_made(population, branches, most):
    times = TIMES + [0.2]
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
