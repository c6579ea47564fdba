"""Where customers go next, as the visit ratios of a network tell.

The ways are those of `visit_routing`, taken at random at each place whatever the way before: with
visit ratios of 1 the stations are passed in turn, and a central server is left in the usual way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qmodel.model.network import Network
from qmodel.model.visit_routing import ImpliedRouting

#: Probability below which a way is rounding.
ROUNDING = 1e-13


class Way(NamedTuple):
    """A way from a place.

    Attributes
    ----------
    to : int
        The place it leads to: the position of a station, or their number for thinking.
    probability : float
        That it is taken. [1]
    again : bool
        Whether the interaction is over on the way.
    """

    to: int
    probability: float
    again: bool


def ways(network: Network, c: int) -> tuple[tuple[Way, ...], ...]:
    """The ways of a closed class from each station, and at last from thinking.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> stations = [QueueingStation("cpu"), QueueingStation("disk")]
    >>> central = Network(stations, [ClosedClass("users", 2)], [[0.4, 0.3]],
    ...                   visit_ratio=[[4.0, 3.0]])
    >>> ways(central, 0)[0]
    (Way(to=1, probability=0.75, again=False), Way(to=0, probability=0.25, again=True))
    """
    visits = [network.visits_at(c, k) for k in range(len(network.stations))]
    entry, between = ImpliedRouting.of(visits).transitions()
    thinks = network.think_time[c] > 0.0
    entered = 0.0
    for p in entry:
        entered += p
    # Who has no think time and visits nothing starts anew at once.
    starts = [Way(j, p if thinks else p / entered, True) for j, p in enumerate(entry) if p]
    home = [Way(len(visits), 1.0, True)] if thinks else starts
    found = []
    for v, row in zip(visits, between, strict=True):
        stays = [Way(j, n / v, False) for j, n in enumerate(row) if n] if v else []
        leaves = 1.0
        for way in stays:
            leaves -= way.probability
        ends = [way._replace(probability=leaves * way.probability) for way in home]
        found.append(_likely([*stays, *ends] if v else []))
    return (*found, _likely(starts if thinks else []))


def comes_back(found: Sequence[Sequence[Way]], inside: Sequence[int]) -> int | None:
    """A station outside from which customers go back inside in the same interaction, or None."""
    for k in inside:
        for first in found[k]:
            if first.again or first.to in inside:
                continue
            seen, todo = {first.to}, [first.to]
            while todo:
                for way in found[todo.pop()]:
                    if not way.again and way.to not in seen:
                        seen.add(way.to)
                        todo.append(way.to)
            if seen & {*inside}:
                return first.to
    return None


def _likely(found: Sequence[Way]) -> tuple[Way, ...]:
    return tuple(way for way in found if way.probability > ROUNDING)
