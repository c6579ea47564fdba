"""The library's answer to the dial `faster_processor`."""

from __future__ import annotations

from typing import Any

import qmodel as qm
from calibration.agreements.published import published
from calibration.printed_tables.run import REPLICATE_NOISE
from calibration.systems.domino85.runs import deviation


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


def measured(_: dict[str, Any]) -> list[tuple[float, float, float]]:
    """The runs with ten and twenty workstations: their times and two standard deviations."""
    found = []
    for users, table, row in (
        (10.0, "table_4_4", "smart"),
        (20.0, "table_4_2", "no_fault_tolerance"),
    ):
        number = published(f"notes31/{table}", row, "response_time")
        noise = REPLICATE_NOISE["response_time"]
        half = 2.0 * deviation(number, number.value, noise, runs=1)
        found.append((users, number.value, half))
    return found
