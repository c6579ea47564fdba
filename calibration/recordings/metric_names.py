"""What metrics by the names of node_exporter, cAdvisor and OpenTelemetry say of stations.

A processor is busy unless it is idle or waits for a disk. Dots in names are underscores here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.recordings.counters import Metrics, clean, growth, usual_step
from calibration.recordings.header import Heading
from calibration.recordings.series import Recording, Series
from qmodel.errors import FileError


@dataclass(frozen=True, slots=True)
class Rule:
    """How a metric is taken: a counter whose growth, or a gauge whose value, is a quantity.

    ``of`` is a label whose value names the station or class, or "=name".
    """

    pattern: str
    quantity: str
    of: str
    counter: bool = True
    factor: float = 1.0


ROUTES = "route|http_route|handler|path|uri|endpoint|method"
RULES = (
    Rule(r"node_disk_io_time_seconds_total", "utilization", "device"),
    Rule(r"node_disk_(reads|writes)_completed_total", "operations", "device"),
    Rule(r"node_disk_(read|written)_bytes_total", "volume", "device"),
    Rule(r"node_network_(receive|transmit)_bytes_total", "volume", "device"),
    Rule(r"node_pressure_cpu_waiting_seconds_total", "pressure", "=cpu"),
    Rule(r"node_pressure_io_waiting_seconds_total", "pressure", "=io"),
    Rule(r"node_pressure_memory_waiting_seconds_total", "pressure", "=memory"),
    Rule(r"node_memory_MemAvailable_bytes", "memory available", "=memory", counter=False),
    Rule(r"node_memory_MemTotal_bytes", "memory", "=memory", counter=False),
    Rule(r"system_disk_io_time(_seconds_total)?", "utilization", "system_device|device"),
    Rule(r"system_disk_operations(_total)?", "operations", "system_device|device"),
    Rule(r"system_disk_io(_bytes_total)?", "volume", "system_device|device"),
    Rule(r"system_network_io(_bytes_total)?", "volume", "system_device|device"),
    Rule(r"container_cpu_usage_seconds_total", "processors", "name|container|pod"),
    Rule(r"container_cpu_cfs_throttled_seconds_total", "throttled", "name|container|pod"),
    Rule(r"process_cpu_(seconds_total|time(_seconds_total)?)", "processors", "job|service_name"),
    Rule(r"cgroup_cpu_usage_usec", "processors", "name", factor=1e-6),
    Rule(r"cgroup_cpu_throttled_usec", "throttled", "name", factor=1e-6),
    Rule(r"cgroup_cpu_limit", "servers", "=cpu", counter=False),
    Rule(r"cgroup_io_ios", "operations", "device"),
    Rule(r"cgroup_(io|network)_bytes", "volume", "device"),
    Rule(r"(?!prom|node_).*request.*(duration|latency|time).*_count", "throughput", ROUTES),
    Rule(r"(?!prom|node_).*requests_total", "throughput", ROUTES),
)
#: Time of requests; divided by their number.
_TIMES = re.compile(r"(?P<stem>(?!prom|node_).*request.*(duration|latency|time).*)_sum")
_CPU = {"node_cpu_seconds_total", "system_cpu_time", "system_cpu_time_seconds_total"}
#: Modes of a processor that does not work; guests are counted as users as well.
_AT_REST, _TWICE = {"idle", "iowait", "wait"}, {"guest", "guest_nice"}
_HOSTS = ("host_name", "instance", "node", "nodename", "host")
#: Channels of a computer to itself.
_INNER = re.compile(r"lo\d*|veth.*|ifb\d*|sit\d*|docker\d*|br-.*|(loop|ram|zram)\d+")


def recording_of(metrics: Metrics, taken: dict[str, Heading] | None = None) -> Recording:
    """What metrics say of stations and requests.

    Parameters
    ----------
    metrics : Metrics
        By name and labels.
    taken : dict of str to Heading, optional
        What a user says that metrics are, by their names.

    Raises
    ------
    FileError
        If none is understood, or they are no samples in time.
    """
    taken = taken or {}
    parts: dict[tuple[str, str, str], list[tuple[Any, Any, Any]]] = {}
    busy: dict[tuple[str, str], list[tuple[Any, Any, Any]]] = {}
    processors: dict[str, set[str]] = {}
    mapping: dict[str, str] = {}
    notes: dict[str, None] = {}
    resets = 0
    for (written, labels), samples in metrics.samples.items():
        name, label = written.replace(".", "_"), {k.replace(".", "_"): v for k, v in labels}
        host = next((label[each] for each in _HOSTS if label.get(each)), "")
        rule = _rule(written, name, taken)
        mode = label.get("mode", label.get("state", label.get("cpu_mode", "")))
        if name in _CPU and mode not in _TWICE and rule is None:
            rule = Rule(name, "cpu", "=cpu")
        if rule is None:
            continue
        times, values = clean(*samples)
        of = rule.of[1:] if rule.of.startswith("=") else _first(label, rule.of)
        if not len(times) or (rule.quantity == "volume" and _INNER.fullmatch(of)):
            continue
        if rule.counter:
            _, missing = usual_step(times, metrics.path)
            notes.update(dict.fromkeys(missing))
            if written in metrics.increments:
                grown, fell = values[1:], 0
            else:
                grown, fell = growth(values)
            resets += fell
            times, interval = times[1:], np.diff(times)
            values = grown / interval
        else:
            usual, missing = usual_step(times, metrics.path)
            notes.update(dict.fromkeys(missing))
            interval = np.full(len(times), usual)
        if (values < 0.0).any():
            raise FileError(metrics.path, f"{written} is negative, {values.min():.4g}")
        part = times, interval, values * rule.factor
        if rule.quantity == "cpu":
            core = label.get("cpu", label.get("cpu_logical_number", ""))
            processors.setdefault(host, set()).add(core)
            busy.setdefault((host, "rest" if mode in _AT_REST else "work"), []).append(part)
            mapping[written] = "utilization:cpu, servers:cpu"
        else:
            parts.setdefault((rule.quantity, of.lower(), host), []).append(part)
            mapping[written] = rule.quantity + (f":{of}" if of and rule.of[0] == "=" else "")
    if resets:
        notes[f"a counter was reset {resets} times"] = None
    series = [Series(*name, *_sum(found)) for name, found in parts.items()]
    for host, cores in processors.items():
        series += _processor(host, len(cores), busy)
    series = _whole(_divided(series))
    if not any(len(each.end) for each in series):
        raise FileError(metrics.path, _nothing(metrics, mapping))
    return Recording(
        metrics.path, metrics.kind, "UTC", tuple(s for s in series if len(s.end)),
        tuple(mapping.items()), tuple(notes),
    )  # fmt: skip


def _rule(written: str, name: str, taken: dict[str, Heading]) -> Rule | None:
    if written in taken:
        column = taken[written]
        counter = written.endswith("_total")
        return Rule(written, column.quantity, f"={column.of}", counter, float(column.factor))
    if times := _TIMES.fullmatch(name):
        scale = 1e-3 if re.search(r"_(ms|milliseconds)\b|_(ms|milliseconds)_", name) else 1.0
        return Rule(times["stem"], "busy time", ROUTES, factor=scale)
    return next((rule for rule in RULES if re.fullmatch(rule.pattern, name)), None)


def _first(label: dict[str, str], names: str) -> str:
    return next((label[each] for each in names.split("|") if label.get(each)), "")


def _sum(parts: Iterable[tuple[Any, Any, Any]]) -> tuple[Any, Any, Any]:
    """The sum of series, at the times that all of them have."""
    rest = list(parts)
    times = rest[0][0]
    for other, _, _ in rest[1:]:
        if len(other) != len(times) or (other != times).any():
            times = np.intersect1d(times, other)
    picked = [(i[np.isin(t, times)], v[np.isin(t, times)]) for t, i, v in rest]
    return times, picked[0][0], sum(value for _, value in picked)


def _processor(
    host: str, count: int, busy: dict[tuple[str, str], list[tuple[Any, Any, Any]]]
) -> list[Series]:
    """Utilization from the time at rest, or from the time at work where only that was kept."""
    kept = "rest" if (host, "rest") in busy else "work"
    end, interval, seconds = _sum(busy[host, kept])
    used = seconds / count
    value = np.clip(1.0 - used if kept == "rest" else used, 0.0, 1.0)
    number = np.full(len(end), float(count))
    return [
        Series("utilization", "cpu", host, end, interval, value),
        Series("servers", "cpu", host, end, interval, number),
    ]


def _divided(series: list[Series]) -> list[Series]:
    """Times of requests over their number, and memory in use."""
    by_name = {(each.quantity, each.of, each.host): each for each in series}
    found = []
    for each in series:
        other = {"busy time": "throughput", "memory available": "memory"}.get(each.quantity)
        if other is None:
            found.append(each)
            continue
        beside = by_name.get((other, each.of, each.host))
        if beside is None or len(beside.end) != len(each.end):
            continue
        if other == "memory":
            beside.value[:] = 1.0 - each.value / beside.value
            continue
        seen = beside.value > 0.0
        number = beside.value[seen] * each.interval[seen]
        mean = each.value[seen] / beside.value[seen]
        end, interval = each.end[seen], each.interval[seen]
        found.append(Series("response_time", each.of, each.host, end, interval, mean, number))
    return found


def _whole(series: list[Series]) -> list[Series]:
    """Requests of all classes beside those of each."""
    found = list(series)
    for host in dict.fromkeys(each.host for each in series):
        by_class = [s for s in series if s.quantity == "throughput" and s.host == host]
        if not by_class or any(not s.of for s in by_class):
            continue
        end, interval, value = _sum((s.end, s.interval, s.value) for s in by_class)
        found.append(Series("throughput", "", host, end, interval, value))
        timed = [s for s in series if s.quantity == "response_time" and s.host == host]
        if len(timed) == len(by_class):
            total: dict[float, list[float]] = {}
            for s in timed:
                for when, length, mean, number in zip(
                    s.end, s.interval, s.value, s.weight, strict=True
                ):
                    row = total.setdefault(when, [length, 0.0, 0.0])
                    row[1] += mean * number
                    row[2] += number
            rows = np.array([(t, *row) for t, row in sorted(total.items())]).reshape(-1, 4)
            mean = rows[:, 2] / rows[:, 3]
            found.append(
                Series("response_time", "", host, rows[:, 0], rows[:, 1], mean, rows[:, 3])
            )
    return found


def _nothing(metrics: Metrics, mapping: dict[str, str]) -> str:
    names = list(dict.fromkeys(name for name, _ in metrics.samples))
    if mapping:
        return "one sample of each counter; a rate needs two: give several scrapes, or a range"
    shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
    example = names[0] if names else "NAME"
    return (
        f"no metric that is known here among {len(names)} ({shown}); say what one is with "
        f'--columns "{example}=utilization:cpu [1]"'
    )
