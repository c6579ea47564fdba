"""Datadog: what ``/api/v1/query`` answers to queries of time series, as JSON.

Times are those at which intervals begin, in milliseconds. Counts are rates with ``.as_rate()`` and
sums of the interval with ``.as_count()``; without either nobody knows. Sources: Datadog API
reference, query timeseries points; integrations, system; APM, trace metrics. None was recorded.
"""

import re
from typing import Any

from calibration.recordings.cloud_metrics import add
from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader
from calibration.recordings.source import METRICS_LIMIT, Source

KIND = "Datadog"
_CPU = "system.cpu."


def read(source: Source) -> Metrics:
    """All series by metric, each with the tags of its scope."""
    metrics, data = Metrics(KIND, source.path, headings=False), source.json(METRICS_LIMIT)
    modes: dict[str, set[str]] = {}
    for series in data["series"]:
        modes.setdefault(series.get("scope", "*"), set()).add(series["metric"])
    for series in data["series"]:
        _add(metrics, series, modes[series.get("scope", "*")])
    return metrics


def _mode(metric: str, others: set[str]) -> str:
    """A mode of a processor: those at rest count where idle is known, else those that work."""
    rests = metric in {f"{_CPU}idle", f"{_CPU}iowait"}
    if f"{_CPU}idle" in others:
        return metric if rests else f"{metric} beside idle"
    works = not rests and {f"{_CPU}user", f"{_CPU}system"} <= others
    return metric if works else f"{metric} alone"


def _add(metrics: Metrics, series: dict[str, Any], others: set[str]) -> None:
    tags = [tag.partition(":") for tag in series.get("scope", "*").split(",") if ":" in tag]
    labels = {key: value for key, _, value in tags}
    name, query = series["metric"], series.get("expression", "")
    labels["route"] = labels.get("resource_name", labels.get("resource", ""))
    labels.setdefault("device", "network" if ".net." in name else "disk")
    top, below = (
        (each or {}).get("name", "") for each in [*(series.get("unit") or ()), {}, {}][:2]
    )
    unit, total = f"{top}/{below}" if below else top, ".as_count()" in query
    kind = re.match(r"(\w+):", query)
    if name.startswith(_CPU) and name != f"{_CPU}num_cores":
        name = _mode(name, others)
    elif name.endswith(".hits"):
        if ".as_rate()" in query or below:
            name, unit = f"{name}/s", ""
        elif not total:
            ask = "a count or a rate? query it with .as_rate()"
            metrics.remarks[name] = f"{name} is left out: {ask}"
    elif name.endswith(".duration"):
        total = ".rollup(sum" in query
        name += " sum" if total and kind and kind[1] == "sum" else " avg"
    elif name.startswith("trace."):  # a distribution of times
        name += f" {kind[1] if kind else series.get('aggr') or ''}".rstrip()
    points = [(at / 1e3, value) for at, value in series["pointlist"] if value is not None]
    times, values = [at for at, _ in points], [float(value) for _, value in points]
    add(metrics, name, labels, times, values, unit, total=total)


READER = Reader(KIND, r'\A\s*\{(?=[\s\S]*"series"\s*:\s*\[)(?=[\s\S]*"pointlist"\s*:)', read)
