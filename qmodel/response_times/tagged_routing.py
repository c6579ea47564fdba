"""Ways through the network: those of a tagged customer, and those of all others.

In the rounds of `visit_routing` a round before the last goes to other stations than the last. So
the places of a tagged customer are the stations of either kind of round; only about a central
server, and where one round is all, are they the stations. The others go from station to station
as often as in such rounds; if it tells nothing about the rest of the way where one was before,
that is all there is to know about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from qmodel.model.visit_routing import ImpliedRouting

    Array = NDArray[np.float64]

#: Chances that differ by less are equal; smaller ones are rounding.
ROUNDING = 1e-12


class Ways(NamedTuple):
    """Ways from place to place.

    Attributes
    ----------
    station : tuple of int
        Of each place.
    entry : array, shape (P,)
        Chance that a way begins at each place; what they lack of 1 goes nowhere.
    onward : array, shape (P, P)
        Chances from place to place; what a row lacks of 1 leaves the network.
    """

    station: tuple[int, ...]
    entry: Array
    onward: Array

    def out(self) -> Array:
        """Chance to leave the network from each place."""
        import numpy as np

        left = 1.0 - self.onward.sum(axis=1)
        return np.where(left > ROUNDING, left, 0.0)


def of_others(rounds: ImpliedRouting, visits: Sequence[float]) -> Ways:
    """From station to station, as often as in the rounds; visited stations are the places."""
    import numpy as np

    entry, ways = rounds.transitions()
    there = [k for k, v in enumerate(visits) if v]
    onward = np.array([[ways[i][j] / visits[i] for j in there] for i in there])
    return Ways(tuple(there), np.array([entry[k] for k in there]), onward)


def of_one(rounds: ImpliedRouting, visits: Sequence[float]) -> Ways:
    """Those of one customer, a place for each station of a round before the last and of the last.

    Examples
    --------
    >>> from qmodel.model.visit_routing import ImpliedRouting
    >>> visits = [2.0, 1.5]  # a round before the last goes to both, the last to one or both
    >>> ways = of_one(ImpliedRouting.of(visits), visits)
    >>> ways.station, ways.entry.tolist(), ways.out().tolist()
    ((0, 1, 0, 1), [0.5, 0.0, 0.5, 0.0], [0.0, 0.0, 0.5, 1.0])
    """
    import numpy as np

    if rounds.central is not None or rounds.passes == 1.0:
        return of_others(rounds, visits)
    stays = 1.0 - 1.0 / rounds.passes
    chance = (rounds.earlier, rounds.last)
    places = [(kind, k) for kind in (0, 1) for k, p in enumerate(chance[kind]) if p]
    entry = np.zeros(len(places))
    for kind, weight in enumerate((stays, 1.0 - stays)):
        going = weight
        for i, (other, k) in enumerate(places):
            if other == kind:
                entry[i] = going * chance[kind][k]
                going *= 1.0 - chance[kind][k]
    onward = np.zeros((len(places), len(places)))
    for i, (kind, k) in enumerate(places):
        going = 1.0
        for j, (other, later) in enumerate(places):
            if other == kind and later > k:
                onward[i, j] = going * chance[kind][later]
                going *= 1.0 - chance[kind][later]
        if kind == 0:
            onward[i] += going * entry
    return Ways(tuple(k for _, k in places), entry, onward)


def forget(rounds: ImpliedRouting) -> bool:
    """Whether the ways from a station do not depend on where one was before in the round.

    Examples
    --------
    >>> from qmodel.model.visit_routing import ImpliedRouting
    >>> [forget(ImpliedRouting.of(v)) for v in ([4.0, 1.0], [2.0, 2.0], [2.0, 1.5], [1.5, 2.0])]
    [True, True, True, False]
    """
    if rounds.central is not None or rounds.passes == 1.0:
        return True
    tells = [
        abs(a - b) > ROUNDING for a, b in zip(rounds.earlier, rounds.last, strict=True) if a or b
    ]
    return not any(tells[:-1])
