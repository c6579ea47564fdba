"""Parts of stations: random numbers, linked lists, shared and preemptive servers; see THEORY.md."""

from math import inf
from typing import Any

from qmodel.simulation.compiled import compiled, least
from qmodel.simulation.state import BLOCK, LOW, REFILL, Floats, Ints


@compiled
def draw(numbers: Floats, used: Ints, counts: Ints, row: int) -> float:
    """The next random number of a row."""
    at = used[row]
    used[row] = at + 1
    if at >= counts[LOW]:
        counts[REFILL] |= 1
    return numbers[row * counts[BLOCK] + at]


@compiled
def append(head: Ints, tail: Ints, link: Ints, q: int, i: int) -> None:
    """Put customer ``i`` at the end of a queue."""
    link[i] = -1
    last = tail[q]
    if last < 0:
        head[q] = i
    else:
        link[last] = i
    tail[q] = i


@compiled
def take(head: Ints, tail: Ints, link: Ints, first: int, last: int) -> int:
    """Take the first customer of the first queue that has one, -1 if none has."""
    for q in range(first, last):
        i = head[q]
        if i >= 0:
            following = link[i]
            head[q] = following
            if following < 0:
                tail[q] = -1
            return i
    return -1


@compiled
def take_nth(head: Ints, tail: Ints, link: Ints, q: int, n: int) -> int:
    """Take the customer behind ``n`` others of a queue, -1 if it is empty."""
    i, before = head[q], -1
    if i < 0:
        return -1
    for _ in range(n):
        before, i = i, link[i]
    if before < 0:
        head[q] = link[i]
    else:
        link[before] = link[i]
    if tail[q] == i:
        tail[q] = before
    return i


@compiled
def tally(present: Ints, since: Floats, area: Floats, ck: int, now: float, change: int) -> None:
    """Count one customer more or less of a class at a station."""
    n = present[ck]
    area[ck] += n * (now - since[ck])
    since[ck] = now
    present[ck] = n + change


@compiled
def rate(speed: Floats, first: int, beyond: int, n: int) -> float:
    """Relative rate of a shared station with ``n`` customers in service."""
    last = min(first + n, beyond) - 1
    return speed[last] if last >= first else 0.0


@compiled
def settle(virtual: Floats, changed: Floats, k: int, n: int, now: float, r: float) -> None:
    """Bring the service that each of ``n`` customers has got up to date."""
    if n:
        virtual[k] += (now - changed[k]) * r / n
    else:
        virtual[k] = 0.0
    changed[k] = now


@compiled
def plan(heaps: Any, h: int, virtual: float, now: float, n: int, r: float) -> float:
    """When the next service at a shared station ends."""
    if r > 0.0:
        return now + max(0.0, (least(heaps, h) - virtual) * n / r)
    return inf


@compiled
def first_end(slot: Ints, ends: Floats, first: int, beyond: int) -> int:
    """The server whose customer is the next to be served at a preemptive station, -1 if none is."""
    best, least_end = -1, inf
    for x in range(first, beyond):
        if slot[x] >= 0 and ends[slot[x]] < least_end:
            best, least_end = x, ends[slot[x]]
    return best


@compiled
def server_for(slot: Ints, level: Ints, order: Ints, first: int, beyond: int, mine: int) -> int:
    """A free server of a preemptive station or the one to interrupt, -1 if there is none.

    It is that of the last to come of the lowest rank (``level``), if that is lower than mine.
    """
    chosen, lowest, latest = -1, mine, 0
    for x in range(first, beyond):
        other = slot[x]
        if other < 0:
            return x
        theirs = level[other]
        if theirs > lowest or (theirs == lowest and theirs > mine and order[other] > latest):
            chosen, lowest, latest = x, theirs, order[other]
    return chosen
