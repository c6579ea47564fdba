"""The library's answer to the dial `local_replicas`, from the measured table."""

from __future__ import annotations

from typing import Any

from calibration.agreements.published import published
from calibration.printed_tables.table import load_table
from calibration.systems.domino85.runs import METRICS, deviation


def values(state: dict[str, Any]) -> dict[str, float]:
    table = load_table("domino85/table_7")
    before = float(table.cell(state["metric"], "baseline").text)
    measured = table.cell("local_replicas", "baseline").value or 0.0
    share, fraction = state["share"] / 100, state["fraction"] / 100
    return {
        "load": before * (1 - share * (1 - fraction)) / (1 - measured * (1 - fraction)),
        "most": before / (1 - measured),
    }


def measured(state: dict[str, Any]) -> list[tuple[float, float, float]]:
    """Both runs, without and with local replicas: the number and its two standard deviations."""
    found = []
    for column, x in (("variant", 0.0), ("baseline", 20.0)):
        number = published("domino85/table_7", state["metric"], column)
        _, noise = METRICS[state["metric"]]
        half = 2.0 * deviation(number, number.value, noise, runs=1)
        found.append((x, number.value, half))
    return found
