"""The library's answer to the dial `two_classes`."""

from __future__ import annotations

from typing import Any

import qmodel as qm


def values(state: dict[str, Any]) -> dict[str, float]:
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
        [
            qm.ClosedClass("online", int(state["online"]), state["think"]),
            qm.ClosedClass("reports", int(state["reports"]), state["think"]),
        ],
        [
            [state["onlineCpu"] / 1000, state["onlineDisk"] / 1000],
            [state["reportCpu"] / 1000, state["reportDisk"] / 1000],
        ],
    )
    solution = qm.solve(network, "multiclass-mva")
    return {
        "online": solution.response_times[0],
        "report": solution.response_times[1],
        "online_throughput": solution.throughputs[0],
        "report_throughput": solution.throughputs[1],
    }
