"""Prometheus: what its HTTP interface answers to ``query_range``, as JSON.

Source: Prometheus documentation, HTTP API, range queries.
"""

from __future__ import annotations

import re
from pathlib import Path

from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader
from calibration.recordings.source import Source
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

KIND = "Prometheus query_range"


def sniff(head: str) -> bool:
    """Whether it is an answer of Prometheus."""
    return re.match(r'\s*\{\s*"status"\s*:\s*"(success|error)"', head) is not None


def read(source: Source) -> Metrics:
    """All series of the answer; one without a name is called as the file is."""
    answer = source.json()
    if not isinstance(answer, dict) or answer.get("status") != "success":
        said = answer.get("error", "no success") if isinstance(answer, dict) else "no table"
        raise FileError(source.path, f"Prometheus answered: {said}", key="status")
    data = answer.get("data")
    kind = data.get("resultType") if isinstance(data, dict) else None
    if kind != "matrix":
        problem = f"expected a range of samples (matrix), got {kind}; ask query_range"
        raise FileError(source.path, problem, key="data.resultType")
    metrics = Metrics(KIND, source.path)
    stem = Path(source.path).name.split(".")[0]
    try:
        for result in data["result"]:
            labels = dict(result["metric"])
            name = labels.pop("__name__", stem)
            times = [float(time) for time, _ in result["values"]]
            metrics.add(name, labels, times, [float(value) for _, value in result["values"]])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        problem = f"not what query_range answers: {show_text(str(error))}"
        raise FileError(source.path, problem, key="data.result") from None
    if not metrics.samples:
        raise FileError(source.path, "no series in it; does the query name metrics of this range?")
    return metrics


READER = Reader(KIND, sniff, read)
