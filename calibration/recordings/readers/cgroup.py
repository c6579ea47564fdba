"""Containers: cgroup v2's cpu.stat, io.stat and cpu.max, and Docker's own JSON; see THEORY.md."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader, moment
from calibration.recordings.source import Source, parsed
from qmodel.errors import FileError

KIND = "cgroup v2"

Sample = tuple[str, dict[str, str], float]


def read(source: Source) -> Metrics:
    """Counters by the names of `calibration.recordings.metric_names`."""
    metrics = Metrics(KIND, source.path)
    docker = source.head.lstrip().startswith("{")
    time: float | None = None
    for number, line in enumerate(source.lines(), 1):
        if not line.strip():
            continue
        samples: Iterable[Sample] = ()
        if docker:
            stats = parsed(line, source.path, number)
            time = moment(re.sub(r"(\.\d{6})\d+", r"\1", stats["read"]))[0]
            samples = _docker(stats)
        elif re.match(r"\d{9,}(\.\d+)?$|\d{4}-\d\d-\d\d[ T]", line):
            time = moment(line)[0]
        else:
            samples = _line(line.split())
        if time is None:
            problem = "counters without a time; write date +%s before each cat"
            raise FileError(source.path, problem, line=number)
        for name, labels, value in samples:
            metrics.add(name, labels, [time], [value])
    return metrics


def _line(words: list[str]) -> Iterator[Sample]:
    if "=" in words[-1]:
        for word in words[1:]:
            key, _, value = word.partition("=")
            if key in {"rbytes", "wbytes", "rios", "wios"}:
                label = {"device": words[0].replace(":", "-"), "way": key}
                yield f"cgroup_io_{key.lstrip('rw')}", label, float(value)
    elif len(words) == 2 and words[0][0].isdigit() and words[1].isdigit():
        yield "cgroup_cpu_limit", {}, float(words[0]) / float(words[1])
    elif words[0] in {"usage_usec", "throttled_usec"}:
        yield f"cgroup_cpu_{words[0]}", {}, float(words[1])


def _docker(stats: dict[str, Any]) -> Iterator[Sample]:
    label = {"name": str(stats.get("name", "")).lstrip("/")}
    cpu = stats["cpu_stats"]
    yield "cgroup_cpu_usage_usec", label, cpu["cpu_usage"]["total_usage"] / 1e3
    throttled = cpu.get("throttling_data", {}).get("throttled_time", 0)
    yield "cgroup_cpu_throttled_usec", label, throttled / 1e3
    if "online_cpus" in cpu:
        yield "cgroup_cpu_limit", label, float(cpu["online_cpus"])
    for entry in stats.get("blkio_stats", {}).get("io_service_bytes_recursive") or ():
        if entry["op"].lower() in {"read", "write"}:
            device = f"{entry['major']}-{entry['minor']}"
            labels = {**label, "device": device, "way": entry["op"].lower()}
            yield "cgroup_io_bytes", labels, float(entry["value"])
    for name, network in (stats.get("networks") or {}).items():
        for way in ("rx_bytes", "tx_bytes"):
            labels = {**label, "device": name, "way": way}
            yield "cgroup_network_bytes", labels, float(network[way])


READER = Reader(KIND, r'(?m)\A\{.*"read":.*"cpu_stats"|^(usage_usec \d+|\d+:\d+ rbytes=\d+)$', read)
