"""The library's answer to the dial `users_on_drives`: whole users."""

from __future__ import annotations

from typing import Any

from qmodel.devices.drive_capacity import RAID_1E_MAIL


def values(state: dict[str, Any]) -> dict[str, float]:
    drives = int(state["drives"])
    each, more = (round(RAID_1E_MAIL.capacity(k)) for k in (drives, drives + 1))
    return {"users": int(state["arrays"]) * each, "next": more - each}
