"""Prometheus: what its HTTP interface answers to ``query_range``, as JSON.

Source: Prometheus documentation, HTTP API, range queries.
"""

from pathlib import Path
from typing import Any

from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader
from calibration.recordings.source import METRICS_LIMIT, Source
from qmodel.errors import FileError

KIND = "Prometheus query_range"


def read(source: Source) -> Metrics:
    """All series of the answer; one without a name is called as the file is."""
    metrics = Metrics(KIND, source.path)
    add_answer(metrics, source.json(METRICS_LIMIT), Path(source.path).name.split(".")[0])
    if not metrics.samples:
        raise FileError(source.path, "no series in it; does the query name metrics of this range?")
    return metrics


def add_answer(metrics: Metrics, answer: Any, unnamed: str = "") -> None:
    """What is in an answer; FileError if it is no range of samples."""
    if answer["status"] != "success":
        problem = f"Prometheus answered: {answer.get('error', 'no success')}"
        raise FileError(metrics.path, problem, key="status")
    if answer["data"]["resultType"] != "matrix":
        problem = f"expected a range of samples (matrix), got {answer['data']['resultType']}"
        raise FileError(metrics.path, f"{problem}; ask query_range", key="data.resultType")
    for result in answer["data"]["result"]:
        labels = dict(result["metric"])
        name = labels.pop("__name__", unnamed)
        if "histograms" in result and "__name__" not in result["metric"]:
            problem = "a native histogram without a name, as rate() gives it"
            raise FileError(metrics.path, f"{problem}; query the histogram itself")
        for part in ("count", "sum") if "histograms" in result else ():  # of a native one
            times, values = zip(
                *((at, each[part]) for at, each in result["histograms"]), strict=True
            )
            metrics.add(f"{name}_{part}", labels, map(float, times), map(float, values))
        if "values" not in result and "histograms" in result:
            continue
        times, values = zip(*result["values"], strict=True)
        metrics.add(name, labels, map(float, times), map(float, values))


READER = Reader(KIND, r'\A\s*\{\s*"status"\s*:\s*"(success|error)"', read)
