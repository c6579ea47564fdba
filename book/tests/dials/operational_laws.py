"""The library's answer to the dial `operational_laws`."""

from __future__ import annotations

from typing import Any

from qmodel import laws


def values(state: dict[str, Any]) -> dict[str, float]:
    demand = laws.demand(state["busy"] / 100, state["throughput"], int(state["cores"]))
    response = state["users"] / state["throughput"] - state["think"]
    return {"demand": demand, "response_time": response, "most": state["cores"] / demand}
