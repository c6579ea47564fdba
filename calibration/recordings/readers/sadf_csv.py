"""sysstat's ``sadf -d``: columns between semicolons, named in a line that begins with a hash.

It does not say how many processors there are. Source: manual page sadf(1), sysstat 12.
"""

from __future__ import annotations

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import MAPPING, take
from qmodel.errors import FileError

KIND = "sadf -d"


def sniff(head: str) -> bool:
    """Whether its header is that of sadf."""
    return head.lstrip().startswith("# hostname;interval;timestamp")


def read(source: Source) -> Recording:
    """Processor, disks and networks."""
    table, columns, clock = SampleTable(), list[str](), "UTC"
    for number, line in enumerate(source.lines(), 1):
        if line.startswith("#"):
            columns = line.lstrip("# ").split(";")
            continue
        cells = line.split(";")
        if not line.strip() or "LINUX-RESTART" in line:
            continue
        values = dict(zip(columns, cells, strict=False))
        if values.get("CPU", "-1") not in {"-1", "all"} or values.get("IFACE") == "lo":
            continue
        try:
            if len(cells) != len(columns):
                raise ValueError(line)
            end, clock = moment(values["timestamp"])
            interval = float(values["interval"])
            row = {k: float(values[k].replace(",", ".")) for k in values.keys() & MAPPING.keys()}
        except (KeyError, ValueError):
            problem = "expected host, interval, time and numbers; is the file cut off?"
            raise FileError(source.path, problem, line=number) from None
        if interval > 0.0:
            of = values.get("DEV", values.get("IFACE", ""))
            take(table, end, interval, row, of, values["hostname"])
    if not table.rows:
        raise FileError(source.path, "no processor, disk or network in it; write -u, -d or -n DEV")
    return Recording(source.path, KIND, clock, table.series(), tuple(MAPPING.items()))


READER = Reader(KIND, sniff, read)
