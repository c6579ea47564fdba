"""What serves in order: drives do, processors and networks share; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import replace

from calibration.hardware.hardware import station_kind
from qmodel import Network, QueueingStation, Solution

#: Exactly one visit would follow the last round (`qmodel.model.visit_routing`), as the network's;
#: an operation at a drive is one of a round. [1]
ANOTHER_ROUND = 1.0 + 1e-12


def in_order(solution: Solution, operations: Sequence[Sequence[float]] = ()) -> Solution:
    """The solution where drives serve in order, as they do, instead of sharing.

    Parameters
    ----------
    solution : Solution
        Of a network where they share.
    operations : array_like, optional
        Of an interaction of each class at each drive. Without, the class with least work at a
        drive asks for one.
    """
    network: Network = solution.network
    kinds = [station_kind(each.name) for each in network.stations]
    drives = [k for k, kind in enumerate(kinds) if kind == "disk"]
    if replace(network, limits=()).product_form_violation() is not None or not drives:
        return solution
    stations = list(network.stations)
    visits = [[1.0 if d > 0.0 else 0.0 for d in row] for row in network.demand]
    for number, k in enumerate(drives):
        if isinstance(one := stations[k], QueueingStation) and one.discipline == "any":
            stations[k] = replace(one, discipline="fcfs")
        work = [row[k] for row in network.demand]
        time = min((each for each in work if each > 0.0), default=0.0)
        if operations:
            rates = solution.throughputs
            done = sum(x * d for x, d in zip(rates, work, strict=True))
            asked = sum(x * row[number] for x, row in zip(rates, operations, strict=True))
            time = done / (asked * ANOTHER_ROUND) if done else 0.0
        for c, each in enumerate(work):
            visits[c][k] = each / time if time else 0.0
    for row in visits if operations and "cpu" in kinds else ():
        row[kinds.index("cpu")] *= 1.0 + sum(row[k] for k in drives)
    served = replace(network, stations=tuple(stations), visit_ratio=tuple(map(tuple, visits)))
    return replace(solution, network=served)
