"""Datadog: what ``/api/v1/query`` answers to queries of time series, as JSON.

Times are those at which intervals begin, in milliseconds. Counts are rates with ``.as_rate()`` and
sums of the interval with ``.as_count()``; without either it is not known. Sources: Datadog API
reference, query timeseries points; integrations, system; APM, trace metrics. None was recorded.
"""

import re
from itertools import permutations
from typing import Any

from calibration.recordings.cloud_metrics import add, known
from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader
from calibration.recordings.source import METRICS_LIMIT, Source
from qmodel.errors import FileError

KIND = "Datadog"
_CPU = "system.cpu."
_OF = r"[\w.]*(\{[^{}]*\})?(\s*by\s*\{[^{}]*\})?"
_MEAN = rf"{_OF}(\.rollup\((avg)?[,\s]*\d*\)|\.fill\(null\))*"
_SUM = rf"sum:{_OF}(\.as_count\(\)|\.rollup\((sum)?[,\s]*\d*\)|\.fill\((null|zero)\))*"
#: How to query metrics that are a mean, or a sum or a rate of what is counted.
_FORMS = (
    (r"\.hits$", rf"{_SUM}|sum:{_OF}\.as_rate\(\)(\.rollup\((avg)?[,\s]*\d*\))?|"
     rf"per_second\({_SUM}(?<=\.as_count\(\))\)"),
    (r"\.duration$", rf"(avg:)?{_MEAN}|{_SUM}"),
    (r"^system\..*(_s$|\.bytes_)", rf"((avg|sum):)?{_MEAN}"),
    (r"^system\.|^trace.*(request|_\d+p)$", rf"((avg|p\d+):)?{_MEAN}"), ("", "(?s:.*)"),
)  # fmt: skip


def read(source: Source) -> Metrics:
    """All series by metric, each with the tags of its scope."""
    metrics, data = Metrics(KIND, source.path, headings=False), source.json(METRICS_LIMIT)
    modes: dict[str, set[str]] = {}
    plain = [series for series in data["series"] if _plain(metrics, series)]
    for series in plain:
        modes.setdefault(series.get("scope", "*"), set()).add(series["metric"])
    for series in plain:
        _add(metrics, series, modes[series.get("scope", "*")])
    _once(metrics)
    return metrics


def _plain(metrics: Metrics, series: dict[str, Any]) -> bool:
    """Whether a query asks for a mean or a sum as fits its metric; one that does not is said."""
    name, query = series["metric"], series.get("expression", "").strip()
    if re.fullmatch(next(form for names, form in _FORMS if re.search(names, name)), query):
        return True
    metrics.remarks[f"{name} {query}"] = f"{name} is left out: no plain mean or sum, {query}"
    return False


def _once(metrics: Metrics) -> None:
    """Leaves out what is part of a wider scope; FileError if two scopes overlap otherwise."""
    groups: dict[tuple[str, ...], dict[tuple[str, ...], dict[Any, dict[str, str]]]] = {}
    for name, labels in filter(lambda each: known(each[0]), metrics.samples):
        tags = {key: value for key, value in labels if key not in {"route", "device"}}
        place = tags.get("host" if name.startswith("system.") else "service", "")
        key = name, place, dict(labels)["device"]
        groups.setdefault(key, {}).setdefault(tuple(tags), {})[name, labels] = tags
    for (name, *_), kinds in groups.items():
        for (one, wide), (other, narrow) in permutations(kinds.items(), 2):
            keys = [key for key in one if key in other]
            scopes = {tuple(map(tags.get, keys)) for tags in wide.values()}
            inside = [k for k, tags in narrow.items() if tuple(map(tags.get, keys)) in scopes]
            if inside and len(keys) < min(len(one), len(other)):
                problem = f"{name} by {', '.join(one)} and by {', '.join(other)} overlap"
                raise FileError(metrics.path, f"{problem}; query one of them")
            for key in inside if len(keys) == len(one) else ():
                scope = ",".join(map(":".join, narrow[key].items()))
                metrics.remarks[f"{name} {scope}"] = f"{name} of {scope} is a part; left out"
                metrics.samples.pop(key, None)


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
    kind = re.search(r"(\w+):", query)
    if name.startswith(_CPU) and name != f"{_CPU}num_cores":
        name = _mode(name, others)
    elif name.endswith(".hits"):
        if ".as_rate()" in query or below or "per_second" in query:
            name, unit, total = f"{name}/s", "", total and "per_second" not in query
        elif not total:
            ask = "a count or a rate? query it with .as_rate()"
            metrics.remarks[name] = f"{name} is left out: {ask}"
    elif name.endswith(".duration"):
        total = total or ".rollup(sum" in query
        name += " sum" if total and kind and kind[1] == "sum" else " avg"
    elif name.startswith("trace."):  # a distribution of times
        name += f" {kind[1] if kind else series.get('aggr') or ''}".rstrip()
    points = [(at / 1e3, value) for at, value in series["pointlist"] if value is not None]
    times, values = [at for at, _ in points], [float(value) for _, value in points]
    add(metrics, name, labels, times, values, unit, total=total)


READER = Reader(KIND, r'\A\s*\{(?=[\s\S]*"series"\s*:\s*\[)(?=[\s\S]*"pointlist"\s*:)', read)
