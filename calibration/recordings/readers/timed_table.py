"""A table with a column of times: what Grafana exports as CSV, and any other like it.

Headings are those of a user's table in all their spellings, a unit may stand behind the numbers;
Grafana's older form has the columns Series, Time and Value. A column may name the computer of a
row. Source: Grafana documentation, inspect and download panel data.
"""

import csv
import re
from collections import Counter
from itertools import count

from calibration.recordings.counters import Metrics
from calibration.recordings.header import UNITS
from calibration.recordings.number_style import decimal_comma, has_decimal_comma, plain
from calibration.recordings.reader import Reader, moment
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "table with times"
_TIME = r"(date ?)?time( ?stamp)?( ?\((utc|local)\))?|date|ts"
_HOST = r"(host|instance|server|computer|node)( ?name)?"
_CELL = re.compile(r"([-+]?[\d.,'\u2019\u00a0\u2009\u202f]*\d(?:[eE][-+]?\d+)?)\s*(\D*)")
#: Thousands and more before the unit of a rate or of none, as Grafana shortens them.
_MORE = re.compile(r"(k|K|Mil|M|Bil)\s?(?=$|req|ops|rps|wps|io|c/s|/s)")
_SIZES = {"k": 1e3, "K": 1e3, "M": 1e6, "Mil": 1e6, "Bil": 1e9}


def read(source: Source) -> Metrics:
    """The numbers of all columns by their headings; FileError names the line and what is wrong."""
    metrics = Metrics(KIND, source.path)
    at = count()  # lines that were read
    lines = (s for s in source.lines() if next(at) >= 0 and not s.startswith("sep="))
    header = next(line for line in lines if line.strip())
    is_time = re.compile(rf'\s*"?({_TIME})"?\s*', re.IGNORECASE).fullmatch
    marks = [mark for mark in ",;\t" if any(map(is_time, header.split(mark)))] or [*",;\t"]
    rows = csv.reader(lines, delimiter=(separator := max(marks, key=header.count)))
    names = [name.strip() for name in next(csv.reader([header], delimiter=separator))]
    if twice := [name for name, times in Counter(filter(None, names)).items() if times > 1]:
        raise FileError(source.path, f"two columns {twice[0]}; rename one", line=next(at))
    place = next(i for i, name in enumerate(names) if re.fullmatch(_TIME, name, re.IGNORECASE))
    long_form = [name.lower() for name in names] == ["series", "time", "value"]
    held: dict[tuple[str, str], list[tuple[float, str, str]]] = {}
    clocks: set[str] = set()
    for cells in rows:
        if len(cells) <= place or not re.search(r"\d", cells[place]):  # blank, units or a total
            continue
        if len(cells) < len(names) or any(map(str.strip, cells[len(names) :])):
            problem = f"{len(cells)} cells, expected {len(names)}; is the file cut off?"
            raise FileError(source.path, problem, line=next(at))
        pairs = dict(zip(names, cells, strict=False))
        time, metrics.clock = moment(pairs.pop(names[place]))
        clocks.add(metrics.clock)
        host = next((pairs.pop(n) for n in names if re.fullmatch(_HOST, n, re.IGNORECASE)), "")
        for name, cell in ({cells[0]: cells[2]} if long_form else pairs).items():
            if name and (found := _CELL.fullmatch(cell.strip())):
                held.setdefault((name, host), []).append((time, found[1], found[2].strip()))
    if len(clocks) > 1:
        raise FileError(source.path, "some times name a zone and some do not; export them alike")
    known = {names[place], *(name for name, _ in held)}
    rest = [n for n in names if n not in known and not re.fullmatch(_HOST, n, re.IGNORECASE)]
    for (name, _), column in held.items():
        if len(set(column)) > len({time for time, _, _ in column}):
            apart = f"by {rest[0]}" if rest and not long_form else "as where a clock is set back"
            problem = f"{name} has two values at one time, {apart}; sum or average them by time"
            raise FileError(source.path, f"{problem}, or export each as a file of its own")
    numbers = [number for column in held.values() for _, number, _ in column]
    commas = False
    try:
        commas = decimal_comma(numbers)
    except ValueError as error:
        problem = f"{error} may be a thousand or a little more than one; export plain numbers"
        if separator != ",":  # where commas are quoted, they are usual between thousands
            raise FileError(source.path, problem) from None
    if odd := next((n for n in numbers if not commas and has_decimal_comma(n)), ""):
        problem = f"{odd} has a decimal comma, and others have points; export plain numbers"
        raise FileError(source.path, problem)
    for (name, host), column in held.items():
        _add(metrics, name, host, [(t, plain(n, commas=commas), unit) for t, n, unit in column])
    return metrics


def _add(metrics: Metrics, name: str, host: str, column: list[tuple[float, str, str]]) -> None:
    """Numbers of a column in one unit: that of the heading, or else of the first."""
    first, values = "", []
    own = re.search(r"[\[(]([^\[\]()]+)[\])]$", name)
    if own and any(own[1].strip() in sizes for sizes in UNITS.values()):
        first = own[1].strip()
    for _, number, said in column:
        more = _MORE.match(said)
        unit = said[more.end() :] if more else said
        first = first or unit
        sizes = next((s for s in UNITS.values() if unit in s and first in s), None)
        ratio = float(sizes[unit] / sizes[first]) if sizes else 1.0
        values.append(float(number.replace(",", "")) * (_SIZES[more[1]] if more else 1.0) * ratio)
    name += f" [{first}]" if first and name[-1] not in "])" else ""
    labels = {"host": host} if host else {}
    metrics.add(name, labels, [time for time, _, _ in column], values)


READER = Reader(KIND, rf'(?i)\A\ufeff?(sep=.\s+)?"?([^",;\t\n]+"?[,;\t])?"?({_TIME})"?[,;\t]', read)
