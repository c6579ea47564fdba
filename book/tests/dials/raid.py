"""The library's answer to the dial `raid`."""

from __future__ import annotations

from typing import Any

from qmodel import Unstable
from qmodel.devices.raid import LEVELS
from qmodel.single_station import MM1


def values(state: dict[str, Any]) -> dict[str, float]:
    level, drives, time = LEVELS[state["level"]], int(state["drives"]), state["time"] / 1000
    share = state["writes"] / 100
    if level.why_not(drives):
        return {}
    each = level.operations(drives, state["load"] * (1 - share), state["load"] * share)[0]
    try:
        station = MM1(each, time)
    except Unstable:
        return {}
    steps = level.phases(write=True)
    together = int(level.write_operations / steps)
    read = station.residence_time
    return {
        "read": read,
        "write": steps * read * sum(1 / k for k in range(1, together + 1)),
        "busy": station.utilization,
        "most": 1 / (time * level.operations(drives, 1 - share, share)[0]),
        "usable": level.usable_share(drives),
    }
