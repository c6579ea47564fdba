"""What serves in order: drives do, processors and networks share; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import replace

from calibration.hardware.hardware import station_kind
from qmodel import Network, QueueingStation, Solution

#: Exactly one visit would follow the last round (`qmodel.model.visit_routing`), as the network's;
#: an operation at a drive is one of a round. [1]
ANOTHER_ROUND = 1.0 + 1e-12
#: Time at drives, over that at the processor, which is a pause between two times at it. [1]
PAUSE = 0.05


def in_order(
    solution: Solution, operations: Sequence[Sequence[float]] = (), of: str = ""
) -> Solution:
    """The solution where drives serve in order, as they do, instead of sharing.

    Parameters
    ----------
    solution : Solution
        Of a network where they share.
    operations : array_like, optional
        Of an interaction of each class at each drive. Without, the class with least work at a
        drive asks for one.
    of : str, optional
        The class that is asked about. To it, another that comes back to the processor after pauses
        as short as nothing was there all the time.
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
    processor = kinds.index("cpu") if "cpu" in kinds else None
    for name, row, demand in zip(network.class_names, visits, network.demand, strict=True):
        if processor is not None and not operations:
            row[processor] = max(1.0, *(row[k] for k in drives))  # no round without it
        elif processor is not None:
            pauses = sum(demand[k] for k in drives) / (demand[processor] or 1.0)
            if not of or name == of or pauses > PAUSE:
                row[processor] *= 1.0 + sum(row[k] for k in drives)
    served = replace(network, stations=tuple(stations), visit_ratio=tuple(map(tuple, visits)))
    return replace(solution, network=served)
