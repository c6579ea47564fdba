"""The readers of recordings; a new one is a file in ``readers/`` and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath

from calibration.recordings import metric_names
from calibration.recordings.counters import Metrics
from calibration.recordings.header import Heading
from calibration.recordings.reader import Reader
from calibration.recordings.readers import (
    access_log,
    cgroup,
    exposition,
    iostat,
    jmeter,
    k6,
    locust,
    otlp,
    pgbench,
    prometheus_json,
    sadf_csv,
    sadf_json,
    sar_text,
    timed_table,
    vmstat,
    wrk,
)
from calibration.recordings.series import Recording
from calibration.recordings.source import Source, opened
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

#: Asked in this order; a table with times is the last, for others are such tables as well.
READERS: tuple[Reader, ...] = (
    prometheus_json.READER,
    otlp.READER,
    k6.READER,
    jmeter.READER,
    locust.READER,
    wrk.READER,
    pgbench.READER,
    sadf_json.READER,
    sadf_csv.READER,
    iostat.READER,
    sar_text.READER,
    vmstat.READER,
    cgroup.READER,
    exposition.READER,
    access_log.READER,
    timed_table.READER,
)

Progress = Callable[[int, int], None]


def reader_of(source: Source) -> Reader | None:
    """Who reads a file that begins like this; None if nobody does."""
    return next((reader for reader in READERS if reader.sniff(source.head)), None)


def load_recording(path: str | PathLike[str]) -> Recording:
    """The recording in a file.

    Raises
    ------
    FileError
        One line that says what the file is not, or lacks.
    """
    source = opened(str(fspath(path)))
    return load_recordings([source])[0]


def load_recordings(
    sources: Sequence[Source], columns: Mapping[str, Heading] | None = None
) -> tuple[Recording, ...]:
    """The recordings in several files; metrics of one kind are taken together.

    Parameters
    ----------
    sources : sequence of Source
        The files.
    columns : dict of str to Heading, optional
        What columns and metrics are that are not known by their names.

    Raises
    ------
    FileError
        One line that says what a file is not, or lacks.
    """
    taken = dict(columns or {})
    found: list[Recording] = []
    metrics: dict[str, Metrics] = {}
    for source in sources:
        reader = reader_of(source)
        if reader is None:
            raise FileError(source.path, f"of no kind that is read here; {_begins(source.head)}")
        content = timed_table.read(source, taken) if reader is timed_table.READER else reader.read(source)
        if isinstance(content, Recording):
            found.append(content)
        elif content.kind in metrics:
            metrics[content.kind].merge(content)
        else:
            metrics[content.kind] = content
    return (*found, *(metric_names.recording_of(each, taken) for each in metrics.values()))


def _begins(head: str) -> str:
    first = next((line.strip() for line in head.splitlines() if line.strip()), "")
    name = {"<": "XML or HTML", "{": "JSON", "[": "JSON"}.get(first[:1], "text")
    return f"{name} that begins with {show_text(first)}; qmodel import --help names the kinds"
