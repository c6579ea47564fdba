"""sysstat's ``sadf -d``: columns between semicolons, named in a line that begins with a hash.

With ``-h`` it is read if all columns are of one kind. It does not say how many processors there
are. Source: manual page sadf(1), sysstat 12.
"""

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import MAPPING, counted_once, numbers, take
from qmodel.errors import FileError

KIND = "sadf -d"
#: Columns of a line before those of what was measured: host, interval and time.
_FIXED = 3


def read(source: Source) -> Recording:
    """Processor, disks and networks."""
    table, columns, clock = SampleTable(), list[str](), "UTC"
    for line in source.lines():
        cells = line.lstrip("# ").split(";")
        if line.startswith("#"):
            cells = line.replace("[...]", "").lstrip("# ").split(";")
            some = {*cells} & {"CPU", "DEV", "IFACE"} and {*cells} & MAPPING.keys()
            columns = cells if some and line.count("[...]") < 2 else []
        elif columns and line.strip() and "LINUX-RESTART" not in line:
            width = len(columns) - _FIXED
            for at in range(_FIXED, max(len(cells), _FIXED + 1), width):  # -h has all in a line
                part = [*cells[:_FIXED], *cells[at : at + width]]
                values = dict(zip(columns, part, strict=True))
                if values.get("CPU", "-1") in {"-1", "all"} and values.get("IFACE") != "lo":
                    end, clock = moment(values["timestamp"])
                    of = values.get("DEV", values.get("IFACE", ""))
                    row = numbers(columns, part)
                    take(table, end, float(values["interval"]), row, of, values["hostname"])
    if not table.rows:
        better = "write it with sadf -d FILE -- -u -d -n DEV, without -h, which mixes them"
        raise FileError(source.path, f"no processor, disk or network in it; {better}")
    return Recording(source.path, KIND, clock, counted_once(table), tuple(MAPPING.items()))


READER = Reader(KIND, r"\A# hostname;interval;timestamp", read)
