"""Rounds about a central server: how many find the same, and where they go.

Customers who come back to a central server a little later find much the same others there: these
come and go more slowly. Taken as independent, the rounds would add up to a time with too short a
tail. So several rounds in turn find the same, and then all is drawn anew.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from qmodel.percentiles.groups import MOST, total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qmodel.rounds import Rounds

#: Most ways of choosing stations in such rounds.
TERMS = 30
#: Rounds about a central server one after the other that find the same customers, as others come
#: and go more slowly: chosen by the Markov chains of `benchmarks.accuracy`.
ALIKE = 6
#: Chances below this are rounding.
ROUNDING = 1e-9


def choices(chances: Sequence[float], rounds: int) -> list[tuple[tuple[int, ...], float]]:
    """How often each of some stations is chosen in so many rounds, and the chance of that.

    Examples
    --------
    >>> choices([0.75, 0.25], 2)
    [((2, 0), 0.5625), ((1, 1), 0.375), ((0, 2), 0.0625)]
    """
    none = max(0.0, 1.0 - total(chances))
    if not chances:
        return [((), none**rounds)]
    found = []
    for n in range(rounds, -1, -1):
        weight = comb(rounds, n) * chances[0] ** n
        if len(chances) == 1:
            weight *= none ** (rounds - n) if none > ROUNDING or n == rounds else 0.0
            rest: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
        else:
            left = 1.0 - chances[0]
            rest = choices([p / left for p in chances[1:]], rounds - n) if left > ROUNDING else []
            weight *= left ** (rounds - n)
            if n == rounds:
                rest = [((0,) * (len(chances) - 1), 1.0)]
        found += [((n, *counts), weight * p) for counts, p in rest if weight * p > 0.0]
    return found


def alike(rounds: Rounds, work: int) -> int:
    """How many rounds find the same: ALIKE, or fewer where that takes too long."""
    if rounds.centre is None:
        return 0
    others = [p for k, p in enumerate(rounds.again) if p and k != rounds.centre]
    for found in range(ALIKE, 1, -1):
        terms = sum(len(choices(others, k)) for k in range(found + 1))
        if terms <= TERMS and terms * work <= MOST:
            return found
    return 1
