"""Mean value analysis of one class at single servers, as plain floats.

What `qmodel.solve` does for such a network, without the cost of building one: a fit asks many
thousand times. Tests hold the two to one another.

References
----------
.. [1] M. Reiser and S. S. Lavenberg, "Mean-value analysis of closed multichain queuing
   networks," Journal of the ACM 27(2), 1980, pp. 313-322.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def mean_values(
    populations: Iterable[int], think_time: float, delay: float, demands: Sequence[float]
) -> dict[int, tuple[float, float]]:
    """Throughput and response time at each population.

    Parameters
    ----------
    populations : iterable of int
        At least 1 each. [customers]
    think_time, delay : float
        Time that nobody queues for, outside and inside of the response time. [s]
    demands : sequence of float
        Of each single server. [s]

    Examples
    --------
    >>> found = mean_values([3, 40], 2.0, 0.0, [0.5])
    >>> [(round(x, 4), round(r, 4)) for x, r in found.values()]
    [(1.0986, 0.7308), (2.0, 18.0)]
    """
    wanted = set(populations)
    queues = [0.0] * len(demands)
    found = {}
    for n in range(1, max(wanted) + 1):
        residence = [d * (1.0 + q) for d, q in zip(demands, queues, strict=True)]
        inside = delay
        for r in residence:
            inside += r
        throughput = n / (think_time + inside)
        queues = [throughput * r for r in residence]
        if n in wanted:
            found[n] = throughput, inside
    return found
