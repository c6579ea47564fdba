"""Access logs of web servers: common and combined with more behind them, JSON, IIS and HAProxy.

A request ends when it is logged; HAProxy's time is that of its beginning. Sources: Apache
mod_log_config, nginx ngx_http_log_module, access logs of Caddy, Traefik, Echo, vegeta, IIS and
HAProxy (option httplog); those by their documentation.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from calibration.recordings.reader import Reader, moment
from calibration.recordings.readers.access_times import LONG, NAME, SIZES, Times, times_in, unit_of
from calibration.recordings.series import Recording, Requests
from calibration.recordings.source import Source, parsed

KIND = "access log"
_LINE = re.compile(
    r'\S+ \S+ .+? \[(?P<time>[^\]]+)\] "(?P<request>(?:[^"\\]|\\.)*)" (?P<status>\d{3}) '
    r"(?:\d+|-)(?!\S)"
)
_HAPROXY = (
    r".{0,200}? \[(?P<begin>\d\d/\w{3}/\d{4}:[\d:]{8})\.\d{3}\] \S+ \S+ (?:-?\d+/){4}"
    r'\+?(?P<took>\d+) (?P<code>-1|\d{3}) [^"]* "(?P<asked>[^"]*)"'
)
#: A duration with its unit, as 26ms and 1m3.2s.
_SAID = re.compile(r"(?:(\d+)h)?(?:(\d+)m(?=\d))?(.+?)([nuµm]?s)")
#: Keys of a time.
_TIMES = ("time", "timestamp", "@timestamp", "ts", "time_iso8601", "time_local", "StartUTC")
#: Finds in a line when, what, its status and how long; None if it is no request.
_Finds = Callable[[str, int], tuple[Any, ...] | None]


def read(source: Source) -> Recording:
    """Requests by second, by path without what stands behind a question mark."""
    begun = re.match(_HAPROXY, source.head) is not None
    kinds = {"{": _json, "#": _iis}
    find, times = (_haproxy if begun else kinds.get(source.head.lstrip()[0], _text))(source)
    requests, size = Requests(), SIZES[times.unit]
    shown, when, clock, bad = "", 0.0, "UTC", 0
    for number, line in enumerate(source.lines(), 1):
        row = find(line, number)
        if row is None:
            bad += bool(line.strip()) and line[0] != "#"
            continue
        stamp, request, status, took = row
        if stamp != shown:
            shown, (when, clock) = stamp, moment(stamp)
        words = request.split(" ", 2)
        path = words[1] if len(words) > 1 else words[0]
        seconds = _seconds(took, size)
        requests.add(when + (seconds or 0.0) * begun, seconds, path.partition("?")[0])
        requests.failed += status.startswith("5")
    notes = [f"{bad:,} lines are no requests and were left out"] if bad else []
    series, mapping = requests.series(), [("lines", "throughput")]
    if requests.took:
        times.check(source.path, np.asarray(requests.took), float(len(series[0].end)))
        mapping += [(f"{times.name} [{times.unit}]", "response_time")]
    else:
        notes += ["it has no durations; add rt=$request_time (nginx) or took=%Dus (Apache) to it"]
    notes += requests.notes
    return Recording(source.path, KIND, clock, series, tuple(mapping), tuple(notes))


def _seconds(took: Any, size: float) -> float | None:
    """A duration, a number or a text that may have its unit. [s]"""
    if isinstance(took, str) and (said := _SAID.fullmatch(took)):
        hours, minutes, number, unit = said.groups("0")
        return 3600.0 * int(hours) + 60.0 * int(minutes) + float(number) * SIZES[unit]
    return None if took in {None, "", "-"} else float(took) * size


def _text(source: Source) -> tuple[_Finds, Times]:
    """Lines as Apache, nginx, Tomcat and Traefik write them."""
    lines = source.head.splitlines()
    where, times = times_in(
        [line[found.end() :] for line in lines if (found := _LINE.match(line))], source.path
    )
    match, names = re.compile(_LINE.pattern + where).match, ("time", "request", "status", "took")
    return lambda line, _: (found := match(line)) and found.group(*names), times


def _json(source: Source) -> tuple[_Finds, Times]:
    """Objects, one a line; where the time and the duration stand in the first, and its unit."""
    first = json.loads(source.head.lstrip().partition("\n")[0])
    key = next(each for each in _TIMES if each in first)
    named = [each for each in first if re.fullmatch(NAME, each)]
    name = max(named, key=lambda e: (unit_of(e, "") > "", e == "request_time"), default="")
    in_ns = name == "Duration" or not {"latency_human", "attack"}.isdisjoint(first)
    unit = unit_of(name, str(first.get(name))) or ("ns" if in_ns else "")
    known = name == "request_time" or isinstance(first.get("request"), dict)  # nginx and Caddy
    remedy = f"""rename it, as sed 's/"{name}":/"{name}_ms":/' does (or _s, _us, _ns)"""
    longest = 0.0 if unit else LONG if known else 1.0
    times = Times(name, unit or "s", longest, f"{name} {first.get(name)}", remedy)

    def find(line: str, number: int) -> tuple[Any, ...] | None:
        if not line.strip():
            return None
        row = parsed(line, source.path, number)
        request = row.get("request", row.get("uri", row.get("path", row.get("url", ""))))
        request = request.get("uri", "") if isinstance(request, dict) else str(request)
        return str(row[key]), request, str(row.get("status", row.get("code", ""))), row.get(name)

    return find, times


def _iis(_: Source) -> tuple[_Finds, Times]:
    """W3C logs of IIS, with times in UTC and durations in milliseconds."""
    names: list[str] = []

    def find(line: str, _: int) -> tuple[Any, ...] | None:
        cells = line.split()
        if line.startswith("#Fields:"):  # at each start of the server
            names[:] = cells[1:]
        if line.startswith("#") or len(cells) != len(names):
            return None
        row = dict(zip(names, cells, strict=True))
        stamp = f"{row['date']} {row['time']}Z"
        return stamp, row["cs-uri-stem"], row["sc-status"], row.get("time-taken")

    return find, Times("time-taken", "ms")


def _haproxy(_: Source) -> tuple[_Finds, Times]:
    """HTTP logs, with durations in milliseconds; their times name no zone."""
    match = re.compile(_HAPROXY).match
    names = "begin", "asked", "code", "took"
    return lambda line, _: (found := match(line)) and found.group(*names), Times("Ta", "ms")


READER = Reader(
    KIND,
    rf"\A({_HAPROXY}|{_LINE.pattern}|#Software: Microsoft Internet Information Services|"
    rf'\{{(?=.*"({"|".join(_TIMES)})":)(?=.*"(status|{NAME})":).*\}}$)',
    read,
)
