"""Times at several exponential servers, first come first served, by the services ahead.

While all m servers are busy, services end at m times the rate of one. Counting events at that
rate all along (uniformization), a customer with j services ahead waits for j events; then
each event is, with probability 1/m, the end of its own service. All
terms are positive, so nothing cancels.

References
----------
.. [1] A. Jensen, "Markoff chains as an aid in the study of Markoff processes," Skandinavisk
   Aktuarietidskrift 36, 1953, pp. 87-91.
"""

from collections.abc import Sequence
from math import ceil, floor, sqrt

#: Smallest weight that can still change a sum.
_NOTHING = 1e-40


def waiting_exceeds(ahead: Sequence[float], events: float) -> float:
    """Probability that the wait exceeds a time. [1]

    ``ahead`` are the probabilities of 0, 1 ... services that must end before a customer's own. The
    time is given by ``events``: times the rate of all servers together.

    Examples
    --------
    >>> round(waiting_exceeds([0.5, 0.5], events=1.0), 9)  # exp(-1) / 2
    0.183939721
    """
    if events > 2.0 * len(ahead) + 200.0:
        return 0.0  # below 1e-40
    first, weights = poisson(events)
    total = 0.0
    more = _at_least(ahead, first + 1, first + len(weights) + 1)
    for weight, share in zip(weights, more, strict=True):
        total += weight * share
    return total


def residence_exceeds(ahead: Sequence[float], events: float, servers: int) -> float:
    """Probability that the wait and the service after it exceed a time. [1]

    Arguments as for `waiting_exceeds`.

    Examples
    --------
    >>> round(residence_exceeds([1.0], events=2.0, servers=2), 9)  # exp(-1)
    0.367879441
    """
    if events > 2.0 * (len(ahead) + 100.0 * servers):
        return 0.0  # below 1e-40
    first, weights = poisson(events)
    stop = first + len(weights)
    goes_on = 1.0 - 1.0 / servers
    served = 0.0  # in service after k events, at least one of them since it began
    for k in range(first):
        served = goes_on * (served + (ahead[k] if k < len(ahead) else 0.0))
    total = 0.0
    waits = _at_least(ahead, first, stop)
    for k, weight, share in zip(range(first, stop), weights, waits, strict=True):
        total += weight * (share + served)
        served = goes_on * (served + (ahead[k] if k < len(ahead) else 0.0))
    return total


def _at_least(ahead: Sequence[float], start: int, stop: int) -> list[float]:
    """Probability that k services or more are in the way, k = start ... stop - 1."""
    above = 0.0
    for probability in reversed(ahead[stop:]):
        above += probability
    tails = []
    for k in range(stop - 1, start - 1, -1):
        above += ahead[k] if k < len(ahead) else 0.0
        tails.append(above)
    tails.reverse()
    return tails


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
