"""The exact continuous-time Markov chain of a small network.

A state says how many customers of each class are at each place; the places are the stations
and, for a closed class, its terminals. The customers at a station share its speed equally
(processor sharing), so a class with n_c of the n customers there is served at the rate
speed(n) n_c / (n D_c). Every customer visits the stations in order, once each: by the product
form only demands matter, and a fixed order is the simplest routing that has them.

Nothing here assumes a product form, the arrival theorem or Little's law for throughput and
utilization: both are measured in the chain, as flow and as busy share. Only the residence time
is Little's, queue length by throughput.

Open classes arrive only while fewer than ``room`` open customers are inside; the truncation
error is about the probability that so many are.
"""

from __future__ import annotations

from itertools import product

import numpy as np

import qmodel as qm
from tests.truth.chain import stationary as probabilities
from tests.truth.measures import Measures, full_speed, speed

State = tuple[tuple[int, ...], ...]  # [class][place], the terminals being the last place


def solve(network: qm.Network, room: int = 40) -> Measures:
    """All measures of a network from the stationary distribution of its Markov chain."""
    states, probability, flows = stationary(network, room)
    classes, stations = range(len(network.classes)), range(len(network.stations))
    throughput = [0.0 for _ in classes]
    queue_length = [[0.0 for _ in stations] for _ in classes]
    utilization = [[0.0 for _ in stations] for _ in classes]
    for state, p in zip(states, probability, strict=True):
        present = [sum(state[c][k] for c in classes) for k in stations]
        for c in classes:
            for k in stations:
                if state[c][k]:
                    queue_length[c][k] += p * state[c][k]
                    station = network.stations[k]
                    share = state[c][k] / present[k]
                    # Customers served at a class's zero demand are never there.
                    busy = speed(station)(present[k]) / full_speed(station)
                    utilization[c][k] += p * busy * share
    for (i, c, place), rate in flows.items():
        if place == _route(network, c)[0]:  # leaving the first place of the route: one per round
            throughput[c] += probability[i] * rate
    residence_time = [
        [q / x if x else None for q in row] for row, x in zip(queue_length, throughput, strict=True)
    ]
    return Measures(throughput, queue_length, utilization, residence_time)


def stationary(
    network: qm.Network, room: int
) -> tuple[list[State], np.ndarray, dict[tuple[int, int, int], float]]:
    """States, their probabilities, and the rate at which class c leaves a place in state i."""
    states = _states(network, room)
    index = {state: i for i, state in enumerate(states)}
    outside = len(network.stations)
    moves: list[tuple[int, int, float]] = []
    flows: dict[tuple[int, int, int], float] = {}
    for i, state in enumerate(states):
        for c, customer_class in enumerate(network.classes):
            route = _route(network, c)
            for place, following in zip(route, [*route[1:], route[0]], strict=True):
                rate = _rate(network, state, c, place)
                moved = list(state[c])
                if place < outside or isinstance(customer_class, qm.ClosedClass):
                    moved[place] -= 1
                if following < outside or isinstance(customer_class, qm.ClosedClass):
                    moved[following] += 1
                target = index.get((*state[:c], tuple(moved), *state[c + 1 :]))
                if rate > 0 and target is not None:
                    flows[i, c, place] = flows.get((i, c, place), 0.0) + rate
                    moves.append((i, target, rate))
    return states, probabilities(len(states), moves), flows


def _states(network: qm.Network, room: int) -> list[State]:
    """Every way to distribute the customers over the places of their routes."""
    places = len(network.stations) + 1
    per_class: list[list[tuple[int, ...]]] = []
    for c, customer_class in enumerate(network.classes):
        route = _route(network, c)
        ways = []
        if isinstance(customer_class, qm.ClosedClass):
            counts = _compositions(customer_class.population, len(route))
        else:  # the last part, at the place outside, is what is left of the room
            counts = [(*n[:-1], 0) for n in _compositions(room, len(route))]
        for way in counts:
            full = [0] * places
            for place, n in zip(route, way, strict=True):
                full[place] = n
            ways.append(tuple(full))
        per_class.append(ways)
    opened = [isinstance(c, qm.OpenClass) for c in network.classes]
    return [
        state
        for state in product(*per_class)
        if sum(sum(row) for row, is_open in zip(state, opened, strict=True) if is_open) <= room
    ]


def _route(network: qm.Network, c: int) -> list[int]:
    """Places visited in turn: stations with a demand, then the terminals or the outside."""
    customer_class = network.classes[c]
    stations = [k for k, demand in enumerate(network.demand[c]) if demand > 0]
    last = isinstance(customer_class, qm.OpenClass) or customer_class.think_time > 0
    return [*stations, len(network.stations)] if last else stations


def _rate(network: qm.Network, state: State, c: int, place: int) -> float:
    """Rate at which customers of class c leave a place."""
    if place == len(network.stations):
        customer_class = network.classes[c]
        if isinstance(customer_class, qm.OpenClass):
            return customer_class.arrival_rate
        return state[c][place] / customer_class.think_time
    present = sum(row[place] for row in state)
    if not state[c][place]:
        return 0.0
    station = network.stations[place]
    return speed(station)(present) * state[c][place] / (present * network.demand[c][place])


def _compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 1:
        return [(total,)]
    return [
        (first, *rest)
        for first in range(total + 1)
        for rest in _compositions(total - first, parts - 1)
    ]
