"""The library's answer to the dial `raid_choice`."""

from __future__ import annotations

from typing import Any

from qmodel.devices.raid import LEVELS, Level
from qmodel.devices.raid_failure import degraded_operations


def busiest(level: Level, drives: int, state: dict[str, Any]) -> float:
    share = state["writes"] / 100
    reads, writes = state["load"] * (1 - share), state["load"] * share
    if state["state"] == "failed":
        return degraded_operations(level, drives, reads, writes)[0] * (state["time"] / 1000)
    return level.operations(drives, reads, writes)[0] * (state["time"] / 1000)


def values(state: dict[str, Any]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name in ("raid0", "raid10", "raid5", "raid6"):
        level = LEVELS[name]
        if state["state"] == "failed" and not level.tolerates_failure:
            continue
        for drives in range(level.least_drives, 201):
            if level.why_not(drives) or level.data_drives(drives) * state["size"] < state["data"]:
                continue
            busy = busiest(level, drives, state)
            if busy <= state["busy"] / 100:
                found |= {name: drives, f"{name} busy": busy}
                break
    return found
