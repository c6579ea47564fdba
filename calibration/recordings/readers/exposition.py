"""Prometheus's text format and OpenMetrics: scrapes of node_exporter and others, one or several.

A scrape ends where a series stands a second time, or with ``# EOF``. Its time is that of its
samples, or node_exporter's ``node_time_seconds``. Source: OpenMetrics 1.0; Prometheus, exposition
formats.
"""

import re
from pathlib import Path

from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "Prometheus text"

_SAMPLE = re.compile(
    r"(?P<name>[a-zA-Z_:][\w:.]*)(?:\{(?P<labels>.*)\})?\s+(?P<value>\S+)(?:\s+(?P<time>\S+))?"
)
_LABEL = re.compile(r'([\w.]+)="((?:[^"\\]|\\.)*)"')


def read(source: Source) -> Metrics:
    """All samples, at the times of their scrapes."""
    metrics = Metrics(KIND, source.path)
    source.at_most(Path(source.path).stat().st_size)
    scrape: dict[tuple[str, str], float] = {}
    for line in source.lines():
        text = line.strip()
        if text == "# EOF":
            _flush(metrics, scrape)
        if not text or text.startswith("#"):
            continue
        found = _SAMPLE.fullmatch(text.partition(" # ")[0].rstrip())
        if found is None:
            raise ValueError(text)
        name, labels, value = found["name"], found["labels"] or "", float(found["value"])
        if found["time"]:
            time = float(found["time"]) / (
                1e3 if len(found["time"].partition(".")[0]) > 11 else 1.0
            )
            metrics.add(name, dict(_LABEL.findall(labels)), [time], [value])
            continue
        if (name, labels) in scrape:
            _flush(metrics, scrape)
        scrape[name, labels] = value
    _flush(metrics, scrape)
    return metrics


def _flush(metrics: Metrics, scrape: dict[tuple[str, str], float]) -> None:
    """A scrape at its time."""
    if not scrape:
        return
    time = scrape.get(("node_time_seconds", ""))
    if time is None:
        problem = (
            "samples without a time; record node_exporter with its collector time, or write time "
            "stamps behind the values"
        )
        raise FileError(metrics.path, problem)
    for (name, labels), value in scrape.items():
        metrics.add(name, dict(_LABEL.findall(labels)), [time], [value])
    scrape.clear()


READER = Reader(
    KIND,
    (
        r"\A\s*# (TYPE|HELP|UNIT) \S+ |"
        r'\A[a-zA-Z_:][\w:.]*\{[\w.]+="[^\n]*"[^"\n]*\}\s+[-+\d.eEInfNa]+(\s+[-\d.]+)?\s*$'
    ),
    read,
)
