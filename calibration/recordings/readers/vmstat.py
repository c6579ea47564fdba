"""vmstat, best with ``-t``: one line a sample; the first one, since the start, is left out.

Blocks are of 1024 bytes. Source: manual page vmstat(8).
"""

from itertools import pairwise

from calibration.recordings.reader import NO_TIMES, Reader, moment
from calibration.recordings.series import KILOBYTE, Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import take
from qmodel.errors import FileError

KIND = "vmstat"


def read(source: Source) -> Recording:
    """The processor, and what all disks moved."""
    columns: list[str] = []
    rows: list[tuple[float, dict[str, float]]] = []
    clock, zone = "own", ""
    for line in source.lines():
        words = line.split()
        if words[:1] == ["r"]:
            zone = "" if words[-1] in {"wa", "st", "gu"} else words[-1]
            columns = words[:-1] if zone else words
        elif words and words[0].strip("-") != "procs":
            time = float(len(rows))
            if zone:
                time, clock = moment(" ".join(words[len(columns) :]))
                clock = "UTC" if zone == "UTC" else clock
            values = map(float, words[: len(columns)])
            rows.append((time, dict(zip(columns, values, strict=True))))
    if len(rows) < 3:
        raise FileError(source.path, "fewer than two samples; vmstat's first line is no sample")
    table = SampleTable()
    for (before, _), (end, row) in pairwise(rows):
        if end > before:
            take(table, end, end - before, {"idle": row["id"], "iowait": row["wa"]}, "")
            table.add(end, end - before, "volume", "disk", (row["bi"] + row["bo"]) * KILOBYTE)
    mapping = (("id, wa", "utilization:cpu"), ("bi, bo", "volume:disk"))
    notes = () if zone else (NO_TIMES,)
    return Recording(source.path, KIND, clock, table.series(), mapping, notes)


READER = Reader(KIND, r"\A(--)?procs-* -[^\n]*\n[^\n]* us +sy +id", read)
