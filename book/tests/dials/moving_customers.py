"""The library's answer to the dial `moving_customers`."""

from __future__ import annotations

from typing import Any

import qmodel as qm


def values(state: dict[str, Any]) -> dict[str, float]:
    users = qm.ClosedClass("users", int(state["users"]), 5.0)
    stations = [qm.QueueingStation("cpu"), qm.QueueingStation("disk")]
    solution = qm.solve(qm.Network(stations, [users], [[0.080, 0.050]]), "mva")
    return {"throughput": solution.throughputs[0], "response_time": solution.response_times[0]}
