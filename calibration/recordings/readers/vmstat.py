"""vmstat, best with ``-t``: one line a sample; the first one, since the start, is left out.

Blocks are of 1024 bytes. Source: manual page vmstat(8).
"""

from __future__ import annotations

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import KILOBYTE, Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import take
from qmodel.errors import FileError

KIND = "vmstat"


def sniff(head: str) -> bool:
    """Whether its two headers stand on top."""
    return head.lstrip().startswith("procs ") and " us sy id" in head[:400]


def read(source: Source) -> Recording:
    """The processor, and what all disks moved."""
    columns: list[str] = []
    rows: list[tuple[float, dict[str, float]]] = []
    clock, zone = "own", ""
    for number, line in enumerate(source.lines(), 1):
        words = line.split()
        if not words or words[0] == "procs":
            continue
        if words[0] == "r":
            zone = words[-1] if len(words) > 17 else ""
            columns = words[:-1] if zone else words
            continue
        try:
            values = dict(zip(columns, map(float, words[: len(columns)]), strict=True))
            time = float(len(rows))
            if zone:
                time, clock = moment(" ".join(words[len(columns) :]))
                clock = "UTC" if zone == "UTC" else clock
        except ValueError:
            raise FileError(source.path, "expected a line of numbers", line=number) from None
        rows.append((time, values))
    if len(rows) < 3:
        raise FileError(source.path, "fewer than two samples; vmstat's first line is no sample")
    table = SampleTable()
    for (before, _), (end, row) in zip(rows, rows[1:], strict=False):
        if end > before:
            take(table, end, end - before, {"idle": row["id"], "iowait": row["wa"]}, "")
            moved = (row["bi"] + row["bo"]) * KILOBYTE
            table.add(end, end - before, "volume", "disk", moved)
    mapping = (("id, wa", "utilization:cpu"), ("bi, bo", "volume:disk"))
    notes = () if zone else ("it names no times, samples were taken as 1 s; record with -t",)
    return Recording(source.path, KIND, clock, table.series(), mapping, notes)


READER = Reader(KIND, sniff, read)
