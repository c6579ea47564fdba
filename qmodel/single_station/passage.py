"""Time until served at several exponential servers, first come first served, by what one finds.

While all m servers are busy, services end at m times the rate of one. Counting events at that
rate all along (uniformization), a customer who finds j services to end before his own may begin
waits for j events; then each event is, with probability 1/m, the end of his own service. All
terms are positive, so nothing cancels.

References
----------
.. [1] A. Jensen, "Markoff chains as an aid in the study of Markoff processes," Skandinavisk
   Aktuarietidskrift 36, 1953, pp. 87-91.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, sqrt

#: Smallest weight that can still change a sum.
_NOTHING = 1e-40


def waiting_exceeds(before: Sequence[float], events: float) -> float:
    """Probability that the wait exceeds a time. [1]

    Parameters
    ----------
    before : sequence of float
        Probability that j = 0, 1, 2 ... services must end before one's own begins.
    events : float
        The time, times the rate of all servers together. [events]

    Examples
    --------
    >>> round(waiting_exceeds([0.5, 0.5], events=1.0), 9)  # exp(-1) / 2
    0.183939721
    """
    first, weights = poisson(events)
    later = 0.0  # probability that more than k services are in the way
    for probability in reversed(before[first + len(weights) :]):
        later += probability
    total = 0.0
    for k in range(first + len(weights) - 1, first - 1, -1):
        total += weights[k - first] * later
        later += before[k] if k < len(before) else 0.0
    return total


def residence_exceeds(before: Sequence[float], events: float, servers: int) -> float:
    """Probability that the wait and the service after it exceed a time. [1]

    Parameters
    ----------
    before, events
        As for `waiting_exceeds`.
    servers : int
        Number of servers.

    Examples
    --------
    >>> round(residence_exceeds([1.0], events=2.0, servers=2), 9)  # exp(-1)
    0.367879441
    """
    first, weights = poisson(events)
    goes_on = 1.0 - 1.0 / servers
    last = first + len(weights)
    later = 0.0  # services still in the way after k events
    for probability in reversed(before[last:]):
        later += probability
    waits = [0.0] * len(weights)
    for k in range(last - 1, first - 1, -1):
        waits[k - first] = later = later + (before[k] if k < len(before) else 0.0)
    total = served = 0.0  # served: in service after k events, with one event behind at least
    for k in range(last):
        if k >= first:
            total += weights[k - first] * (waits[k - first] + served)
        served = goes_on * (served + (before[k] if k < len(before) else 0.0))
    return total


def poisson(mean: float) -> tuple[int, list[float]]:
    """Probabilities of a Poisson distribution, from the first that matters to the last.

    Scaled to add up to 1 from the highest outwards, which keeps digits that exponentials and
    factorials of large numbers lose.

    Examples
    --------
    >>> first, weights = poisson(0.0)
    >>> first, weights
    (0, [1.0])
    """
    highest = floor(mean)
    below, weight = [], 1.0
    for k in range(highest, 0, -1):
        weight *= k / mean
        if weight < _NOTHING:
            break
        below.append(weight)
    above, weight = [1.0], 1.0
    for k in range(highest + 1, highest + 60 + ceil(20.0 * sqrt(mean + 60.0))):
        weight *= mean / k
        if weight < _NOTHING:
            break
        above.append(weight)
    total = 0.0
    for weight in reversed(below):
        total += weight
    for weight in reversed(above):
        total += weight
    weights = [w / total for w in (*reversed(below), *above)]
    return highest - len(below), weights
