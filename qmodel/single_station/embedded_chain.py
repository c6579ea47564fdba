"""The distribution of the number of customers in M/G/1, from the chain embedded at departures.

The chain goes from at most j customers to more as often as back. With a(i) the probability of i
arrivals during a service and T(i) that of more than i,

    p(j + 1) a(0) = p(0) T(j) + p(1) T(j) + p(2) T(j - 1) + ... + p(j) T(1),

which has no negative term and so no cancellation.

References
----------
.. [1] H. C. Tijms, "A First Course in Stochastic Models," Wiley, 2003, ch. 9.2: the stable
   recursion for the M/G/1 queue.
"""

from __future__ import annotations

from collections.abc import Sequence

#: Probabilities below this are left out: about the smallest float.
NOTHING = 1e-300


def number_distribution(
    spare: float, none: float, tails: Sequence[float], last: int
) -> list[float]:
    """Probabilities of 0, 1 ... ``last`` customers at the station. [1]

    ``spare`` is the probability that the station is empty, one minus the utilization, ``none`` that
    of no arrival during a service, a(0); ``tails`` are T(0), T(1) ..., as far as they matter.

    Examples
    --------
    >>> tails = [(1 / 3) ** (i + 1) for i in range(60)]  # exponential service, half utilized
    >>> [round(p, 12) for p in number_distribution(0.5, 2 / 3, tails, last=3)]
    [0.5, 0.25, 0.125, 0.0625]
    """
    probability = [spare]
    for j in range(last):
        flow = spare * tails[j] if j < len(tails) else 0.0
        for k in range(max(1, j + 2 - len(tails)), j + 1):
            flow += probability[k] * tails[j - k + 1]
        probability.append(flow / none)
    return probability
