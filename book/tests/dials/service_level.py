"""The library's answer to the dial `service_level`."""

from __future__ import annotations

from math import exp, log
from typing import Any

from qmodel.single_station import MM1

#: Relative: times are added up in another order.
PRECISION = dict.fromkeys(("peak", "calm", "burnt", "most"), 1e-9)


def values(state: dict[str, Any]) -> dict[str, float]:
    service, limit = state["service"] / 1000, state["limit"] / 1000
    allowed = 1 - float(state["share"]) / 100
    late, requests = [], []
    for hours, busy in ((state["hours"], state["busy"]), (24 - state["hours"], state["calm"])):
        late.append(exp(-limit / MM1(busy / 100 / service, service).residence_time))
        requests.append(hours * busy)
    total = sum(n * share for n, share in zip(requests, late, strict=True))
    return {
        "peak": late[0],
        "calm": late[1],
        "burnt": total / sum(requests) / allowed,
        "most": 1 + service * log(allowed) / limit,
    }
