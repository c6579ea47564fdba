"""The library's answer to the dial `local_replicas`, from the measured table."""

from __future__ import annotations

from typing import Any

from calibration.printed_tables.table import load_table


def values(state: dict[str, Any]) -> dict[str, float]:
    table = load_table("domino85/table_7")
    before = float(table.cell(state["metric"], "baseline").text)
    measured = table.cell("local_replicas", "baseline").value or 0.0
    share, fraction = state["share"] / 100, state["fraction"] / 100
    return {
        "load": before * (1 - share * (1 - fraction)) / (1 - measured * (1 - fraction)),
        "most": before / (1 - measured),
    }
