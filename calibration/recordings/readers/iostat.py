"""iostat as it prints: reports of the processors and of each disk.

The first report covers the time since the computer was started, and is left out. Without ``-t``
there is no time in it, and nothing says how long a sample is. Source: manual page iostat(1).
"""

from itertools import pairwise

from calibration.recordings.reader import MONTH_FIRST, NO_TIMES, Reader, day_first, moment
from calibration.recordings.series import Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import MAPPING, counted_once, numbers, take
from qmodel.errors import FileError

KIND = "iostat"


def read(source: Source) -> Recording:
    """Processor and disks; a report begins with its time, or with what comes round again."""
    banner = source.head.partition("\n")[0]
    host = banner.partition("(")[2].partition(")")[0]
    count = float(banner.rpartition("(")[2].split()[0])
    reports: list[tuple[str, list[tuple[str, dict[str, float]]]]] = []
    columns, kinds = list[str](), set[str]()
    for line in list(source.lines())[1:]:
        words = line.split()
        if not words:
            columns = [] if columns[:1] == ["avg-cpu:"] else columns
        elif words[0] in {"avg-cpu:", "Device", "Device:"}:
            columns = words
            if not reports or words[0] in kinds:
                reports.append(("", []))
                kinds = set()
            kinds.add(words[0])
        elif columns and columns[0] == "avg-cpu:" and len(words) == len(columns) - 1:
            reports[-1][1].append(("", numbers(columns[1:], words)))
        elif columns and len(words) == len(columns):
            reports[-1][1].append((words[0], numbers(columns, words)))
        else:
            reports.append((line.strip(), []))
            columns, kinds = [], set()
    reports = [report for report in reports if report[1]]
    if len(reports) < 2:
        raise FileError(source.path, "only one report, of all the time since boot; record more")
    timed = all(stamp for stamp, _ in reports)
    days = day_first(stamp for stamp, _ in reports)
    times = [
        moment(stamp, days=bool(days)) if timed else (float(number), "own")
        for number, (stamp, _) in enumerate(reports)
    ]
    table = SampleTable()
    for ((before, _), (end, _)), (_, rows) in zip(pairwise(times), reports[1:], strict=True):
        for of, row in rows:
            if end > before:
                take(table, end, end - before, row, of, host, count)
    notes: tuple[str, ...] = () if timed else (NO_TIMES,)
    notes += (MONTH_FIRST.format(reports[0][0]),) if days is None else ()
    return Recording(
        source.path, KIND, times[0][1], counted_once(table), tuple(MAPPING.items()), notes
    )  # fmt: skip


READER = Reader(KIND, r"\A\s*\S+ \S+ \([^\n]*CPU\)\s(?s:.{0,200})^(avg-cpu:|Device)", read)
