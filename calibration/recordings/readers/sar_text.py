"""sar and pidstat as they print: blocks with a header, each line with a time of day.

The date stands in the first line of a day, the time of the sample before in each header; summer
time goes on where it ends. Source: manual pages of sar(1) and pidstat(1), sysstat 12.
"""

import re
from math import ceil

from calibration.recordings.reader import MONTH_FIRST, Reader, day_first, moment
from calibration.recordings.series import Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import MAPPING, counted_once, numbers, take
from qmodel.errors import FileError

KIND = "sar"
_BANNER = re.compile(r"\S+ \S+ \(([^)]*)\)\s+(\S+)\s+\S+\s+\((\d+) CPU\)")
_KEYS = {"CPU", "DEV", "IFACE", "PID", "UID"}
_HOUR, _DAY = 3600.0, 86400.0


def read(source: Source) -> Recording:
    """Processor, disks and networks, or processor time of processes."""
    host, date, count = "", "", 0.0
    table, columns, clock = SampleTable(), list[str](), "local"
    before = last = interval = day = begun = 0.0
    ended: dict[tuple[str, ...], tuple[float, float]] = {}  # of blocks, by their columns
    days, notes = _days(source)
    for line in source.lines():
        if line.endswith("CPU)") and (banner := _BANNER.match(line.lstrip())):
            host, date, count = banner[1], banner[2], float(banner[3])
            columns, ended, begun = [], {}, day % _DAY  # of summer time alone
            continue
        words = line.replace("# Time", "#Time").split()
        if len(words) < 4 or not (words[0][0].isdigit() or words[0] == "#Time"):  # means
            continue
        if "RESTART" in line:
            continue
        if words[1] in {"AM", "PM"}:
            words = [f"{words[0]} {words[1]}", *words[2:]]
        if header := not any(word[0].isdigit() for word in words[1:]):
            columns = words[1:] if _KEYS & set(words[1:3]) else []
            last, day = ended.get(tuple(columns), (0.0, begun))
        if words[0] == "#Time" or not columns:  # repeated before each sample, without a time
            continue
        stamp = f"{date} {words[0]}" if words[0][2] == ":" else words[0]
        end, clock = moment(stamp, days=bool(days))
        if clock == "local":
            if header and end + day < last - _DAY / 2:
                day += _DAY
            back = 0.0 if header else max(before, last) - end - day
            if back > 0.4 * _HOUR:
                day += _HOUR if back < 1.1 * _HOUR else _DAY * ceil(back / _DAY)
            end += day
        if header:
            gap, told = end - before, table.rows.get(("servers", "cpu", host), [(end,)])[-1][0]
            idle = "PID" in columns and told != end and 0.4 * interval < gap < 2.5 * interval
            if idle and (known := [key for key in table.rows if key[::2] == ("processors", host)]):
                table.add(end, gap, *known[0][:2], 0.0, host)  # none of its processes ran
                table.add(end, gap, "servers", "cpu", count, host)
            before, last = end, 0.0
            continue
        if end != last:
            interval, before, last = end - before if before else 0.0, end, end
            ended[tuple(columns)] = last, day
        values = dict(zip(columns, words[1:], strict=False))
        single = values.get("CPU", "all") not in {"all", "-1"} and "PID" not in values
        if interval <= 0.0 or single or ("PID" in values and "%CPU" not in values):
            continue
        if "PID" in values:
            used = float(values["%CPU"].replace(",", ".")) / 100.0
            table.add(end, interval, "processors", values["Command"], used, host)
            if table.rows.get(("servers", "cpu", host), [(0.0,)])[-1][0] != end:
                table.add(end, interval, "servers", "cpu", count, host)
        elif values.get("IFACE") != "lo":
            of = values.get("DEV", values.get("IFACE", ""))
            take(table, end, interval, numbers(columns, words[1:]), of, host, count)
    if not table.rows:
        raise FileError(source.path, "it needs two samples of the processor, disks or networks")
    processes = any(quantity == "processors" for quantity, _, _ in table.rows)
    mapping = (("%CPU", "processors of each command"),) if processes else tuple(MAPPING.items())
    kind = "pidstat" if processes else KIND
    return Recording(source.path, kind, clock, counted_once(table), mapping, notes)


def _days(source: Source) -> tuple[bool, tuple[str, ...]]:
    """Whether dates begin with the day, as in all languages but English, and a note if unsure."""
    texts = [s for line in source.lines() if (s := line.strip()) and not s[0].isdigit()]
    dates = [banner[2] for text in texts if (banner := _BANNER.match(text))]
    days = day_first(dates)
    try:
        moment(dates[0], days=bool(days))
    except ValueError as error:
        raise FileError(source.path, f"{error}; record it with LC_ALL=C") from None
    if days is not None:
        return days, ()
    foreign = any(re.match(r"(?!Average)\w+\.?\s?:\s", text) for text in texts)
    return foreign, () if foreign else (MONTH_FIRST.format(dates[0]),)


READER = Reader(KIND, rf"\A\s*{_BANNER.pattern}\s+(# |\d\d:)[^\n]*\s(CPU|DEV|IFACE|PID)\s", read)
