"""A table with a column of times: what Grafana exports as CSV, and any other like it.

Headings are those of a user's table in all their spellings; Grafana's older form has the columns
Series, Time and Value. Source: Grafana documentation, inspect and download panel data.
"""

import csv
import re

from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader, moment
from calibration.recordings.source import Source

KIND = "table with times"
_TIME = r"(date ?)?time( ?stamp)?|date|ts"
_CELL = re.compile(r"([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(\D*)")


def read(source: Source) -> Metrics:
    """The numbers of all columns by their headings; a unit behind numbers is put into them."""
    metrics = Metrics(KIND, source.path)
    lines = (line for line in source.lines() if line.strip() and not line.startswith("sep="))
    header = next(lines)
    rows = csv.reader(lines, delimiter=(separator := max(",;\t", key=header.count)))
    names = [name.strip() for name in next(csv.reader([header], delimiter=separator))]
    place = next(i for i, name in enumerate(names) if re.fullmatch(_TIME, name, re.IGNORECASE))
    long_form = [name.lower() for name in names] == ["series", "time", "value"]
    held: dict[str, tuple[list[float], list[float]]] = {}
    for cells in rows:
        pairs = dict(zip(names, cells, strict=True))
        time, metrics.clock = moment(pairs.pop(names[place]))
        for name, cell in ({cells[0]: cells[2]} if long_form else pairs).items():
            if found := _CELL.fullmatch(cell.strip().replace(",", ".")):
                unit = f" [{found[2].strip()}]" if found[2].strip() and name[-1] not in "])" else ""
                samples = held.setdefault(name + unit, ([], []))
                samples[0].append(time)
                samples[1].append(float(found[1]))
    for name, (times, values) in held.items():
        metrics.add(name, {}, times, values)
    return metrics


READER = Reader(KIND, rf'(?i)\A\ufeff?(sep=.\s+)?"?([^",;\t\n]+"?[,;\t])?"?({_TIME})"?[,;\t]', read)
