"""What serves in order: drives and networks do, processors share."""

from dataclasses import replace

from calibration.hardware.hardware import station_kind
from qmodel import Network, QueueingStation, Solution


def in_order(solution: Solution) -> Solution:
    """The solution where drives and networks serve in order, as they do, instead of sharing.

    Their means stay what they are, and where classes take equal times are exactly those.

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
    return replace(solution, network=replace(network, stations=stations))
