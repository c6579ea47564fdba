"""The library's answer to the dial `next_upgrade`."""

from __future__ import annotations

from typing import Any

import qmodel as qm

STATIONS = ("cpu", "disk", "lan")


def values(state: dict[str, Any]) -> dict[str, float]:
    found = {}
    for choice in ("none", *STATIONS):
        row = [state[k] / 1000 / 2 if k == choice else state[k] / 1000 for k in STATIONS]
        network = qm.Network(
            [qm.QueueingStation(k) for k in STATIONS],
            [qm.ClosedClass("users", int(state["users"]), state["think"])],
            [row],
        )
        found[choice] = qm.solve(network, "mva").response_times[0]
    return found
