"""Stationary probabilities of chains that have them in closed form, however unlikely a state is."""

from fractions import Fraction

import numpy as np
import pytest

from qmodel.errors import InternalError
from qmodel.numerics.ctmc import stationary
from tests.tables import asked, rows


def solved(states, moves):
    source, target, rate = zip(*moves, strict=True)
    return stationary(states, np.array(source), np.array(target), np.array(rate, float))


def line(up, down):
    """Moves of a chain that goes up and down by one."""
    return [(i, i + 1, rate) for i, rate in enumerate(up)] + [
        (i + 1, i, rate) for i, rate in enumerate(down)
    ]


def exact(up, down):
    """Products of up over down, to the last digit."""
    found = [Fraction(1)]
    for a, b in zip(up, down, strict=True):
        found.append(found[-1] * Fraction(a) / Fraction(b))
    return [float(each / sum(found)) for each in found]


@pytest.mark.parametrize(("up", "down"), rows(__file__, "digits"))
def test_every_state_has_its_digits(up, down):
    """The likeliest state first, last or in between, others down to 1e-180."""
    up, down = asked(up, globals()), asked(down, globals())
    found = solved(len(up) + 1, line(up, down))
    assert found.tolist() == pytest.approx(exact(up, down), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("first", [[(0, 1, 1.0)], [(0, 1, 1.0), (0, 4, 3.0)]])
def test_a_state_that_is_left_for_good_is_never(first):
    """Whichever state comes first, and however many more of them there are."""
    up, down = [1.0, 2.0, 3.0], [4.0, 1.0, 5.0]
    moves = [(a + 1, b + 1, rate) for a, b, rate in line(up, down)]
    found = solved(5, [*first, *moves])
    assert found[0] == 0.0
    assert found[1:].tolist() == pytest.approx(exact(up, down), rel=1e-12)


def test_moves_at_no_rate_are_none():
    found = solved(3, [*line([1.0, 1.0], [2.0, 1.0]), (0, 2, 0.0)])
    assert found.tolist() == pytest.approx([0.5, 0.25, 0.25])


def test_one_state_is_always():
    empty = np.zeros(0, int)
    assert stationary(1, empty, empty, np.zeros(0)).tolist() == [1.0]


@pytest.mark.filterwarnings("ignore:Matrix is exactly singular")
def test_a_chain_that_falls_apart_has_none():
    apart = [(0, 1, 1.0), (1, 0, 1.0), (2, 3, 1.0), (3, 2, 1.0)]
    with pytest.raises(InternalError, match="4 states has no stationary probabilities"):
        solved(4, apart)
