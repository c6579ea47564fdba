"""What serves in order: drives and networks do, processors share."""

from dataclasses import replace

from calibration.hardware.hardware import station_kind
from qmodel import Network, NotConverged, QueueingStation, Solution, Unstable, solve
from qmodel.errors import NotApplicable

#: A station less busy makes the same times in order and sharing. [1]
BUSY = 0.2


def in_order(solution: Solution) -> Solution:
    """The solution where drives and networks serve in order, as they do, instead of sharing.

    Where classes take equal times there, or few wait, means are the same; else it is solved anew,
    roughly.

    Examples
    --------
    >>> from qmodel import ClosedClass, solve
    >>> stations = [QueueingStation("cpu"), QueueingStation("disk")]
    >>> network = Network(stations, [ClosedClass("users", 3, 1.0)], [[0.2, 0.1]])
    >>> [station.discipline for station in in_order(solve(network)).network.stations]
    ['any', 'fcfs']
    """
    network: Network = solution.network
    if network.product_form_violation() is not None:
        return solution
    stations = tuple(
        replace(each, discipline="fcfs")
        if isinstance(each, QueueingStation)
        and each.discipline == "any"
        and station_kind(each.name) in {"disk", "lan"}
        else each
        for each in network.stations
    )
    served = replace(network, stations=stations)
    changed = [
        busy
        for old, new, busy in zip(
            network.stations, stations, solution.station_utilizations, strict=True
        )
        if old != new
    ]
    if served.product_form_violation() is None or max(changed) < BUSY:
        return replace(solution, network=served)
    try:
        return solve(served, method="extended-amva")
    except (NotApplicable, NotConverged, Unstable):
        return solution
