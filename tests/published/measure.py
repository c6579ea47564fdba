"""The measure a printed number stands for, taken from any solution."""

from collections.abc import Sequence
from typing import Any

from tests.published.reader import Printed

Rows = Sequence[Sequence[Any]]


def measure(
    printed: Printed, throughput: Sequence[Any], residence_time: Rows, queue_length: Rows,
    utilization: Rows,
) -> Any:  # fmt: skip
    """The value of ``printed.what`` among measures in [class] and [class][station] order."""
    network = printed.network
    quantity, *where = printed.what.split(",")[0].split(" ", 1)
    names = where[0]
    c = next((i for i, n in enumerate(network.class_names) if names.split(" ")[0] == n), None)
    station = names if c is None or names in network.station_names else names.partition(" ")[2]
    k = network.station_names.index(station) if station in network.station_names else None
    match quantity, c, k:
        case "throughput", int(), None:
            return throughput[c]
        case "response_time", int(), None:
            return sum(residence_time[c])
        case "customers", int(), None:
            return sum(queue_length[c])
        case "queue_length", int(), int():
            return queue_length[c][k]
        case "utilization", int(), int():
            return utilization[c][k]
        case "residence_time", int(), int():
            return residence_time[c][k]
        case "time_per_visit", int(), int():
            return residence_time[c][k] / type(residence_time[c][k])(printed.visits[c][k])
        case "waiting_time", int(), int():
            number = type(residence_time[c][k])
            waiting = residence_time[c][k] - number(network.demand[c][k])
            return waiting / number(printed.visits[c][k])
        case "station_throughput", int(), int():
            return throughput[c] * type(throughput[c])(printed.visits[c][k])
        case "station_queue_length", None, int():
            return sum(row[k] for row in queue_length)
        case "station_utilization", None, int():
            return sum(row[k] for row in utilization)
    raise ValueError(f"no measure is called {printed.what!r}")
