"""The library's answer to the dial `agent_memory`."""

from __future__ import annotations

from typing import Any

from calibration.printed_tables.table import load_table
from calibration.systems.groupwise52.memory import rule_of_thumb


def values(state: dict[str, Any]) -> dict[str, float]:
    rule, threads = rule_of_thumb(), int(state["threads"])
    table = load_table("groupwise52/table_1")
    rows = [(int(row), table.cell(row, "memory").value or 0.0) for row in table.rows]
    found = [(rule.need({"thread": threads, "connection": n}), measured) for n, measured in rows]
    return {
        "memory": rule.need({"thread": threads, "connection": int(state["users"])}) / 1e6,
        "met": sum(abs(memory / measured - 1) < 0.05 for memory, measured in found),
    }


def measured(_: dict[str, Any]) -> list[tuple[float, float, float]]:
    """Each row: its users, its memory, and how many users more it is meant for."""
    table = load_table("groupwise52/table_1")
    found = []
    for row in table.rows:
        low, high = (table.cell(row, f"range_{end}").value or 0.0 for end in ("low", "high"))
        assert low == int(row)
        found.append((low, (table.cell(row, "memory").value or 0.0) / 1e6, high - low))
    return found
