"""Chains whose rates depend on their own probabilities, and large ones, against closed forms."""

from itertools import cycle

import numpy as np
import pytest

from qmodel.numerics import nonlinear_ctmc as module
from qmodel.numerics.nonlinear_ctmc import nonlinear_stationary

TWO = np.array([[0, 1], [1, 0]])


@pytest.mark.parametrize("once", [True, False])
def test_large_chains_have_the_digits_of_small_probabilities(monkeypatch, once):
    """Two independent servers, at each a hundredth or a fiftieth of the one before: down to 3e-19.

    Incomplete factors lead to 11 digits of the likeliest state, which are none of the others.
    """
    monkeypatch.setattr(module, "COMPLETE", 1)
    loads, most = (0.01, 0.02), 5
    moves, rates = [], []
    for n, m in np.ndindex(most + 1, most + 1):
        here = n * (most + 1) + m
        for at, further, load in ((n, most + 1, loads[0]), (m, 1, loads[1])):
            if at < most:
                moves += [(here, here + further), (here + further, here)]
                rates += [load, 1.0]
    found = nonlinear_stationary(
        (most + 1) ** 2, np.array(moves), lambda _: np.array(rates), once=once
    )
    exact = np.multiply.outer(*(load ** np.arange(most + 1) for load in loads)).ravel()
    assert found == pytest.approx(exact / exact.sum(), rel=1e-5, abs=0.0)


def test_rates_of_many_orders_of_magnitude_take_better_factors(monkeypatch):
    """Two servers in tandem, room for 59 at each, of other speeds in every state."""
    found = []
    rng, size = np.random.default_rng(2), 60
    moves = []
    for n, m in np.ndindex(size, size):
        here = n * size + m
        ways = ((n < size - 1, size), (n > 0 and m < size - 1, 1 - size), (m > 0, -1))
        moves += [(here, here + step) for there, step in ways if there]
    rates = 10.0 ** rng.uniform(-4.0, 4.0, len(moves))
    for complete in (size**2, 1):
        monkeypatch.setattr(module, "COMPLETE", complete)
        found.append(nonlinear_stationary(size**2, np.array(moves), lambda _: rates, once=True))
    assert found[1] == pytest.approx(found[0], rel=1e-6, abs=1e-9)


def test_rates_may_leave_those_of_the_first_factors():
    """p (1 + 10 p) = 1 - p, so that p = (sqrt 11 - 1) / 10: the first step is too long."""

    def rates(probability):
        return np.array([1.0, 1.0 if probability is None else 1.0 + 10.0 * probability[1]])

    found = nonlinear_stationary(2, TWO, rates)
    assert found[1] == pytest.approx((np.sqrt(11.0) - 1.0) / 10.0, rel=1e-6)


@pytest.mark.parametrize("complete", [True, False])
def test_what_never_settles_is_given_up(monkeypatch, complete):
    """Rates that change to and fro: factors are made anew a few times only."""
    made = []

    def counted(flow, kept, inverse=module._inverse):
        made.append(kept is None)
        return inverse(flow, kept)

    monkeypatch.setattr(module, "_inverse", counted)
    monkeypatch.setattr(module, "COMPLETE", 2 if complete else 1)
    back = cycle([1.0, 100.0])
    assert nonlinear_stationary(2, TWO, lambda _: np.array([1.0, next(back)])) is None
    assert 1 < len(made) <= module.FACTORS + (not complete)
    assert set(made) == {complete}


def test_a_large_chain_that_ends_in_one_state_is_there(monkeypatch):
    """Nobody comes and those who are there leave."""
    monkeypatch.setattr(module, "COMPLETE", 1)
    moves = np.array([[i + j, i + 1 - j] for i in range(3) for j in range(2)])
    found = nonlinear_stationary(4, moves, lambda _: np.array([0.0, 1.0] * 3), once=True)
    assert found.tolist() == [1.0, 0.0, 0.0, 0.0]
