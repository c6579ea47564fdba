"""The places that customers pass through: those of a given route, else those that visits imply.

A place stands at a station; one station may stand at several places of a route. The last place of
a class is outside: thinking, or before it arrives and after it left.
"""

from qmodel.model.network import Network
from qmodel.model.visit_routing import ImpliedRouting

#: Probability below which a transition is rounding.
ROUNDING = 1e-13

#: A transition: the place it leads to, its probability.
Way = tuple[int, float]


def places_of(network: Network, c: int) -> tuple[list[int], list[list[Way]]]:
    """Stations of the places of a class's route, and the transitions from them and from outside."""
    route = dict(network.routes).get(network.class_names[c])
    if route is None:
        return list(range(len(network.stations))), transitions(network, c)
    size = len(route) + 1
    there = [network.station_names.index(name) for name in route]
    return there, [[((i + 1) % size, 1.0)] for i in range(size)]


def transitions(network: Network, c: int) -> list[list[Way]]:
    """The transitions of a class from each station, and at last from outside.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> stations = [QueueingStation("cpu"), QueueingStation("disk")]
    >>> transitions(Network(stations, [ClosedClass("users", 2)], [[0.4, 0.3]],
    ...                     visit_ratio=[[4.0, 3.0]]), 0)
    [[(1, 0.75), (2, 0.25)], [(0, 1.0)], [(0, 1.0)]]
    """
    visits = [network.visits_at(c, k) for k in range(len(network.stations))]
    entry, between = ImpliedRouting.of(visits).transitions()
    outside = len(visits)
    ways = [
        _with_rest([(j, n / v) for j, n in enumerate(row)], outside) if v else [(outside, 1.0)]
        for v, row in zip(visits, between, strict=True)
    ]
    return [*ways, _with_rest(list(enumerate(entry)), outside)]


def _with_rest(ways: list[Way], outside: int) -> list[Way]:
    """Transitions that are likely at all, and outside with the rest of the probability."""
    kept = [way for way in ways if way[1] > ROUNDING]
    rest = 1.0 - sum(p for _, p in kept)
    return [*kept, (outside, rest)] if rest > 1e-12 or not kept else kept
