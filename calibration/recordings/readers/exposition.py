"""Prometheus's text format and OpenMetrics: scrapes of node_exporter and others, one or several.

A scrape ends where a series stands a second time, or with ``# EOF``. Its time is that of its
samples, or node_exporter's ``node_time_seconds``. Source: OpenMetrics 1.0; Prometheus, exposition
formats.
"""

from __future__ import annotations

import re

from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "Prometheus text"

_SAMPLE = re.compile(
    r"(?P<name>[a-zA-Z_:][\w:.]*)(?:\{(?P<labels>.*)\})?[ \t]+(?P<value>\S+)(?:[ \t]+(?P<time>\S+))?"
)
_LABEL = re.compile(r'([\w.]+)="((?:[^"\\]|\\.)*)"')


def sniff(head: str) -> bool:
    """Whether its first lines are comments of the format, or samples."""
    lines = [line for line in head.lstrip("\ufeff").splitlines()[:6] if line.strip()]
    marked = any(re.match(r"# (TYPE|HELP|UNIT) \S+ ", f"{line} ") for line in lines)
    labelled = r'[a-zA-Z_:][\w:.]*\{[\w.]+=".*"[^"]*\}\s+[-+\d.eEInfNa]+(\s+[-\d.]+)?'
    return marked or bool(lines and re.fullmatch(labelled, lines[0].strip()))


def read(source: Source) -> Metrics:
    """All samples, at the times of their scrapes."""
    metrics = Metrics(KIND, source.path)
    scrape: dict[tuple[str, str], float] = {}
    for number, line in enumerate(source.lines(), 1):
        text = line.strip()
        if text == "# EOF":
            _flush(metrics, scrape)
            continue
        if not text or text.startswith("#"):
            continue
        found = _SAMPLE.fullmatch(text.partition(" # ")[0].rstrip())
        try:
            if found is None:
                raise ValueError(text)
            value = float(found["value"])
            if found["time"]:
                stamp = float(found["time"])
                stamp = stamp / 1e3 if stamp > 1e11 else stamp
                labels = dict(_LABEL.findall(found["labels"] or ""))
                metrics.add(found["name"], labels, [stamp], [value])
                continue
        except ValueError as error:
            if isinstance(error, FileError):
                raise
            problem = "expected a metric and its value, as in node_load1 0.25"
            raise FileError(source.path, problem, line=number) from None
        key = found["name"], found["labels"] or ""
        if key in scrape:
            _flush(metrics, scrape)
        scrape[key] = value
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


READER = Reader(KIND, sniff, read)
