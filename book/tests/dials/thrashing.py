"""The library's answer to the dial `thrashing`."""

from __future__ import annotations

from typing import Any

import qmodel as qm
from qmodel.devices.paging import Lifetime, paging_volume

PAGE = 4096.0


def values(state: dict[str, Any]) -> dict[str, float]:
    active, whole, memory = int(state["active"]), state["each"] * 1e6, state["memory"] * 1e6
    cpu = state["cpu"] / 1000
    lifetime = Lifetime(whole / 2, state["lifetime"] / 1000, whole)
    pages = paging_volume(lifetime, cpu, memory, active, PAGE) / PAGE
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
        [qm.ClosedClass("programs", active)],
        [[cpu, state["disk"] / 1000 + pages * (state["time"] / 1000)]],
    )
    solution = qm.solve(network, "mva")
    return {
        "throughput": solution.throughputs[0],
        "response_time": solution.response_times[0],
        "faults": lifetime.faults(cpu, memory / active),
    }
