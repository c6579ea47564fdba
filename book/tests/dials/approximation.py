"""The library's answer to the dial `approximation`."""

from __future__ import annotations

from typing import Any

import qmodel as qm

#: Both iterate to a part of 1e-10, from other starts; Newton's last step leaves far less.
PRECISION = dict.fromkeys(("guessed", "quick", "ratio"), 1e-12)


def values(state: dict[str, Any]) -> dict[str, float]:
    demand = [state["slow"] / 1000, *[state["rest"] / 1000] * int(state["others"])]
    users = int(state["users"])
    network = qm.Network(
        [qm.QueueingStation(f"station {k}") for k in range(len(demand))],
        [qm.ClosedClass("users", users, state["think"])],
        [demand],
    )
    exact, quick = qm.solve(network, "mva"), qm.solve(network, "bard-schweitzer")
    return {
        "throughput": exact.throughputs[0],
        "exact": exact.response_times[0],
        "guessed": quick.throughputs[0],
        "quick": quick.response_times[0],
        "ratio": quick.response_times[0] / exact.response_times[0],  # less one would cancel
    }
