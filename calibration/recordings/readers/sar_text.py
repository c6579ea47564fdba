"""sar and pidstat as they print: blocks with a header, each line with a time of day.

The date stands in the first line, the time of the sample before in each header. Source: manual
pages of sar(1) and pidstat(1), sysstat 12.
"""

from __future__ import annotations

import re

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import MAPPING, take
from qmodel.errors import FileError

KIND = "sar"
_BANNER = re.compile(r"\S+ \S+ \(([^)]*)\)\s+(\S+)\s+\S+\s+\((\d+) CPU\)")
_CLOCK = re.compile(r"\d\d:\d\d:\d\d")
_KEYS = {"CPU", "DEV", "IFACE", "PID"}


def sniff(head: str) -> bool:
    """Whether a banner is followed by a header of sar or pidstat."""
    lines = head.splitlines()[:12]
    return bool(lines and _BANNER.match(lines[0].strip())) and any(
        _KEYS & set(line.split()[1:]) and re.match(r"#|\d\d:", line) for line in lines[1:]
    )


def read(source: Source) -> Recording:
    """Processor, disks and networks, or processor time of processes."""
    banner = _BANNER.match(source.head)
    if banner is None:
        raise FileError(source.path, "no line that names the computer, its date and CPUs")
    host, date, count = banner[1], banner[2], float(banner[3])
    table, columns, before, day, clock = SampleTable(), list[str](), 0.0, 0.0, "local"
    last, interval = 0.0, 0.0
    for number, line in enumerate(source.lines(), 1):
        words = line.replace("# Time", "#Time").split()
        if len(words) < 4 or words[0].startswith("Average") or "RESTART" in line:
            continue
        if words[1] in {"AM", "PM"}:
            words = [f"{words[0]} {words[1]}", *words[2:]]
        header = bool(_KEYS & set(words[1:3]) or {"UID", "PID"} <= set(words))
        try:
            if header:
                columns = words[1:]
                if words[0] == "#Time":  # repeated before each sample, without a time
                    continue
                before = _time(date, words[0])[0]
                if before and before + day < last - 43200.0:
                    day += 86400.0
                before, last = (before + day if before else 0.0), 0.0
                continue
            if not columns:
                continue
            end, clock = _time(date, words[0])
            if clock == "local":
                while end + day < max(before, last) - 1.0:
                    day += 86400.0
                end += day
            if end != last:
                interval, before, last = end - before if before else 0.0, end, end
            values = dict(zip(columns, words[1:], strict=False))
            if "PID" in values:
                if interval > 0.0 and len(words) - 1 >= len(columns):
                    used = _number(values["%CPU"]) / 100.0
                    table.add(end, interval, "processors", values["Command"], used, host)
                    _once(table, end, interval, count, host)
                continue
            if values.get("CPU", "all") not in {"all", "-1"} or values.get("IFACE") == "lo":
                continue
            row = {key: _number(values[key]) for key in values.keys() & MAPPING.keys()}
        except ValueError:
            raise FileError(source.path, "expected a time and numbers", line=number) from None
        if interval > 0.0 and row:
            take(table, end, interval, row, values.get("DEV", values.get("IFACE", "")), host)
            if "%idle" in row:
                _once(table, end, interval, count, host)
    if not table.rows:
        problem = "two samples or more of the processor, disks or networks are needed"
        raise FileError(source.path, problem)
    processes = any(quantity == "processors" for quantity, _, _ in table.rows)
    mapping = (("%CPU", "processors of each command"),) if processes else tuple(MAPPING.items())
    kind = "pidstat" if processes else KIND
    return Recording(source.path, kind, clock, table.series(), mapping)


def _once(table: SampleTable, end: float, interval: float, count: float, host: str) -> None:
    """The number of processors, once for each sample."""
    rows = table.rows.get(("servers", "cpu", host))
    if not rows or rows[-1][0] != end:
        table.add(end, interval, "servers", "cpu", count, host)


def _time(date: str, text: str) -> tuple[float, str]:
    return moment(f"{date} {text}") if _CLOCK.match(text) else moment(text)


def _number(text: str) -> float:
    return float(text.replace(",", "."))


READER = Reader(KIND, sniff, read)
