"""How much of a covariance of sojourn times is left after the stations in between.

They smooth what is quick for them and let pass what is slow. The relaxation time of a station is
about

    t = S / m / (1 - u)^2,    S the mean service, m the servers, u the utilization,

that of a delay the standard deviation of its times. A covariance of relaxation time s is multiplied
by 1 / (1 + 0.36 t / s) for each of them. The 0.36 was chosen by simulations of 281 pairs of
stations in 139 networks (`sojourn_covariance`). Original.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from qmodel.matrix_analytic.mmap_ph_queue import MMAPQueue
from qmodel.solvers.decomposition.traffic_equations import Traffic

#: How much a station smooths what is as slow as itself.
SMOOTHS = 0.36


def left_of(slow: float, between: Iterable[float]) -> float:
    """The part that is left after stations that take so long to forget.

    Examples
    --------
    >>> left_of(1.0, [1.0, 1e-9]).__round__(4)  # 1 / 1.36
    0.7353
    """
    part = 1.0
    for time in between:
        part /= 1.0 + SMOOTHS * time / slow
    return part


def forgetting(traffic: Traffic, stations: Sequence[MMAPQueue | None], k: int) -> float:
    """About how long a station or a delay takes to forget. [s]"""
    station = stations[k]
    if station is None:
        flow = traffic.flow[:, k]
        whole = float(flow.sum())
        return sqrt(float(flow @ (traffic.scv[:, k] * traffic.time[:, k] ** 2)) / whole)
    whole = station.pooled.flow * station.pooled.mean / station.utilization  # servers
    return station.pooled.mean / whole / (1.0 - station.utilization) ** 2
