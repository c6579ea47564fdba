"""The library's answer to the dial `priorities`."""

from __future__ import annotations

from typing import Any

import qmodel as qm
from qmodel.single_station import MG1, priority_queue

#: Differences of nearly equal numbers, which round otherwise in the page.
PRECISION = {"high_interrupts": 1e-9, "low_interrupted": 1e-9, "order": 1e-9}


def values(state: dict[str, Any]) -> dict[str, float]:
    rates = state["first"], state["second"]
    times = state["firstTime"] / 1000, state["secondTime"] / 1000
    classes = [(rate, time, 1.0) for rate, time in zip(rates, times, strict=True)]
    try:
        first, second = priority_queue(classes)
    except qm.Unstable:
        return {}
    now, later = priority_queue(classes, preemptive=True)
    mean = sum(r * t for r, t in zip(rates, times, strict=True)) / sum(rates)
    square = 2 * sum(r * t * t for r, t in zip(rates, times, strict=True)) / sum(rates)
    return {
        "order": MG1(sum(rates), mean, square / mean**2 - 1).waiting_time,
        "high": first.waiting_time,
        "low": second.waiting_time,
        "high_interrupts": now.waiting_time,
        "low_interrupted": later.waiting_time,
    }
