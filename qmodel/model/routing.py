"""Routing probabilities into visit ratios: closed, open, with class switching; see THEORY.md."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import networkx as nx
import numpy as np

from qmodel.errors import InvalidNetwork
from qmodel.model.validation import finite

#: Where the customers of an open routing come from: its row says where they go first.
ARRIVAL = "arrival"
#: Where they go last; it has no row.
EXIT = "exit"
#: How far from 1 the probabilities of a row may add up.
ROUNDING = 1e-9


def routing_graph(routing: Any) -> nx.DiGraph[Hashable]:
    """The routing as a networkx graph, checked: every row adds up to 1.

    Parameters
    ----------
    routing : mapping of node to (mapping of node to float), or networkx.DiGraph
        Where customers go from each node, with which probability. In a graph it is the
        attribute ``probability`` of an edge. Edges of probability 0 are left out.

    Returns
    -------
    networkx.DiGraph
        Nodes in the order in which they are met; edges with ``probability``.

    Raises
    ------
    InvalidNetwork
        Naming the node whose probabilities are out of range, missing, or do not add up to 1.

    Examples
    --------
    >>> from qmodel.model.routing import routing_graph
    >>> graph = routing_graph({"cpu": {"disk": 0.7, "cpu": 0.3}, "disk": {"cpu": 1}})
    >>> graph.edges["cpu", "disk"]["probability"]
    0.7
    """
    if isinstance(routing, nx.Graph):
        routing = {
            node: {target: edge.get("probability") for target, edge in routing.adj[node].items()}
            for node in routing
            if node != EXIT or routing.adj[node]
        }
    graph: nx.DiGraph[Hashable] = nx.DiGraph()
    for source, row in _rows(routing):
        graph.add_node(source)
        total = 0.0
        for target, value in row:
            what = f"probability of {_named(target)} after {_named(source)}"
            probability = finite(value, what)
            if not 0.0 <= probability <= 1.0 + ROUNDING:
                raise InvalidNetwork(f"{what} is {probability:g}, expected 0 to 1")
            total += probability
            if probability > 0.0:
                graph.add_edge(source, target, probability=probability)
        if abs(total - 1.0) > ROUNDING:
            raise InvalidNetwork(
                f"routing probabilities of {_named(source)} add up to {total:.12g}, expected 1"
            )
    for node in graph:
        if node != EXIT and not graph.adj[node]:
            raise InvalidNetwork(f"{_named(node)} has no row of routing probabilities; give one")
    return graph


def visit_ratios(routing: Any, reference: Hashable) -> dict[Hashable, float]:
    """Visits to each node of a closed routing for one visit to the reference. [1]

    Parameters
    ----------
    routing
        As for `routing_graph`.
    reference : node or station name
        The node whose visits are counted as 1; with class switching also a station, whose
        visits by customers of all classes are together 1.

    Raises
    ------
    InvalidNetwork
        Naming the nodes that cannot be reached from the reference, or from which customers never
        come back to it, or what is wrong with a row.

    Examples
    --------
    >>> from qmodel.model.routing import visit_ratios
    >>> visit_ratios(
    ...     {
    ...         "terminals": {"cpu": 1},
    ...         "cpu": {"disk": 0.75, "terminals": 0.25},
    ...         "disk": {"cpu": 1},
    ...     },
    ...     reference="terminals",
    ... )
    {'terminals': 1.0, 'cpu': 4.0, 'disk': 3.0}
    """
    graph = routing_graph(routing)
    counted = [node for node in graph if node == reference or _station(node) == reference]
    if not counted:
        raise InvalidNetwork(f"reference {_named(reference)} is not in the routing; give it a row")
    _check_reached(graph, counted[0])
    _check_leaves(graph, counted[0], f"come back to {_named(counted[0])}")
    visits = _visits(graph, counted[0])
    unit = 0.0
    for node in counted:
        unit += visits[node]
    return {node: visits[node] / unit for node in graph}


def open_visit_ratios(routing: Any) -> dict[Hashable, float]:
    """Visits to each node of an open routing for one arrival from outside. [1]

    Parameters
    ----------
    routing
        As for `routing_graph`. The row of ``"arrival"`` says where customers go first, with
        probabilities that add up to 1; they leave by going to ``"exit"``.

    Raises
    ------
    InvalidNetwork
        Naming the nodes that no customer reaches, or that none leaves, or what is wrong with
        a row.

    Examples
    --------
    >>> from qmodel.model.routing import open_visit_ratios
    >>> open_visit_ratios(
    ...     {
    ...         "arrival": {"cpu": 1},
    ...         "cpu": {"disk": 0.75, "exit": 0.25},
    ...         "disk": {"cpu": 1},
    ...     }
    ... )
    {'cpu': 4.0, 'disk': 3.0}
    """
    graph = routing_graph(routing)
    for node, use in ((ARRIVAL, "where customers go first"), (EXIT, "how they leave")):
        if node not in graph:
            raise InvalidNetwork(f"an open routing needs {node!r}, {use}")
    for node, edges in ((ARRIVAL, graph.pred[ARRIVAL]), (EXIT, graph.adj[EXIT])):
        if edges:
            raise InvalidNetwork(
                f"{_named(next(iter(edges)))} and {node!r} are the wrong way round; swap them"
            )
    _check_reached(graph, ARRIVAL)
    _check_leaves(graph, EXIT, f"reach {EXIT!r}")
    # Who has left is the next to arrive: one round of a closed routing.
    graph.add_edge(EXIT, ARRIVAL, probability=1.0)
    visits = _visits(graph, ARRIVAL)
    return {node: v for node, v in visits.items() if node not in (ARRIVAL, EXIT)}


def chains(routing: Any) -> tuple[dict[Hashable, dict[Hashable, float]], ...]:
    """The parts of a routing with class switching that no customer goes between.

    Each is a routing of its own and, in a network, one class: its demand at a station is that of
    all its classes there together, D = sum of V S over them.

    Examples
    --------
    >>> from qmodel.model.routing import chains
    >>> found = chains({
    ...     ("read", "cpu"): {("read", "disk"): 1}, ("read", "disk"): {("write", "cpu"): 1},
    ...     ("write", "cpu"): {("read", "cpu"): 1}, ("log", "cpu"): {("log", "cpu"): 1},
    ... })
    >>> [list(chain) for chain in found]
    [[('read', 'cpu'), ('read', 'disk'), ('write', 'cpu')], [('log', 'cpu')]]
    """
    graph = routing_graph(routing)
    parts = [set(part) for part in nx.weakly_connected_components(graph)]
    return tuple(
        {
            node: {target: edge["probability"] for target, edge in graph.adj[node].items()}
            for node in graph
            if node in part and graph.adj[node]
        }
        for part in parts
    )


def _rows(routing: Any) -> Iterable[tuple[Hashable, Iterable[tuple[Hashable, Any]]]]:
    if not isinstance(routing, Mapping):
        raise InvalidNetwork(f"routing is {routing!r}, expected a mapping of nodes or a graph")
    if not routing:
        raise InvalidNetwork("a routing needs at least one node")
    for source, row in routing.items():
        if not isinstance(row, Mapping):
            raise InvalidNetwork(
                f"routing of {_named(source)} is {row!r}, expected a mapping of nodes"
            )
        yield source, row.items()


def _check_reached(graph: nx.DiGraph[Hashable], start: Hashable) -> None:
    lost = set(graph) - nx.descendants(graph, start) - {start}
    if lost:
        raise InvalidNetwork(
            f"{_listed(graph, lost)} cannot be reached from {_named(start)}; "
            "parts without a route between them are solved one by one, see chains()"
        )


def _check_leaves(graph: nx.DiGraph[Hashable], end: Hashable, what: str) -> None:
    stuck = set(graph) - nx.ancestors(graph, end) - {end}
    if not stuck:
        return
    # Of all that lead astray, name those that customers end up in.
    trap = next(
        part
        for part in nx.strongly_connected_components(graph)
        if part <= stuck and all(target in part for node in part for target in graph.adj[node])
    )
    raise InvalidNetwork(f"{_listed(graph, trap)} absorbs: customers who get there never {what}")


def _visits(graph: nx.DiGraph[Hashable], reference: Hashable) -> dict[Hashable, float]:
    """Stationary visits, one to the reference, by the elimination of [1]."""
    nodes = [reference, *(node for node in graph if node != reference)]
    place = {node: i for i, node in enumerate(nodes)}
    matrix = np.zeros((len(nodes), len(nodes)))
    for source, target in graph.edges:
        matrix[place[source], place[target]] = graph.edges[source, target]["probability"]
    visits = np.ones(len(nodes))
    with np.errstate(all="ignore"):
        for n in range(len(nodes) - 1, 0, -1):
            matrix[:n, n] /= matrix[n, :n].sum()
            matrix[:n, :n] += np.outer(matrix[:n, n], matrix[n, :n])
        for n in range(1, len(nodes)):
            visits[n] = visits[:n] @ matrix[:n, n]
    for node, v in zip(nodes, visits, strict=True):
        if not np.isfinite(v):
            raise InvalidNetwork(f"visits to {_named(node)} are beyond the range of numbers")
    by_node = {node: float(v) for node, v in zip(nodes, visits, strict=True)}
    return {node: by_node[node] for node in graph}


def _station(node: Hashable) -> Hashable:
    return node[1] if isinstance(node, tuple) and len(node) == 2 else node


def _named(node: Hashable) -> str:
    if isinstance(node, tuple) and len(node) == 2:
        return f"class {node[0]!r} at station {node[1]!r}"
    return f"station {node!r}" if node not in (ARRIVAL, EXIT) else repr(node)


def _listed(graph: nx.DiGraph[Hashable], nodes: set[Hashable]) -> str:
    return ", ".join(_named(node) for node in graph if node in nodes)
