"""The library's answer to the dial `encryption`."""

from __future__ import annotations

from typing import Any

import qmodel as qm


def values(state: dict[str, Any]) -> dict[str, float]:
    processors, time = int(state["processors"]), state["time"] / 1000
    found = []
    for demand in (time, time * (1 + state["share"] / 100)):
        users = qm.ClosedClass("users", int(state["users"]), 1.0)
        network = qm.Network([qm.QueueingStation("cpu", processors)], [users], [[demand]])
        solution = qm.solve(network, "mva" if processors == 1 else "convolution")
        found.append((solution.response_times[0], solution.utilizations[0][0]))
    (plain, busy), (encrypted, busy_encrypted) = found
    return {"plain": plain, "encrypted": encrypted, "busy": busy, "busy_encrypted": busy_encrypted}
