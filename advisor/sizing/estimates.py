"""Rough response times of many candidates, and which surely miss a target; see THEORY.md."""

from collections.abc import Sequence
from typing import Any

from advisor.sizing.candidates import Choice, Stations
from calibration.hardware.task import Load


def arrays(stations: Sequence[Stations]) -> Any:
    """Stations of each choice, [choice, row, station]: how many alike, servers each, and demands.

    A delay has 0 servers; choices with fewer kinds have some that are not there.
    """
    import numpy as np

    width = max(len(each) for each in stations)
    found = np.zeros((len(stations), 2 + len(stations[0][0][2]), width))
    found[:, 1] = 1.0
    for i, each in enumerate(stations):
        for k, (count, servers, demand) in enumerate(each):
            found[i, :, k] = (count, servers, *demand)
    return found


def estimated_times(found: Any, loads: Sequence[Load]) -> Any:
    """Approximate response time of each class of each candidate, infinite without steady state."""
    import numpy as np

    from qmodel.kernels import columns

    count, servers, demand = found[:, :1], found[:, 1:2], found[:, 2:]
    queued = np.where(servers > 0.0, demand / np.maximum(servers, 1.0), 0.0)
    delay = (count * (demand - queued)).sum(axis=2)
    rates = [load.arrival_rate for load in loads]
    if any(rate is not None for rate in rates):
        arrivals = np.array([rate or 0.0 for rate in rates])[None, :, None]
        busy = (arrivals * queued).sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            residence = np.where(busy < 1.0, queued / (1.0 - busy), np.inf)
        return delay + np.where(count > 0.0, count * residence, 0.0).sum(axis=2)
    return columns.bard_schweitzer(
        [load.population for load in loads], [load.think_time for load in loads], delay, queued,
        count[:, 0],
    )  # fmt: skip


def certainly_missed(
    found: Any, loads: Sequence[Load], target: float, utilization: float = 1.0
) -> Any:
    """Which candidates cannot meet a response time and a utilization, whatever the queues are."""
    import numpy as np

    count, servers, demand = found[:, :1], found[:, 1], found[:, 2:]
    least = (count * demand).sum(axis=2)
    rates = [
        load.population / (target + load.think_time)
        if load.arrival_rate is None
        else load.arrival_rate
        for load in loads
    ]
    busy = (np.array(rates)[None, :, None] * demand).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        busy = np.where(servers > 0.0, busy / servers, 0.0)
    slack = 1.0 + 1e-9  # what rounding may add
    return (least > target * slack).any(axis=1) | (busy > utilization * slack).any(axis=1)


def least_times(found: Any, load: Load) -> Any:
    """Response times that users of one class alone cannot fall below. [s]

    Those, exactly, of two servers that are faster: one with a single station as fast as all
    servers of a station together, and one with as many servers as users.
    """
    import numpy as np

    from qmodel.kernels import columns

    count, servers, demand = found[:, 0], found[:, 1], found[:, 2]
    best = np.zeros(len(demand))
    for speed, alone in ((np.maximum(servers, 1.0), servers == 0.0), (1.0, servers != 1.0)):
        away = load.think_time + (count * np.where(alone, demand, 0.0)).sum(axis=1)
        throughput, _ = columns.mean_values(
            np.full(len(demand), load.population), np.maximum(away, 1e-300),
            np.where(alone, 0.0, demand / speed).T, count=count.T,
        )  # fmt: skip
        best = np.maximum(best, load.population / throughput - load.think_time)
    return best


_ROUNDING = 1e-12


def no_better(group: Sequence[Choice]) -> Any:
    """Array [i, j]: whether choice j is no better than choice i."""
    import numpy as np

    by_way = []  # for each choice: demand of the busiest stations together, alone and per server
    for ways in zip(*(choice.stations for choice in group), strict=True):
        most = max(sum(count for count, _, _ in each) for each in ways)
        by_way.append(np.stack([_partial_sums(each, most) for each in ways]))
    loads = np.stack(by_way, axis=1)
    slack = loads * (1.0 + _ROUNDING)
    return np.stack([(slack >= row).all(axis=(1, 2)) for row in loads])


def worth_it(group: Sequence[Choice]) -> tuple[Choice, ...]:
    """The choices for which no other one is as cheap and no worse, cheapest first."""
    ordered = sorted(group, key=lambda choice: choice.cost)
    worse = no_better(ordered)
    kept: list[int] = []
    for j in range(len(ordered)):
        if not any(worse[i][j] for i in kept):
            kept.append(j)
    # Of equal cost, a later one may be better than one kept before it.
    final = [
        j
        for j in kept
        if not any(
            ordered[i].cost == ordered[j].cost and worse[i][j] and i != j and not worse[j][i]
            for i in kept
        )
    ]
    return tuple(ordered[j] for j in final)


def _partial_sums(stations: Stations, most: int) -> Any:
    import numpy as np

    classes = len(stations[0][2])
    found = []
    for c in range(classes):
        for per_server in (False, True):
            each = sorted(
                (
                    column[c] / (servers if per_server else 1.0)
                    for count, servers, column in stations
                    for _ in range(count)
                ),
                reverse=True,
            )
            found.append(np.cumsum(each + [0.0] * (most - len(each))))
    return np.concatenate(found)
