"""What the dial `overload` says, by adding up the backlog second by second."""

from __future__ import annotations

from typing import Any


def values(state: dict[str, Any]) -> dict[str, float]:
    capacity, usual, spike = state["capacity"], state["usual"], state["spike"]
    backlog = 0.0
    for _ in range(60 * int(state["minutes"])):
        backlog = max(0.0, backlog + spike - capacity)
    found = {"backlog": backlog, "wait": backlog / capacity}
    return found | ({"drain": backlog / (capacity - usual)} if usual < capacity else {})
