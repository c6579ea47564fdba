"""The exact Markov chain of one class at two stations with finite room, blocking after service.

The state says what can be seen: how many are at each station, and how many of its servers hold a
customer who is done and finds no room at the other.
"""

from __future__ import annotations

from math import inf

from tests.truth.ordered import _null_vector


def solve(population, demands, servers, rooms):
    """Throughput, and the mean number at each of the two stations, those who block included."""
    rooms = [inf if room is None else room for room in rooms]
    start = min(population, rooms[0])
    states = {(start, 0, population - start, 0): 0}
    todo = list(states)
    rows, columns, rates, flows = [], [], [], []
    while todo:
        state = todo.pop()
        i = states[state]
        for after, rate, is_first in _moves(state, demands, servers, rooms):
            if after not in states:
                states[after] = len(states)
                todo.append(after)
            rows += [states[after], i]
            columns += [i, i]
            rates += [rate, -rate]
            if is_first:
                flows.append((i, rate))
    p = _null_vector(len(states), rows, columns, rates)
    # Everyone who ends service at the first station goes on, sooner or later.
    throughput = sum(p[i] * rate for i, rate in flows)
    return throughput, [sum(p[i] * s[2 * k] for s, i in states.items()) for k in (0, 1)]


def _moves(state, demands, servers, rooms):
    here, stuck = [state[0], state[2]], [state[1], state[3]]
    for k in (0, 1):
        other = 1 - k
        serving = min(servers[k] - stuck[k], here[k] - stuck[k])
        if serving <= 0:
            continue
        n, b = list(here), list(stuck)
        if n[other] < rooms[other]:
            n[k] -= 1
            n[other] += 1
            # The place that is left is taken by one who was kept at the other station.
            if b[other]:
                b[other] -= 1
                n[other] -= 1
                n[k] += 1
        else:
            b[k] += 1
        yield (n[0], b[0], n[1], b[1]), serving / demands[k], k == 0
