"""The exact continuous-time Markov chain of a small network.

Theory and sources: `tests/truth/THEORY.md`, markov.
"""

from collections.abc import Iterator

import qmodel as qm
from tests.truth.chain import explored, stationary
from tests.truth.measures import Measures, full_speed, speed

State = tuple[tuple[int, ...], ...]  # [class][place], the terminals being the last place


def solve(network: qm.Network, room: int = 40) -> Measures:
    """All measures of a network from the stationary distribution of its Markov chain."""
    routes = [_route(network, c) for c in range(len(network.classes))]
    states, moves = explored(
        [_first(network, routes)], lambda state: _moves(network, routes, state, room)
    )
    probability = stationary(len(states), moves)
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
    for i, _, rate, c, place in moves:
        if place == routes[c][0]:  # leaving the first place of the route: one per round
            throughput[c] += probability[i] * rate
    residence_time = [
        [q / x if x else None for q in row] for row, x in zip(queue_length, throughput, strict=True)
    ]
    return Measures(throughput, queue_length, utilization, residence_time)


def _route(network: qm.Network, c: int) -> list[int]:
    """Places visited in turn: stations with a demand, then the terminals or the outside."""
    customer_class = network.classes[c]
    stations = [k for k, demand in enumerate(network.demand[c]) if demand > 0]
    last = isinstance(customer_class, qm.OpenClass) or customer_class.think_time > 0
    return [*stations, len(network.stations)] if last else stations


def _first(network: qm.Network, routes: list[list[int]]) -> State:
    """All customers of closed classes at the first place of their route, and nobody else."""
    places = range(len(network.stations) + 1)
    return tuple(
        tuple(getattr(c, "population", 0) * (place == route[0]) for place in places)
        for c, route in zip(network.classes, routes, strict=True)
    )


def _moves(
    network: qm.Network, routes: list[list[int]], state: State, room: int
) -> Iterator[tuple[State, float, int, int]]:
    """The state after each move, its rate, and who left which place; outside nobody is counted."""
    outside = len(network.stations)
    is_open = [isinstance(c, qm.OpenClass) for c in network.classes]
    inside = sum(sum(row) for row, opened in zip(state, is_open, strict=True) if opened)
    for c, (customers, route) in enumerate(zip(network.classes, routes, strict=True)):
        for place, following in zip(route, [*route[1:], route[0]], strict=True):
            if place < outside:
                present = sum(row[place] for row in state)
                full = speed(network.stations[place])(present) if state[c][place] else 0.0
                rate = full and full * state[c][place] / (present * network.demand[c][place])
            elif is_open[c]:
                rate = customers.arrival_rate if inside < room or following == outside else 0.0
            else:
                rate = state[c][place] / customers.think_time
            if rate > 0:
                row = list(state[c])
                row[place] -= place < outside or not is_open[c]
                row[following] += following < outside or not is_open[c]
                yield (*state[:c], tuple(row), *state[c + 1 :]), rate, c, place
