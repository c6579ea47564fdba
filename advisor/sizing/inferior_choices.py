"""Which choices of parts are no better than others, whatever the rest of the server is.

A choice is no better than another one if none of its stations serves faster: not alone, not with
all servers busy, not the busiest few of them together. Demands that are lower so, or spread more
evenly with the same sum (weak majorization), never make a user of a closed network with one class
wait longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.sizing.candidates import Choice, Stations

_ROUNDING = 1e-12


def no_better(group: Sequence[Choice]) -> Any:
    """Array [i, j]: whether choice j is no better than choice i."""
    import numpy as np

    loads = np.stack([_loads(group, way) for way in range(len(group[0].stations))], axis=1)
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


def _loads(group: Sequence[Choice], way: int) -> Any:
    """For each choice: demand of the busiest stations together, alone and per server."""
    import numpy as np

    stations = [choice.stations[way] for choice in group]
    most = max(sum(count for count, _, _ in each) for each in stations)
    return np.stack([_partial_sums(each, most) for each in stations])


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
            found.append(np.cumsum(np.pad(np.array(each), (0, most - len(each)))))
    return np.concatenate(found)
