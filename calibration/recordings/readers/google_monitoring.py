"""Google Cloud Monitoring: what ``projects.timeSeries.list`` answers, as JSON.

A point names its own interval; that of a gauge is the time it was sampled. A distribution gives the
requests, their mean time and its buckets. Sources: Cloud Monitoring API v3, TimeSeries and
Distribution; Google Cloud metrics of Compute Engine, Cloud SQL, Cloud Run, load balancing.
No such file was recorded.
"""

from collections.abc import Iterator
from itertools import accumulate
from math import inf
from typing import Any

from calibration.recordings.cloud_metrics import add_ends
from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader, moment
from calibration.recordings.source import METRICS_LIMIT, Source

KIND = "Google Cloud Monitoring"
_HOSTS = ("instance_name", "instance_id", "database_id")
_SERVICES = ("url_map_name", "forwarding_rule_name", "service_name")


def read(source: Source) -> Metrics:
    """All series; what an interval counts is divided by its length."""
    metrics, data = Metrics(KIND, source.path, headings=False), source.json(METRICS_LIMIT)
    pages = data if isinstance(data, list) else data["timeSeries"]
    for series in pages:
        own = series["metric"].get("labels", {})
        labels = {**series.get("resource", {}).get("labels", {}), **own}
        for key, names in (("host", _HOSTS), ("service", _SERVICES), ("device", ("device_name",))):
            if named := next((labels[each] for each in names if labels.get(each)), ""):
                labels[key] = named
        columns: dict[tuple[str, str, str], tuple[list[float], list[float]]] = {}
        for point in series["points"]:
            for name, bound, unit, end, value in _values(series, point):
                column = columns.setdefault((name, bound, unit), ([], []))
                column[0].append(end)
                column[1].append(value)
        for (name, bound, unit), (ends, values) in columns.items():
            add_ends(metrics, name, labels | ({"le": bound} if bound else {}), ends, values, unit)
    if isinstance(data, dict) and data.get("nextPageToken"):
        metrics.remarks[""] = f"{source.path} is one page of several; give the others as well"
    return metrics


def _values(
    series: dict[str, Any], point: dict[str, Any]
) -> Iterator[tuple[str, str, str, float, float]]:
    """Name, bound of a bucket, unit, end and value of what a point says."""
    name, unit, value = series["metric"]["type"], series.get("unit", ""), point["value"]
    end = moment(point["interval"]["endTime"])[0]
    length = end - moment(point["interval"].get("startTime", point["interval"]["endTime"]))[0]
    if series.get("metricKind") != "DELTA":
        length = 0.0
        name += "/s" if unit.endswith("/s") else ""
    if body := value.get("distributionValue"):
        if length > 0.0:
            count = int(body.get("count", 0))
            yield f"{name}_count/s", "", "1", end, count / length
            yield f"{name}_sum/s", "", unit, end, count * float(body.get("mean", 0.0)) / length
            for bound, less in _buckets(body):
                yield f"{name}_bucket/s", str(bound), unit, end, less / length
        return
    number = float(value.get("doubleValue", value.get("int64Value", 0)))
    yield (f"{name}/s", "", unit, end, number / length) if length else (name, "", unit, end, number)


def _buckets(body: dict[str, Any]) -> Iterator[tuple[float, int]]:
    """Upper bounds, and requests that took at most those; none of linear buckets."""
    options = body.get("bucketOptions", {})
    bounds = [float(each) for each in options.get("explicitBuckets", {}).get("bounds", ())]
    if each := options.get("exponentialBuckets"):
        scale, growth = float(each["scale"]), float(each["growthFactor"])
        bounds = [scale * growth**k for k in range(int(each["numFiniteBuckets"]) + 1)]
    counts = [int(each) for each in body.get("bucketCounts", ())]
    missing = len(bounds) + 1 - len(counts)
    if bounds:
        yield from zip((*bounds, inf), accumulate((*counts, *[0] * missing)), strict=True)


READER = Reader(
    KIND, r'\A\s*(\{\s*"timeSeries"\s*:\s*\[|\[)(?=[\s\S]*"metric"\s*:)(?=[\s\S]*"points"\s*:)',
    read,
)  # fmt: skip
