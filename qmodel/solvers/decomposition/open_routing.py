"""How open classes pass the stations, and what waits at each visit make of a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qmodel.errors import InvalidInput
from qmodel.model.customer_classes import OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.visit_routing import ImpliedRouting


def class_transitions(
    network: Network, c: int, routing: Mapping[str, Mapping[Any, Mapping[Any, float]]] | None
) -> tuple[Any, Any]:
    """Mean numbers of ways in to each station, and from station to station, of one customer."""
    import numpy as np

    visits = [network.visits_at(c, k) for k in range(len(network.stations))]
    if routing is None:
        usual = ImpliedRouting.of(visits).transitions()
        return np.array(usual[0]), np.array(usual[1])
    from qmodel.model.routing import open_visit_ratios

    name = network.class_names[c]
    if name not in routing:
        raise InvalidInput(f"no routing for class {name!r}")
    known = open_visit_ratios(routing[name])
    places = {station: k for k, station in enumerate(network.station_names)}
    for node, ratio in known.items():
        if node not in places or abs(ratio - visits[places[node]]) > 1e-9 * max(1.0, ratio):
            raise InvalidInput(
                f"routing of class {name!r} visits {node!r} {ratio:.9g} times, the network "
                f"{visits[places[node]] if node in places else 0.0:.9g} times"
            )
    entry, ways = np.zeros(len(places)), np.zeros((len(places), len(places)))
    for node, row in routing[name].items():
        for target, chance in row.items():
            if node == "arrival":
                entry[places[target]] += chance
            elif target != "exit":
                ways[places[node], places[target]] += known[node] * chance
    return entry, ways


def open_solution(network: Network, method: str, waits: Sequence[Sequence[float]]) -> Solution:
    """The solution in which a visit of class c to station k waits `waits[k][c]`. [s]"""
    residence = tuple(
        tuple(
            demand + network.visits_at(c, k) * waits[k][c] if demand else 0.0
            for k, demand in enumerate(row)
        )
        for c, row in enumerate(network.demand)
    )
    throughputs = tuple(c.arrival_rate for c in network.classes if isinstance(c, OpenClass))
    return Solution(network, method, throughputs, residence)
