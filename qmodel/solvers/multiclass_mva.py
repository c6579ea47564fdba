"""Exact mean value analysis of several closed classes: single-server and delay stations.

References
----------
.. [1] M. Reiser and S. S. Lavenberg, "Mean-value analysis of closed multichain queuing
   networks," Journal of the ACM 27(2), 1980, pp. 313-322.
"""

from __future__ import annotations

from itertools import product
from math import prod

from qmodel.customer_classes import ClosedClass
from qmodel.network import Network
from qmodel.solution import Solution
from qmodel.solvers.method import Method
from qmodel.stations import DelayStation, QueueingStation

#: Population vectors beyond this many are left to other methods.
LATTICE_LIMIT = 1_000_000


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    for customer_class in network.classes:
        if not isinstance(customer_class, ClosedClass):
            return f"class {customer_class.name!r} is open"
    for station in network.stations:
        if not isinstance(station, DelayStation) and station != QueueingStation(station.name):
            return f"station {station.name!r} is not a single server"
    size = prod(c.population + 1 for c in network.classes if isinstance(c, ClosedClass))
    if size > LATTICE_LIMIT:
        return f"{size:.3g} population vectors, it takes {LATTICE_LIMIT:.3g}"
    return None


def solve(network: Network) -> Solution:
    """Exact throughput and residence times over the lattice of populations."""
    population = [c.population for c in network.classes if isinstance(c, ClosedClass)]
    think_time = network.think_time
    queued = [0.0 if isinstance(s, DelayStation) else 1.0 for s in network.stations]
    total_queue = {(0,) * len(population): [0.0] * len(queued)}
    throughput = [0.0] * len(population)
    residence: list[list[float]] = [[0.0] * len(queued) for _ in population]
    for n in product(*(range(size + 1) for size in population)):
        queue = [0.0] * len(queued)
        for c, count in enumerate(n):
            throughput[c], residence[c] = 0.0, [0.0] * len(queued)
            if count:
                seen = total_queue[(*n[:c], count - 1, *n[c + 1 :])]
                residence[c] = [
                    d * (1.0 + s * q)
                    for d, s, q in zip(network.demand[c], queued, seen, strict=True)
                ]
                throughput[c] = count / (think_time[c] + sum(residence[c]))
                queue = [q + throughput[c] * r for q, r in zip(queue, residence[c], strict=True)]
        total_queue[n] = queue
    return Solution(network, "multiclass_mva", tuple(throughput), tuple(map(tuple, residence)))


METHOD = Method("multiclass_mva", True, solve, why_not)
