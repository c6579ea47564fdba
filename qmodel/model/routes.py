"""Routes of classes: stations in a fixed order, or probabilities of the next one.

Means in product form depend on how often a station is visited, the rest on the route as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qmodel.errors import InvalidNetwork
from qmodel.model.validation import sequence

#: Stations in order, or pairs of a station (or "arrival") and what may follow it.
Route = tuple[Any, ...]
#: Each station of a route, and the places of it that may follow with which probability.
Places = tuple[list[str], list[list[tuple[int, float]]]]


def route(given: Any, what: str) -> Route:
    """A route as it is kept.

    Examples
    --------
    >>> route(["cpu", "disk", "cpu"], "users")
    ('cpu', 'disk', 'cpu')
    >>> route({"arrival": {"cpu": 1}, "cpu": {"cpu": 0.5, "exit": 0.5}}, "users")
    (('arrival', (('cpu', 1.0),)), ('cpu', (('cpu', 0.5), ('exit', 0.5))))
    """
    if not isinstance(given, Mapping):
        kept = tuple(sequence(given, f"route of class {what!r}"))
        if not kept:
            raise InvalidNetwork(f"route of class {what!r} is empty")
        if isinstance(kept[0], str):
            return kept
        given = {node: dict(row) for node, row in kept}
    from qmodel.model.routing import routing_graph

    graph = routing_graph(given)
    return tuple(
        (node, tuple((to, graph.edges[node, to]["probability"]) for to in graph.adj[node]))
        for node in graph
        if graph.adj[node]
    )


def visits_of(kept: Route, station_names: Sequence[str], what: str) -> list[float]:
    """How often each station is visited on a route."""
    if isinstance(kept[0], str):
        visits: dict[Any, float] = {name: float(kept.count(name)) for name in kept}
    else:
        from qmodel.model.routing import open_visit_ratios

        visits = open_visit_ratios({node: dict(row) for node, row in kept})
    for name in visits:
        if name not in station_names:
            raise InvalidNetwork(f"route of class {what!r}: no station {name!r}")
    return [visits.get(name, 0.0) for name in station_names]


def places(kept: Route) -> Places:
    """The stations of a route, one place for each visit of a fixed one; the last is outside.

    Examples
    --------
    >>> places(("cpu", "disk"))
    (['cpu', 'disk'], [[(1, 1.0)], [(2, 1.0)], [(0, 1.0)]])
    """
    if isinstance(kept[0], str):
        size = len(kept)
        return list(kept), [[((i + 1) % (size + 1), 1.0)] for i in range(size + 1)]
    names = [node for node, _ in kept if node != "arrival"]
    numbers = {name: i for i, name in enumerate(names)} | {"exit": len(names)}
    rows = dict(kept)
    return names, [[(numbers[to], p) for to, p in rows[node]] for node in (*names, "arrival")]
