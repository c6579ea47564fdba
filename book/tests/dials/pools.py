"""The library's answer to the dial `pools`, by flow-equivalent servers from the inside out."""

from __future__ import annotations

from math import exp, log
from typing import Any

import qmodel as qm

#: The dial adds up what the library multiplies.
PRECISION = dict.fromkeys(("response", "throughput", "thread", "connection"), 1e-6)


def values(state: dict[str, Any]) -> dict[str, float]:
    users, threads = int(state["users"]), int(state["threads"])
    app, db = state["app"] / 1000, state["db"] / 1000
    served = min(int(state["connections"]), int(state["db_cores"]))
    rates = [float(n) for n in range(1, served + 1)]
    cores = qm.QueueingStation("app", int(state["app_cores"]))
    stations = [cores, qm.LoadDependentStation("db", rates)]
    inside = [
        qm.solve(qm.Network(stations, [qm.ClosedClass("threads", n)], [[app, db]]))
        for n in range(1, min(users, threads) + 1)
    ]
    rates = [each.throughputs[0] for each in inside]
    web = qm.LoadDependentStation("web", [x / rates[0] for x in rates])
    whole = qm.solve(qm.Network([web], [qm.ClosedClass("users", users, state["think"])],
                                [[1.0 / rates[0]]]))  # fmt: skip
    x = whole.throughputs[0]
    logs = [0.0]
    for n in range(1, users + 1):
        step = (users - n + 1) / state["think"] / rates[min(n, len(rates)) - 1]
        logs.append(logs[-1] + log(step))
    chances = [exp(each - max(logs)) for each in logs]
    total = sum(chances)
    waiting = sum(p * max(0, n - len(rates)) for n, p in enumerate(chances)) / total
    held = 0.0
    for n, p in enumerate(chances):
        if n:
            held += p / total * _waiting(min(n, len(rates)), app, db, state)
    return {"response": whole.response_times[0], "throughput": x, "thread": waiting / x,
            "connection": held / x}  # fmt: skip


def _waiting(n: int, app: float, db: float, state: dict[str, Any]) -> float:
    """Threads that wait for a connection, n of them busy."""
    cores, connections = int(state["app_cores"]), int(state["connections"])
    served = min(connections, int(state["db_cores"]))
    weights = []
    for j in range(n + 1):
        weight = 1.0
        for i in range(1, j + 1):
            weight *= db / min(i, served)
        for i in range(1, n - j + 1):
            weight *= app / min(i, cores)
        weights.append(weight)
    return sum(w * max(0, j - connections) for j, w in enumerate(weights)) / sum(weights)
