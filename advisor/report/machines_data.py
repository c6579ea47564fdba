"""Several machines as plain data, in the form of ``forms/answers.schema.json``."""

from collections.abc import Iterable
from math import inf
from typing import Any

from advisor.configuration.promises import tail_name
from advisor.machines.outlook import RATE_ERROR, Outlook
from advisor.machines.review import MachinesReview
from advisor.report.prediction_data import number
from calibration.estimation.interval import Range
from qmodel.documents.wording import show_key


def _near(value: float, unit: str) -> dict[str, Any]:
    most = max(value, 1.0) if unit == "1" else inf  # nothing is busier than always
    low, high = value * (1.0 - RATE_ERROR), min(value * (1.0 + RATE_ERROR), most)
    return number(Range(low, value, high), unit)


def outlook_data(found: Outlook, shares: Iterable[float] = ()) -> dict[str, Any]:
    """One prediction, as of every command that predicts; percentiles are those that are promised,
    or others.
    """
    metrics = {
        "response_time": number(found.within(), "s"),
        "throughput": _near(sum(found.throughputs.values()), "1/s"),
    }
    if len(found.response_times) > 1:
        for name in found.response_times:
            metrics[f"response_time:{name}"] = number(found.within(name), "s")
            metrics[f"throughput:{name}"] = _near(found.throughputs[name], "1/s")
    for share in shares or sorted(found.promised):
        for name in found.response_times:
            tail = number(found.within(name, share), "s")
            metrics[f"{tail_name(share)}:{name}"] = tail
    for row in found.rows:
        metrics[f"utilization:{row.resource.name}"] = _near(row.utilization, "1")
    return {
        "users": found.users, "arrival_rate": None, "population": {}, "extrapolated": False,
        "metrics": metrics, "bottleneck": found.bottleneck, "method": "layers",
    }  # fmt: skip


def review_machines_data(found: MachinesReview) -> dict[str, Any]:
    """All that ``advise`` says."""
    return {
        "title": found.machines.file.title,
        "verdict": {
            "state": found.state, "fits": found.state in {"FITS", "AT RISK"},
            "users_that_fit": found.fit[0], "limited_by": found.fit[1],
        },
        "now": outlook_data(found.now),
        "after": outlook_data(found.plan[-1].after) if found.plan else None,
        "users_that_fit_after": found.fit_after[0],
        "pools": [
            {
                "rule": each.rule, "pool": each.resource.name,
                "key": show_key(each.resource.key or ()), "size": each.resource.size,
                "waited": each.row.waited, "enough": each.enough, "of_use": each.of_use,
                "fills_next": each.next, "after": outlook_data(each.after),
            }
            for each in found.pools
        ],
        "plan": [
            {
                "title": step.title, "rule": step.rule, "key": show_key(step.key),
                "value": step.value, "after": outlook_data(step.after),
            }
            for step in found.plan
        ],
        "missed": list(found.left),
    }  # fmt: skip
