"""The readers of recordings; a new one is a file in ``readers/`` and a line here."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from os import PathLike, fspath

from calibration.recordings import metric_names
from calibration.recordings.counters import Metrics
from calibration.recordings.header import Heading
from calibration.recordings.joining import check_clock
from calibration.recordings.reader import Reader
from calibration.recordings.series import Recording
from calibration.recordings.source import Source, opened
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

#: Asked in this order; a table with times is the last, for others are such tables as well.
READERS: tuple[Reader, ...] = tuple(
    import_module(f"calibration.recordings.readers.{name}").READER for name in (
        "prometheus_json", "otlp", "cloudwatch", "azure_monitor", "google_monitoring", "datadog",
        "k6", "jmeter", "locust", "wrk", "pgbench", "iostat", "sysstat_json", "sadf_csv",
        "sar_text", "vmstat", "cgroup", "exposition", "access_log", "perfmon", "unread",
        "timed_table",
    )
)  # fmt: skip


def reader_of(source: Source) -> Reader | None:
    """Who reads a file that begins like this; None if no reader does."""
    return next((reader for reader in READERS if reader.knows(source.head)), None)


def load_recording(path: str | PathLike[str]) -> Recording:
    """The recording in a file; FileError says what the file is not, or lacks."""
    return load_recordings([opened(str(fspath(path)))])[0]


def load_recordings(
    sources: Sequence[Source], columns: Mapping[str, Heading] | None = None,
    asked: Sequence[Metrics] = (), east: float | None = None,
) -> tuple[Recording, ...]:  # fmt: skip
    """The recordings in several files; metrics of one kind are taken together.

    `columns` says what columns and metrics are that are not known by their names, `asked` are
    metrics of a running server, `east` how far times of no zone are ahead of UTC. [s]
    FileError says what a file is not, or lacks.
    """
    taken = dict(columns or {})
    found: list[Recording] = []
    metrics: dict[tuple[str, str], Metrics] = {}
    for content in (*[_content(each) for each in sources], *asked):
        if isinstance(content, Recording):
            found.append(content)
        elif (key := (content.kind, content.clock)) in metrics:
            check_clock(metrics[key], content)
            metrics[key].merge(content)
        else:
            metrics[key] = content
    found += [metric_names.recording_of(each, taken) for each in metrics.values()]
    for i, each in enumerate(found):
        if each.clock == "local" and east is not None:
            series = tuple(replace(one, end=one.end - east) for one in each.series)
            found[i] = replace(each, clock="UTC", series=series)
    return tuple(found)


def _content(source: Source) -> Recording | Metrics:
    """What a reader makes of a file; what it stumbles over is the file's mistake."""
    reader = reader_of(source)
    if reader is None:
        first = next(line.strip() for line in source.head.splitlines() if line.strip())
        name = {"<": "XML or HTML", "{": "JSON", "[": "JSON"}.get(first[:1], "text")
        problem = f"no known kind of recording; {name} that begins with {show_text(first)}"
        raise FileError(source.path, f"{problem}; qmodel import --help lists the kinds")
    try:
        return reader.read(source)
    except FileError:
        raise
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        StopIteration,
        TypeError,
        ValueError,
        csv.Error,
    ) as error:
        says = {KeyError: f": no {error}", ValueError: f": {error}"}.get(type(error), "")
        raise FileError(source.path, f"not what {reader.kind} writes, or cut off{says}") from None
