"""The library's answer to the dial `mva_steps`."""

from __future__ import annotations

from typing import Any

import qmodel as qm


def values(state: dict[str, Any]) -> dict[str, float]:
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
        [qm.ClosedClass("users", int(state["users"]), state["think"])],
        [[state["cpu"] / 1000, state["disk"] / 1000]],
    )
    solution = qm.solve(network, "mva")
    cpu, disk = solution.residence_times[0]
    at_cpu, at_disk = solution.queue_lengths[0]
    return {
        "throughput": solution.throughputs[0],
        "cpu": cpu,
        "disk": disk,
        "at_cpu": at_cpu,
        "at_disk": at_disk,
    }
