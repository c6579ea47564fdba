"""The exact Markov chain of one class at two stations with finite room, blocking after service.

The state says what can be seen: how many are at each station, and how many of its servers hold a
customer who is done and finds no room at the other.
"""

from math import inf

from tests.truth.chain import explored, stationary


def solve(population, demands, servers, rooms):
    """Throughput, and the mean number at each of the two stations, those who block included."""
    rooms = [inf if room is None else room for room in rooms]
    start = min(population, rooms[0])
    first = (start, 0, population - start, 0)
    states, moves = explored([first], lambda state: _moves(state, demands, servers, rooms))
    p = stationary(len(states), moves)
    # Everyone who ends service at the first station goes on, sooner or later.
    throughput = sum(p[i] * rate for i, _, rate, is_first in moves if is_first)
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
