"""The library's answer to the dial `ethernet`."""

from __future__ import annotations

from typing import Any

import qmodel as qm
from qmodel.devices.frames import frame_count, wire_bytes
from qmodel.devices.lan import Segment, saturated_efficiency


def values(state: dict[str, Any]) -> dict[str, float]:
    occupied = wire_bytes(state["message"])
    frame = occupied / frame_count(state["message"])
    shared = state["wire"] == "shared"
    segment = Segment(float(state["rate"]) * 1e6, shared=shared, frame=frame)
    clients = qm.ClosedClass("clients", int(state["clients"]), state["pause"] / 1000)
    network = qm.Network([segment.station("lan")], [clients], [[segment.time(occupied)]])
    solution = qm.solve(network, "convolution" if shared else "mva")
    return {
        "throughput": solution.throughputs[0],
        "response_time": solution.response_times[0],
        "slowest": saturated_efficiency(frame),
        "bytes": occupied,
    }
