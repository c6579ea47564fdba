"""One prediction as plain data: the form that every command which predicts prints."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from advisor.configuration.promises import tail_name
from advisor.findings.verdict import Verdict
from advisor.predicting.outlook import Outlook
from advisor.report.plain import fields
from calibration.estimation.interval import Range
from calibration.fitting.fitted_model import Calibration
from calibration.predicting.prediction import Prediction
from calibration.predicting.saturation import Saturation


def number(value: Range, unit: str) -> dict[str, Any]:
    """A range with its unit."""
    return {**asdict(value), "unit": unit}


def prediction_data(found: Outlook) -> dict[str, Any]:
    """What a configuration's model says, in base units."""
    users = [each for each in found.classes if not each.batch]
    metrics = {
        "response_time": number(found.response_time, "s"),
        "throughput": number(found.throughput, "1/s"),
    }
    for each in found.classes:
        if each.batch or len(users) > 1:
            metrics[f"response_time:{each.name}"] = number(each.response_time, "s")
            metrics[f"throughput:{each.name}"] = number(each.throughput, "1/s")
        for share, time in each.tails:
            metrics[f"{tail_name(share)}:{each.name}"] = number(time, "s")
    for resource in found.resources:
        metrics[f"utilization:{resource.name}"] = number(resource.utilization, "1")
        metrics[f"queue_length:{resource.name}"] = number(resource.queue_length, "customers")
    # Each model's own time is that of the first class at work.
    first = f"response_time:{found.classes[0].name}"
    metrics[first if first in metrics else "response_time"]["by_model"] = dict(found.by_member)
    by_rate = found.arrival_rate is not None
    return {
        "users": None if by_rate else found.users, "arrival_rate": found.arrival_rate,
        "population": {} if by_rate else {each.name: each.population for each in users},
        "batch": {each.name: each.population for each in found.classes if each.batch},
        "extrapolated": found.extrapolated, "metrics": metrics,
        **fields(found, "bottleneck", "method", "near_saturation", "hidden"),
    }  # fmt: skip


def calibrated_data(calibration: Calibration, found: Prediction) -> dict[str, Any]:
    """What a calibration says, in base units."""
    busy = {
        name: each.interval.mid
        for each in found.metrics
        if (name := each.name.removeprefix("utilization:")) != each.name
    }
    by_rate = bool(found.arrival_rate)
    counts = zip(calibration.data.classes, found.population, strict=True)
    return {
        "users": None if by_rate else sum(found.population),
        "arrival_rate": sum(found.arrival_rate) if by_rate else None,
        "population": {} if by_rate else dict(counts),
        **fields(found, "extrapolated", "beyond"),
        "metrics": {
            m.name: number(m.interval, m.unit)
            | {"by_model": dict(m.by_model), "disagree": list(m.disagree)}
            for m in found.metrics
        },
        "bottleneck": max(busy, key=lambda name: busy[name]) if busy else None,
        **fields(found, "disagree", "silent"),
    }


def predictions_data(calibration: Calibration, found: Sequence[Prediction]) -> dict[str, Any]:
    """What ``predict`` of a calibration prints; the knee is known of configurations alone."""
    return {
        "source": calibration.data.source, "interval": "90 %",
        "predictions": [calibrated_data(calibration, each) for each in found], "knee": None,
        "saturation": saturation_data(found[0].saturation),
    }  # fmt: skip


def saturation_data(found: Saturation | None) -> dict[str, Any] | None:
    """Where the server saturates; null where nothing limits it."""
    if found is None:
        return None
    return {
        "resource": found.station,
        "users": None if found.users is None else number(found.users, "users"),
        "throughput": number(found.throughput, "1/s"),
    }


def verdict_data(found: Verdict) -> dict[str, Any]:
    """Whether the load fits, how much would, and what is in the way of more."""
    most = found.most
    fit: dict[str, Any] | None = None
    if most is not None and found.counted:
        # Users are whole, and one that is nearly there has not come.
        ends = (int(end + 1e-6) for end in (most.low, most.mid, most.high))
        fit = dict(zip(("low", "mid", "high"), ends, strict=True)) | {"unit": "users"}
    elif most is not None:
        fit = number(most, "1/s")
    what, _, of = found.limited_by.partition(" of ")
    unit = "1" if what == "utilization" else "s"
    limit = {"what": what.replace(" ", "_"), "of": of, "limit": found.limit, "unit": unit}
    return {
        **fields(found, "state", "fits", "load"),
        "users_that_fit" if found.counted else "rate_that_fits": fit,
        "limited_by": limit if found.limited_by else None,
        "promised": found.promised,
    }
