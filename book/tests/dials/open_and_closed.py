"""The library's answer to the dial `open_and_closed`."""

from __future__ import annotations

from typing import Any

import qmodel as qm
from qmodel.single_station import MM1


def values(state: dict[str, Any]) -> dict[str, float]:
    demand = state["demand"] / 1000
    clients = qm.ClosedClass("clients", int(state["clients"]), state["think"])
    network = qm.Network([qm.QueueingStation("server")], [clients], [[demand]])
    solution = qm.solve(network, "mva")
    found = {"throughput": solution.throughputs[0], "closed": solution.response_times[0]}
    try:
        return found | {"open": MM1(state["rate"], demand).residence_time}
    except qm.Unstable:
        return found
