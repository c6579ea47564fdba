"""Locust: the tables of ``--csv``, statistics and their history.

The history counts from the beginning; what happened between two of its rows is their difference.
Times are in milliseconds. Source: Locust documentation, retrieve test statistics in CSV format.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import pairwise

from calibration.recordings.reader import Reader
from calibration.recordings.series import Recording, Requests, Series, series_of, summary
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "Locust"
_MAPPING = (
    ("User Count", "users"),
    ("Total Request Count", "throughput"),
    ("Total Average Response Time", "response_time"),
)


def read(source: Source) -> Recording:
    """The history by class, or the run as one."""
    is_history = source.head.lstrip('" ').startswith("Timestamp")
    return _history(source) if is_history else _statistics(source)


def _statistics(source: Source) -> Recording:
    for row in csv.DictReader(source.lines()):
        if row["Name"] == "Aggregated":
            found = {
                ("throughput", ""): float(row["Requests/s"]),
                ("response_time", ""): float(row["Average Response Time"]) * 1e-3,
            }
            notes = ("it does not say how many users there were: use the history",)
            return Recording(
                source.path, f"{KIND} statistics", "runs", summary([found]), _MAPPING[1:], notes
            )
    raise FileError(source.path, "no row Aggregated; is the file cut off?")


def _history(source: Source) -> Recording:
    rows: dict[str, list[tuple[float, float, float]]] = {}
    users, failed = [], 0
    last = None
    for row in csv.DictReader(source.lines()):
        name = "" if row["Name"] == "Aggregated" else row["Name"]
        time, count = float(row["Timestamp"]), float(row["Total Request Count"])
        mean = float(row["Total Average Response Time"] or 0.0)
        rows.setdefault(name, []).append((time, count, count * mean * 1e-3))
        if not name:
            if last is not None and time > last:
                users.append((time, time - last, float(row["User Count"])))
            last, failed = time, int(row["Total Failure Count"])
    if len(users) < 2:
        raise FileError(source.path, "fewer than two rows Aggregated; is the file cut off?")
    series = [series_of("population", "", "", users)]
    for name, samples in rows.items():
        series += _between(name, samples)
    notes = Requests({("", 0): round(rows[""][-1][1])}, failed=failed).notes
    return Recording(source.path, f"{KIND} history", "UTC", tuple(series), _MAPPING, notes)


def _between(name: str, samples: list[tuple[float, float, float]]) -> Iterator[Series]:
    """Throughput and response time between two rows; statistics may be reset once."""
    rates, times = [], []
    for (t0, n0, s0), (t1, n1, s1) in pairwise(samples):
        count, busy = (n1 - n0, s1 - s0) if n1 >= n0 else (n1, s1)
        if t1 <= t0:
            continue
        rates.append((t1, t1 - t0, count / (t1 - t0)))
        if count:
            times.append((t1, t1 - t0, max(busy, 0.0) / count, count))
    yield series_of("throughput", name, "", rates)
    mean = series_of("response_time", name, "", [row[:3] for row in times])
    number = series_of("", "", "", [(t, d, n) for t, d, _, n in times]).value
    yield Series(mean.quantity, name, "", mean.end, mean.interval, mean.value, number)


READER = Reader(
    KIND, r'\A"?(Type"?,"?Name"?,"?Request Count|Timestamp"?,"?User Count"?,"?Type)', read
)
