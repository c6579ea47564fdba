"""A table with a column of times: what Grafana exports as CSV, and any other like it.

Headings are those of a user's table in all their spellings, a unit may stand behind the numbers;
Grafana's older form has the columns Series, Time and Value. A column may name the computer of a
row. Source: Grafana documentation, inspect and download panel data.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from statistics import median

from calibration.recordings.counters import Metrics
from calibration.recordings.header import UNITS
from calibration.recordings.number_style import decimal_comma, has_decimal_comma, plain
from calibration.recordings.reader import ZONE, Reader, ahead, day_first, moment
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "table with times"
_ZONE = rf" ?\((?:local|{ZONE})\)"
#: A lone start is of a row, one beside an end or users of a run.
_ROW = r"(hour|period) (start|end)(ing)?|start(?!.*\b(end|until|to|users?|vus|config\w*)\b)"
_TIME = rf"(date ?)?time( ?stamp)?({_ZONE})?( ?\((start|end)\))?|date|ts|{_ROW}"
#: Rows so long begin at their times, if the first is at this one. [s]
_COARSE, _MIDNIGHT = 900.0, r"(.*[T ])?(00?:00(:00)?|12:00(:00)? AM)(?![:\d]).*|\d+\D\d+\D\d+"
#: A day or a time of day alone, in columns of their own.
_DAY = re.compile(r"\d+[-/.]\d+[-/.]\d+")
_CLOCK = re.compile(r"\d\d?:\d\d(:\d\d([.,]\d+)?)?( ?[AP]M)?", re.IGNORECASE)
#: The line of headings; and lines of a title before it, at most.
_HEADER, _TITLES = rf'(?i:\ufeff?(?:"?(?:#|[^"#,;\t\n]+)"?[,;\t])?"?(?:{_TIME})"?[,;\t])', 20
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
    header = next(line for line in lines if re.match(_HEADER, line))
    is_time = re.compile(rf'\s*"?({_TIME})"?\s*', re.IGNORECASE).fullmatch
    marks = [mark for mark in ",;\t" if any(map(is_time, header.split(mark)))] or [*",;\t"]
    rows = csv.reader(lines, delimiter=(separator := max(marks, key=header.count)))
    names = [name.strip() for name in next(csv.reader([header], delimiter=separator))]
    if twice := [name for name, times in Counter(filter(None, names)).items() if times > 1]:
        raise FileError(source.path, f"two columns {twice[0]}; rename one", line=next(at))
    timed = [name for name in names if re.fullmatch(_TIME, name, re.IGNORECASE)]
    place = names.index(timed[0])
    long_form = [name.lower() for name in names] == ["series", "time", "value"]
    held: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    stamps: dict[str, None] = {}
    for cells in rows:
        if len(cells) <= place or not re.search(r"\d", cells[place]):  # blank, units or a total
            continue
        if len(cells) < len(names) or any(map(str.strip, cells[len(names) :])):
            problem = f"{len(cells)} cells, expected {len(names)}; is the file cut off?"
            raise FileError(source.path, problem, line=next(at))
        pairs = dict(zip(names, cells, strict=False))
        stamps[stamp := _stamp(pairs, timed)] = None
        host = next((pairs.pop(n) for n in names if re.fullmatch(_HOST, n, re.IGNORECASE)), "")
        for name, cell in ({cells[0]: cells[2]} if long_form else pairs).items():
            if name and (found := _CELL.fullmatch(cell.strip())):
                held.setdefault((name, host), []).append((stamp, found[1], found[2].strip()))
    at_stamp, metrics.clock = _moments(source.path, stamps, timed)
    _as_ends(metrics, at_stamp, timed)
    known = {*timed, *(name for name, _ in held)}
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
        told = [(at_stamp[time], plain(n, commas=commas), unit) for time, n, unit in column]
        _add(metrics, name, host, told)
    return metrics


def _stamp(cells: dict[str, str], timed: Sequence[str]) -> str:
    """When a row was, taken out of it: of one column, or of a day's and a time of day's."""
    day = next((name for name in timed if _DAY.fullmatch(cells[name].strip())), "")
    clock = next((name for name in timed if _CLOCK.fullmatch(cells[name].strip())), "")
    if day and clock:
        return f"{cells.pop(day).strip()} {cells.pop(clock).strip()}"
    return cells.pop(max(timed, key=lambda name: len(cells[name].strip())))  # the one with both


def _moments(
    path: str, stamps: Iterable[str], timed: Iterable[str]
) -> tuple[dict[str, float], str]:
    """Seconds since 1970 of all stamps, and their clock; a heading may say the zone.

    FileError if one is no time, zones are mixed, or day and month may be either.
    """
    zone = next(filter(None, (re.search(_ZONE, name, re.IGNORECASE) for name in timed)), None)
    try:
        days = day_first(stamps)
        found = {stamp: moment(stamp, days=bool(days)) for stamp in stamps}
    except ValueError as error:
        remedy = "write day and time of day, as 2026-11-30 14:00:00"
        raise FileError(path, f"{error}; {remedy}") from None
    if days is None:
        problem = f"{next(iter(stamps))} may begin with its day or its month"
        raise FileError(path, f"{problem}; write the year first in all of them, as 2026-11-30")
    if len(clocks := {clock for _, clock in found.values()}) > 1:
        raise FileError(path, "some times name a zone and some do not; export them alike")
    east = ahead(zone[0]) if zone and clocks == {"local"} else None
    clock = "UTC" if east is not None else next(iter(clocks), "UTC")
    return {stamp: time - (east or 0.0) for stamp, (time, _) in found.items()}, clock


def _as_ends(metrics: Metrics, at_stamp: dict[str, float], timed: Sequence[str]) -> None:
    """Set times that are starts of rows to their ends, as a heading or long rows of a day say."""
    times = sorted({*at_stamp.values()})
    step = median(b - a for a, b in pairwise(times)) if len(times) > 1 else 0.0
    told = re.search("start|end", " ".join(timed).lower())
    begins = re.fullmatch(_MIDNIGHT, min(at_stamp, key=at_stamp.__getitem__, default=""))
    side = told[0] if told else "start" if begins and step >= _COARSE else "end"
    if step >= _COARSE and not told:
        other = f"a heading Time ({'end' if side == 'start' else 'start'}) says otherwise"
        metrics.notes += [
            f"{metrics.path}: times are the {side}s of {step / 60.0:.4g} min; {other}"
        ]
    at_stamp |= {stamp: time + step * (side == "start") for stamp, time in at_stamp.items()}


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
        sizes = next((s for s in UNITS.values() if unit and unit in s and first in s), None)
        ratio = float(sizes[unit] / sizes[first]) if sizes else 1.0
        values.append(float(number.replace(",", "")) * (_SIZES[more[1]] if more else 1.0) * ratio)
    name += f" [{first}]" if first and name[-1] not in "])" else ""
    labels = {"host": host} if host else {}
    metrics.add(name, labels, [time for time, _, _ in column], values)


READER = Reader(KIND, rf"\A(?:[^\n]*\n){{0,{_TITLES}}}?{_HEADER}", read)
