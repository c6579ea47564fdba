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

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, sqrt

#: Smallest weight that can still change a sum.
_NOTHING = 1e-40


@dataclass(frozen=True, slots=True)
class ServicesAhead:
    """The number of services that must end before a customer's own, on its arrival."""

    #: The smallest number that matters.
    first: int
    #: Of ``first``, ``first + 1`` ... services; they add up to 1. [1]
    probabilities: tuple[float, ...]

    @property
    def stop(self) -> int:
        """The number after the largest."""
        return self.first + len(self.probabilities)


def waiting_exceeds(ahead: ServicesAhead, events: float) -> float:
    """Probability that the wait exceeds a time. [1]

    The time is given by ``events``: times the rate of all servers together.

    Examples
    --------
    >>> round(waiting_exceeds(ServicesAhead(0, (0.5, 0.5)), events=1.0), 9)  # exp(-1) / 2
    0.183939721
    """
    if events > 2.0 * ahead.stop + 200.0:
        return 0.0  # below 1e-40
    first, weights = poisson(events)
    total = 0.0
    more = _at_least(ahead, first + 1, first + len(weights) + 1)
    for weight, share in zip(weights, more, strict=True):
        total += weight * share
    return total


def residence_exceeds(ahead: ServicesAhead, events: float, servers: int) -> float:
    """Probability that the wait and the service after it exceed a time. [1]

    ``events`` as for `waiting_exceeds`.

    Examples
    --------
    >>> round(residence_exceeds(ServicesAhead(0, (1.0,)), events=2.0, servers=2), 9)  # exp(-1)
    0.367879441
    """
    if events > 2.0 * (ahead.stop + 100.0 * servers):
        return 0.0  # below 1e-40
    first, weights = poisson(events)
    stop = first + len(weights)
    goes_on = 1.0 - 1.0 / servers
    served = 0.0  # in service after k events, at least one of them since it began
    for k in range(ahead.first, first):
        served = goes_on * (served + _entry(ahead, k))
    total = 0.0
    waits = _at_least(ahead, first, stop)
    for k, weight, share in zip(range(first, stop), weights, waits, strict=True):
        total += weight * (share + served)
        served = goes_on * (served + _entry(ahead, k))
    return total


def _at_least(ahead: ServicesAhead, start: int, stop: int) -> list[float]:
    """Probability that k services or more are in the way, k = start ... stop - 1."""
    above = 0.0
    for probability in reversed(ahead.probabilities[max(0, stop - ahead.first) :]):
        above += probability
    tails = []
    for k in range(stop - 1, start - 1, -1):
        above += _entry(ahead, k)
        tails.append(above)
    tails.reverse()
    return tails


def _entry(ahead: ServicesAhead, k: int) -> float:
    inside = ahead.first <= k < ahead.stop
    return ahead.probabilities[k - ahead.first] if inside else 0.0


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
