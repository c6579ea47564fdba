"""iostat: what it prints, and ``-o JSON``.

The first report covers the time since the computer was started, and is left out. Without ``-t``
there is no time in it, and nothing says how long a sample is. Source: manual page iostat(1).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import MAPPING, take
from qmodel.documents.wording import show_text
from qmodel.errors import FileError

KIND = "iostat"

Report = tuple[str, list[tuple[str, dict[str, float]]]]


def sniff(head: str) -> bool:
    """Whether it has a report of iostat."""
    start = head.lstrip()
    if start.startswith("{"):
        return '"sysstat"' in start[:200] and ('"avg-cpu"' in head or '"disk_device"' in head)
    return "(" in start.partition("\n")[0] and ("avg-cpu:" in start or "\nDevice " in start)


def read(source: Source) -> Recording:
    """Processor and disks."""
    try:
        if source.head.lstrip().startswith("{"):
            (host,) = source.json()["sysstat"]["hosts"]
            name, count = str(host.get("nodename", "")), float(host["number-of-cpus"])
            reports = [_of_json(entry) for entry in host["statistics"]]
        else:
            banner = source.head.partition("\n")[0]
            name = banner.partition("(")[2].partition(")")[0]
            count = float(banner.rpartition("(")[2].split()[0])
            reports = _of_text(source)
        times = [moment(stamp) for stamp, _ in reports if stamp]
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        problem = f"not what iostat writes: {show_text(str(error))}"
        raise FileError(source.path, problem) from None
    if len(reports) < 2:
        raise FileError(source.path, "one report alone, since the start of the computer; give more")
    clock, notes = ("own", ("it names no times, samples were taken as 1 s; record with -t",))
    ends = [float(number) for number in range(len(reports))]
    if len(times) == len(reports):
        clock, notes = times[0][1], ()
        ends = [time for time, _ in times]
    table = SampleTable()
    for (before, end), (_, rows) in zip(pairwise(ends), reports[1:], strict=True):
        for of, row in rows:
            if end > before:
                take(table, end, end - before, row, of, name)
                if not of:
                    table.add(end, end - before, "servers", "cpu", count, name)
    return Recording(source.path, KIND, clock, table.series(), tuple(MAPPING.items()), notes)


def _of_json(entry: dict[str, Any]) -> Report:
    rows = [("", entry["avg-cpu"])] if "avg-cpu" in entry else []
    rows += [(str(disk["disk_device"]), disk) for disk in entry.get("disk", ())]
    return str(entry.get("timestamp", "")), [(of, _known(row)) for of, row in rows]


def _known(row: dict[str, Any]) -> dict[str, float]:
    return {key: float(str(row[key]).replace(",", ".")) for key in row.keys() & MAPPING.keys()}


def _of_text(source: Source) -> list[Report]:
    """A report begins with its time, or with the processor, or with the disks."""
    reports: list[Report] = []
    columns, stamp, kinds = list[str](), "", set[str]()
    for number, line in enumerate(source.lines(), 1):
        words = line.split()
        if number == 1 or not words:
            columns = [] if not words and columns[:1] == ["avg-cpu:"] else columns
            continue
        if words[0] in {"avg-cpu:", "Device", "Device:"}:
            columns = words
            if not reports or words[0] in kinds:
                reports.append((stamp, []))
                kinds.clear()
            kinds.add(words[0])
        elif columns and columns[0] == "avg-cpu:" and words[0][0].isdigit() and len(words) > 4:
            reports[-1][1].append(("", _known(dict(zip(columns[1:], words, strict=False)))))
        elif columns and len(words) == len(columns) and columns[0] != "avg-cpu:":
            reports[-1][1].append((words[0], _known(dict(zip(columns, words, strict=True)))))
        else:
            stamp, columns = line.strip(), []
            kinds.clear()
            reports.append((stamp, []))
    return [report for report in reports if report[1]]


READER = Reader(KIND, sniff, read)
