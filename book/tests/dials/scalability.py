"""What the dial `scalability` says: Amdahl's law and the universal scalability law."""

from __future__ import annotations

from math import sqrt
from typing import Any


def values(state: dict[str, Any]) -> dict[str, float]:
    n, serial, talk = int(state["processors"]), state["serial"] / 100, state["talk"] / 1000
    found = {
        "speedup": n / (1 + serial * (n - 1) + talk * n * (n - 1)),
        "amdahl": n / (1 + serial * (n - 1)),
    }
    return found | ({"peak": sqrt((1 - serial) / talk)} if talk else {})
