"""The library's answer to the dial `closed_network`."""

from __future__ import annotations

from typing import Any

import qmodel as qm


def values(state: dict[str, Any]) -> dict[str, float]:
    cores = int(state["cores"])
    cpu, disk = state["cpu"] / 1000, state["disk"] / 1000
    network = qm.Network(
        [qm.QueueingStation("cpu", cores), qm.QueueingStation("disk")],
        [qm.ClosedClass("users", int(state["users"]), state["think"])],
        [[cpu, disk]],
    )
    solution = qm.solve(network, "mva" if cores == 1 else "convolution")
    return {
        "throughput": solution.throughputs[0],
        "response_time": solution.response_times[0],
        "cpu": solution.utilizations[0][0],
        "disk": solution.utilizations[0][1],
        "knee": (cpu + disk + state["think"]) / max(cpu / cores, disk),
    }
