"""The library's answer to the dial `faster_processor`."""

from __future__ import annotations

from typing import Any

import qmodel as qm


def values(state: dict[str, Any]) -> dict[str, float]:
    users = int(state["users"])
    busy, time = {}, {}
    for name, unseen, client in (("quiet", [], 1035.0), ("queue", [69.2], 898.0)):
        demand = [66.1 / state["speed"], 1.6, 1.6, 1.6, 1.6, 13.1, *unseen]
        stations = [qm.QueueingStation(f"station {k}") for k in range(len(demand))]
        workstations = qm.ClosedClass("workstations", users, client)
        solution = qm.solve(qm.Network(stations, [workstations], [demand]), "mva")
        time[name] = users / solution.throughputs[0]
        busy[name] = solution.utilizations[0][0]
    return {
        "quiet": time["quiet"],
        "queue": time["queue"],
        "busy_quiet": busy["quiet"],
        "busy_queue": busy["queue"],
    }
