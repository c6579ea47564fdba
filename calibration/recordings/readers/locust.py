"""Locust: the tables of ``--csv``, statistics and their history.

The history counts from the beginning, so that its columns are counters. Times are in milliseconds.
Source: Locust documentation, retrieve test statistics in CSV format.
"""

import csv

from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader
from calibration.recordings.series import Recording, summary
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "Locust"
_COUNT, _TIME = "Total Request Count", "Total Average Response Time"
_TIMES = {"Average Response Time": "response_time", "95%": "p95", "99%": "p99"}
_MAPPING = (("Requests/s", "throughput"), ("Average Response Time", "response_time"))


def read(source: Source) -> Recording | Metrics:
    """The history by class, or the run as one."""
    metrics = Metrics(KIND, source.path)
    metrics.called = {"request_time_ms_count": _COUNT, "request_time_ms_sum": _TIME}
    for row in csv.DictReader(source.lines()):
        every = row["Name"] == "Aggregated"
        if "Timestamp" not in row:
            if every:
                found = {("throughput", ""): float(row["Requests/s"])}
                for theirs, ours in _TIMES.items():
                    if row.get(theirs, "N/A") != "N/A":
                        found[ours, ""] = float(row[theirs]) * 1e-3
                notes = ("it does not say how many users there were: use the history",)
                kind = f"{KIND} statistics"
                return Recording(source.path, kind, "runs", summary([found]), _MAPPING, notes)
            continue
        time, count = [float(row["Timestamp"])], float(row[_COUNT])
        if every:
            metrics.add("User Count", {}, time, [float(row["User Count"])])
        label = {} if every else {"route": f"{row['Type']} {row['Name']}".strip()}
        metrics.add("request_time_ms_count", label, time, [count])
        metrics.add("request_time_ms_sum", label, time, [count * float(row[_TIME] or 0.0)])
    if not metrics.samples:
        raise FileError(source.path, "no row Aggregated; is the file cut off?")
    return metrics


READER = Reader(
    KIND, r'\A"?(Type"?,"?Name"?,"?Request Count|Timestamp"?,"?User Count"?,"?Type)', read
)
