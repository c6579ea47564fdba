"""The library's answer to the dial `cores`."""

from __future__ import annotations

from typing import Any

import qmodel as qm


def values(state: dict[str, Any]) -> dict[str, float]:
    users = qm.ClosedClass("users", int(state["users"]), state["think"])
    work, cores = state["cpu"] / 1000, int(state["cores"])
    many = qm.solve(
        qm.Network([qm.QueueingStation("cpu", cores)], [users], [[work]]),
        "mva" if cores == 1 else "convolution",
    )
    fast = qm.solve(
        qm.Network([qm.QueueingStation("cpu")], [users], [[work / state["speed"]]]), "mva"
    )
    return {
        "many": many.response_times[0],
        "fast": fast.response_times[0],
        "many_throughput": many.throughputs[0],
        "fast_throughput": fast.throughputs[0],
    }
