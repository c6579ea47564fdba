"""The Markovian routing that visit ratios imply.

The route is that of `visit_routing`, its next station drawn at random at each station whatever came
before: visit ratios of 1 pass the stations in turn, a central server is left in the usual way.
Original.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qmodel.model.network import Network
from qmodel.model.visit_routing import ImpliedRouting

#: Probability below which a transition is rounding.
ROUNDING = 1e-13


class Routing(NamedTuple):
    """One way to leave a station."""

    #: Position of the next station, or the number of stations for thinking.
    to: int
    #: [1]
    probability: float
    #: Whether an interaction is completed by it.
    completes: bool


def routing(network: Network, c: int) -> tuple[tuple[Routing, ...], ...]:
    """The routing of a closed class from each station, and at last from thinking.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> stations = [QueueingStation("cpu"), QueueingStation("disk")]
    >>> central = Network(stations, [ClosedClass("users", 2)], [[0.4, 0.3]],
    ...                   visit_ratio=[[4.0, 3.0]])
    >>> stay, end = routing(central, 0)[0]
    >>> stay
    Routing(to=1, probability=0.75, completes=False)
    >>> end
    Routing(to=0, probability=0.25, completes=True)
    """
    visits = [network.visits_at(c, k) for k in range(len(network.stations))]
    entry, between = ImpliedRouting.of(visits).transitions()
    thinks = network.think_time[c] > 0.0
    entered = 0.0
    for p in entry:
        entered += p
    # Without think time, a class that visits nothing starts anew at once.
    starts = [Routing(j, p if thinks else p / entered, True) for j, p in enumerate(entry) if p]
    ends = [Routing(len(visits), 1.0, True)] if thinks else starts
    rows = []
    for v, row in zip(visits, between, strict=True):
        stays = [Routing(j, n / v, False) for j, n in enumerate(row) if n] if v else []
        leaves = 1.0
        for way in stays:
            leaves -= way.probability
        last = [way._replace(probability=leaves * way.probability) for way in ends]
        rows.append(_likely([*stays, *last] if v else []))
    return (*rows, _likely(starts if thinks else []))


def reentered(rows: Sequence[Sequence[Routing]], inside: Sequence[int]) -> int | None:
    """A station outside from which a class goes back inside in the same interaction, or None."""
    for k in inside:
        for first in rows[k]:
            if first.completes or first.to in inside:
                continue
            reached, todo = {first.to}, [first.to]
            while todo:
                for way in rows[todo.pop()]:
                    if not way.completes and way.to not in reached:
                        reached.add(way.to)
                        todo.append(way.to)
            if reached & {*inside}:
                return first.to
    return None


def _likely(ways: Sequence[Routing]) -> tuple[Routing, ...]:
    return tuple(way for way in ways if way.probability > ROUNDING)
