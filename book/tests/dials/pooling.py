"""The library's answer to the dial `pooling`."""

from __future__ import annotations

from typing import Any

from qmodel import Unstable
from qmodel.single_station import MMm


def values(state: dict[str, Any]) -> dict[str, float]:
    rate, service, servers = state["rate"], state["time"] / 1000, int(state["servers"])
    try:
        return {
            "apart": MMm(rate / servers, service, 1).waiting_time,
            "together": MMm(rate, service, servers).waiting_time,
            "load": rate * service / servers,
        }
    except Unstable:
        return {}
