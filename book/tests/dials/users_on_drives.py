"""The library's answer to the dial `users_on_drives`: whole users."""

from __future__ import annotations

from typing import Any

from calibration.printed_tables.table import load_table
from qmodel.devices.drive_capacity import RAID_1E_MAIL


def values(state: dict[str, Any]) -> dict[str, float]:
    drives = int(state["drives"])
    each, more = (round(RAID_1E_MAIL.capacity(k)) for k in (drives, drives + 1))
    return {"users": int(state["arrays"]) * each, "next": more - each}


def measured(_: dict[str, Any]) -> list[tuple[float, float, float]]:
    """The five arrays of Table 1, whose users are all printed in steps of 50."""
    table = load_table("domino5_raid/table_1")
    found = [(float(row), table.cell(row, "users").value or 0.0, 25.0) for row in table.rows]
    assert not any(users % 50.0 for _, users, _ in found)
    return found
