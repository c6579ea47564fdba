"""OpenTelemetry: traces and metrics in OTLP's JSON, one message a line or one in all.

Of traces the requests are counted that enter from outside: spans of servers and consumers below no
other; and what each service does itself at most, and calls, is said (`span_trees`).
Source: OpenTelemetry protocol specification, JSON encoding, and its protocol buffers.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader
from calibration.recordings.series import Recording, Requests
from calibration.recordings.source import Source, parsed
from calibration.recordings.span_trees import SpanTrees, sentence
from qmodel.errors import FileError

KIND = "OTLP JSON"
_ENTRIES = {2, 5, "SPAN_KIND_SERVER", "SPAN_KIND_CONSUMER"}
_UNITS = ("milliseconds", "microseconds", "nanoseconds", "ms", "us", "ns")
_DELTA = {1, "AGGREGATION_TEMPORALITY_DELTA"}
#: Spans before and behind another among which those above it are looked for, and how deep.
_KEPT, _DEEP = 100_000, 1000
_Served = tuple[float, float, str, bool]  # end and time [s], name and whether it failed


class _Entries:
    """Requests that enter from outside: a span may come before the one above it, or long after."""

    def __init__(self) -> None:
        self.requests = Requests()
        self.spans: dict[str, tuple[str, _Served | None]] = {}

    def add(self, span: dict[str, Any]) -> None:
        """A span, of a server or another."""
        trace, parent = span.get("traceId", ""), span.get("parentSpanId")
        served: _Served | None = None
        if span.get("kind") in _ENTRIES:
            end = int(span["endTimeUnixNano"]) / 1e9
            failed = span.get("status", {}).get("code") in {2, "STATUS_CODE_ERROR"}
            served = end, end - int(span["startTimeUnixNano"]) / 1e9, str(span["name"]), failed
        key = f"{trace}/{span.get('spanId')}"
        if served or key not in self.spans:  # both sides of a call may share a name
            self.spans[key] = f"{trace}/{parent}" if parent else "", served
        if len(self.spans) >= 2 * _KEPT:
            self.settle(_KEPT)

    def settle(self, left: int) -> None:
        """Count those that enter of all spans but the last, and let them go."""
        known, spans = self.spans, list(self.spans.items())
        for _, (first, served) in spans[: len(spans) - left]:
            above = first
            for _ in range(_DEEP if served else 0):  # what goes round in a circle enters nowhere
                if above not in known or known[above][1]:
                    break
                above = known[above][0]
            if served and above not in known:
                self.requests.add(*served[:3])
                self.requests.failed += served[3]
        self.spans = dict(spans[len(spans) - left :])


def read(source: Source) -> Recording | Metrics:
    """Metrics if there are any, else requests from traces."""
    metrics, entries, trees = Metrics(KIND, source.path), _Entries(), SpanTrees()
    for message in _messages(source):
        for resource in message.get("resourceMetrics", ()):
            _metrics(resource, metrics)
        for resource in message.get("resourceSpans", ()):
            service = _labels(resource.get("resource", {})).get("service.name", "unknown")
            for scope in resource.get("scopeSpans", ()):
                for span in scope.get("spans", ()):
                    entries.add(span)
                    trees.add(span, service, _labels(span))
    if metrics.samples:
        return metrics
    entries.settle(0)
    requests = entries.requests
    if not requests.count:
        raise FileError(source.path, "it holds neither a server span nor a metric")
    mapping = (("spans of servers below no other", "throughput, response_time"),)
    services = trees.services()
    notes = (*requests.notes, sentence(services))
    return Recording(source.path, KIND, "UTC", requests.series(), mapping, notes, services)


def _messages(source: Source) -> Iterator[dict[str, Any]]:
    first = source.head.lstrip().split("\n", 1)[0]
    if first.count("{") != first.count("}") or first.count("{") < 2:
        yield source.json()
        return
    for number, line in enumerate(source.lines(), 1):
        if line.strip():
            yield parsed(line, source.path, number)


def _metrics(resource: dict[str, Any], metrics: Metrics) -> None:
    shared = _labels(resource.get("resource", {}))
    for scope in resource.get("scopeMetrics", ()):
        for metric in scope.get("metrics", ()):
            unit = metric.get("unit", "")
            name = metric["name"] + (f"_{unit}" if unit in _UNITS else "")
            for kind in ("sum", "gauge", "histogram", "exponentialHistogram"):
                body = metric.get(kind, {})
                for point in body.get("dataPoints", ()):
                    labels = {**shared, **_labels(point)}
                    time = [int(point["timeUnixNano"]) / 1e9]
                    values = (
                        {f"{name}_count": point["count"], f"{name}_sum": point.get("sum", 0.0)}
                        if "count" in point
                        else {name: point.get("asDouble", point.get("asInt"))}
                    )
                    counts = accumulate(int(count) for count in point.get("bucketCounts", ()))
                    bounds = (*point.get("explicitBounds", ()), "inf")
                    rows = [(e, labels, value) for e, value in values.items() if value is not None]
                    rows += [(f"{name}_bucket", {**labels, "le": str(bound)}, count)
                             for bound, count in zip(bounds, counts, strict=False)]  # fmt: skip
                    for each, named, value in rows:
                        if body.get("aggregationTemporality") in _DELTA:
                            metrics.increments.add(each)
                        metrics.add(each, named, time, [float(value)])


def _labels(thing: dict[str, Any]) -> dict[str, str]:
    pairs = ((a["key"], a.get("value", {})) for a in thing.get("attributes", ()))
    return {
        key: str(next(iter(value.values())))
        for key, value in pairs
        if value and not key.startswith("telemetry.sdk")
    }


READER = Reader(KIND, r'\A\s*\{.{0,200}"(resourceSpans|resourceMetrics)"', read)
