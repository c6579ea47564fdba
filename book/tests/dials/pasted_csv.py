"""The library's answer to the dial `pasted_csv`."""

from __future__ import annotations

from typing import Any

import calibration as cal
import qmodel as qm
from calibration.recordings.user_table import parse_user_table


def values(state: dict[str, Any]) -> dict[str, float]:
    look = cal.first_look(parse_user_table(state["csv"]))
    users = int(state["users"])
    method = "mva" if all(m == 1 for m in look.servers) else "convolution"
    solution = qm.solve(look.network(users), method)
    found = {
        "think_time": look.think_time,
        "delay": look.delay,
        "throughput": solution.throughputs[0],
        "response_time": solution.response_times[0],
        "low": qm.solve(look.network(users, -2.0), method).response_times[0],
        "high": qm.solve(look.network(users, 2.0), method).response_times[0],
    }
    for k, (name, demand) in enumerate(zip(look.stations, look.demands, strict=True)):
        found[f"demand:{name}"] = demand.value
        found[f"error:{name}"] = demand.standard_error
        found[f"utilization:{name}"] = solution.utilizations[0][k]
    return found
