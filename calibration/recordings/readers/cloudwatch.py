"""Amazon CloudWatch: what ``aws cloudwatch get-metric-data`` and ``get-metric-statistics`` print.

Times are those at which periods begin. Of ``get-metric-data`` only a label says what a series is,
as ``${PROP('MetricName')} ${PROP('Stat')} ${PROP('Dim.InstanceId')}`` has it.
Sources: CloudWatch API reference, MetricDataResult and Datapoint; user guide, dynamic labels; the
CloudWatch metrics of EC2, EBS, RDS, ECS and Application Load Balancers. No such file was recorded.
"""

import re
from itertools import pairwise
from typing import Any

from calibration.recordings.cloud_metrics import add, known
from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader, moment
from calibration.recordings.source import METRICS_LIMIT, Source
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

KIND = "CloudWatch"
_STATISTICS = {
    "average": "Average", "avg": "Average", "mean": "Average", "sum": "Sum", "total": "Sum",
    "minimum": "Minimum", "min": "Minimum", "maximum": "Maximum", "max": "Maximum",
    "samplecount": "SampleCount",
}  # fmt: skip
_TAIL = re.compile(r"(p|tm|wm|tc|ts)\d+(\.\d+)?|IQM|(TM|WM|PR|TC|TS)\(.*\)", re.IGNORECASE)
_LABEL = "\"Label\": \"${PROP('MetricName')} ${PROP('Stat')}\""


def read(source: Source) -> Metrics:
    """All series, by metric and statistic."""
    metrics, data = Metrics(KIND, source.path, headings=False), source.json(METRICS_LIMIT)
    if "Datapoints" in data:
        _statistics(metrics, data)
    held: dict[tuple[str, str], tuple[list[float], list[float]]] = {}
    for result in data.get("MetricDataResults", ()):  # of which several may continue each other
        times = [moment(str(time))[0] for time in result["Timestamps"]]
        label = result.get("Label", result["Id"])
        column = held.setdefault((label, result["Id"]), ([], []))
        if column[0] and times and min(times) <= max(column[0]) and min(column[0]) <= max(times):
            problem = f"several series have the label {show_text(label)}; give each one of its own"
            raise FileError(source.path, f"{problem}, {_LABEL[:-1]} ${{PROP('Dim.InstanceId')}}\"")
        column[0].extend(times)
        column[1].extend(map(float, result["Values"]))
    for (label, short), (times, values) in held.items():
        if len(times) != len(values):
            raise ValueError(f"{len(times)} times and {len(values)} values of {label}")
        _add(metrics, label, short, times, values)
    if data.get("NextToken"):
        metrics.remarks[""] = f"{source.path} is one page of several; give the others as well"
    return metrics


def _statistics(metrics: Metrics, data: dict[str, Any]) -> None:
    columns: dict[tuple[str, str], tuple[list[float], list[float]]] = {}
    for point in data["Datapoints"]:
        rows = {s: point[s] for s in _STATISTICS.values() if s in point}
        for statistic, value in {**rows, **point.get("ExtendedStatistics", {})}.items():
            column = columns.setdefault((statistic, point.get("Unit", "")), ([], []))
            column[0].append(moment(str(point["Timestamp"]))[0])
            column[1].append(float(value))
    for (statistic, unit), (times, values) in columns.items():
        _add(metrics, f"{data.get('Label', 'metric')} {statistic}", "", times, values, unit)


def _named(words: list[str]) -> set[str]:
    return {_STATISTICS.get(w.lower(), w if _TAIL.fullmatch(w) else "") for w in words} - {""}


def _add(
    metrics: Metrics, label: str, short: str, times: list[float], values: list[float],
    unit: str = "",
) -> None:  # fmt: skip
    """A series by metric and the statistic that its label, or else its Id, names.

    The usual statistic of one that names none is said; one that hints at another is left out.
    """
    words = [w if _TAIL.fullmatch(w) else w.strip("()[]{}:;,.|=\"'") for w in label.split()]
    named, parts = _named(words), re.sub("(?<=[a-z])(?=[A-Z])", "_", short).lower()
    inside = short.lower() + ("" if named else f" {label.lower()}")
    hidden = {*re.findall(r"p[5-9]\d", inside), *(s for w, s in _STATISTICS.items() if w in inside)}
    named = named or hidden & _named(parts.split("_"))
    statistic = min(named, default="")
    usual = {w: s for w in words for s in ("Sum", "Average")
             if known(f"{w} {s}" + ("/s" if s == "Sum" else ""))}  # fmt: skip
    metric = next(iter(usual), "")
    if metric and (len(named) > 1 or hidden - (named or {usual[metric]})):
        problem = f"{show_text(label)} is left out: which statistic is it? say one"
        metrics.remarks[f"{label} ?"] = f"{problem}, {_LABEL}"
        return None
    if not metric:
        name = label if statistic in {"", *words} else f"{label} {statistic}"
        return add(metrics, name, {}, times, values, unit)
    if not statistic and "Time" in metric and usual[metric] == "Average":
        metrics.remarks[metric] = f"{metric} is left out: a mean or a percentile? say it, {_LABEL}"
    elif not statistic:
        statistic = usual[metric]
        metrics.remarks[f"{metric}?"] = f"{metric} names no statistic, taken as {statistic}"
    rest = [w for w in words if w != metric and not _named([w])]
    periods = {f"{abs(later - time):.0f}" for time, later in pairwise(times)}
    name = " ".join(w for w in rest if w not in periods and not w.startswith("AWS/"))
    keys = ("device",) if metric.startswith("Volume") else ("instance", "service")
    labels = dict.fromkeys(keys if name else (), name) or {"device": "disk"}
    total = statistic == "Sum" and known(f"{metric} Sum/s") is not None
    full = f"{metric} {statistic}".strip()
    return add(metrics, full, labels, times, values, unit, total=total)


READER = Reader(
    KIND,
    r'\A\s*\{\s*"(MetricDataResults|Datapoints)"\s*:\s*\[|'
    r'\A\s*\{[\s\S]*"(MetricDataResults"\s*:\s*\[\s*\{\s*"Id"|Datapoints"\s*:\s*\[\s*\{\s*"Timestamp")',
    read,
)
