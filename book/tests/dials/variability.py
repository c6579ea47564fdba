"""The library's answer to the dial `variability`."""

from __future__ import annotations

from typing import Any

from qmodel.single_station import MG1, GGm

#: Relative: percentiles are found by inversion of a transform, which has no last bit.
PRECISION = {"p95": 1e-6, "p99": 1e-6}


def values(state: dict[str, Any]) -> dict[str, float]:
    time = state["service"] / 1000
    rate = state["utilization"] / 100 / time
    station = MG1(rate, time, state["scv"])
    p95, p99 = GGm(rate, time, 1, scv=state["scv"]).percentiles((0.95, 0.99))
    return {"mean": station.residence_time, "wait": station.waiting_time, "p95": p95, "p99": p99}
