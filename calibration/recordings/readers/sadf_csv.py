"""sysstat's ``sadf -d``: columns between semicolons, named in a line that begins with a hash.

It does not say how many processors there are. Source: manual page sadf(1), sysstat 12.
"""

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import MAPPING, numbers, take

KIND = "sadf -d"


def read(source: Source) -> Recording:
    """Processor, disks and networks."""
    table, columns, clock = SampleTable(), list[str](), "UTC"
    for line in source.lines():
        cells = line.lstrip("# ").split(";")
        if line.startswith("#"):
            columns = cells
        elif line.strip() and "LINUX-RESTART" not in line:
            values = dict(zip(columns, cells, strict=True))
            if values.get("CPU", "-1") in {"-1", "all"} and values.get("IFACE") != "lo":
                end, clock = moment(values["timestamp"])
                of = values.get("DEV", values.get("IFACE", ""))
                row = numbers(columns, cells)
                take(table, end, float(values["interval"]), row, of, values["hostname"])
    return Recording(source.path, KIND, clock, table.series(), tuple(MAPPING.items()))


READER = Reader(KIND, r"\A# hostname;interval;timestamp", read)
