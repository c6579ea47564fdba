"""Access logs of web servers: common, combined with a time behind it, and JSON.

A number behind a combined line is seconds if it has a point (nginx ``$request_time``), else
microseconds (Apache ``%D``). A request ends when it is logged. Sources: Apache mod_log_config,
nginx ngx_http_log_module, Caddy and Traefik access logs; those two by their documentation.
"""

import json
import re
from typing import Any

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, Requests
from calibration.recordings.source import Source, parsed

KIND = "access log"
_LINE = re.compile(
    r'\S+ \S+ .+? \[(?P<time>[^\]]+)\] "(?P<request>(?:[^"\\]|\\.)*)" (?P<status>\d{3}) (?:\d+|-)'
    r'(?: "(?:[^"\\]|\\.)*" "(?:[^"\\]|\\.)*")?(?:.*?[ =](?P<took>\d+(?:\.\d+)?))?"?\s*'
)
#: Keys of a time and of a duration with its size in seconds.
_TIMES = ("time", "timestamp", "@timestamp", "ts", "time_iso8601", "time_local", "StartUTC")
_TOOK = {
    **dict.fromkeys(("request_time", "duration", "latency", "elapsed", "response_time"), 1.0),
    **dict.fromkeys(("duration_ms", "request_time_ms", "latency_ms", "response_time_ms"), 1e-3),
    **dict.fromkeys(("duration_us", "request_time_us"), 1e-6),
    **dict.fromkeys(("Duration", "duration_ns"), 1e-9),
}


def read(source: Source) -> Recording:
    """Requests by second, by path without what stands behind a question mark."""
    requests = Requests()
    as_json = source.head.lstrip().startswith("{")
    first = source.head.lstrip().partition("\n")[0]
    key = (_keys(json.loads(first)) if as_json else None) or ("", "")
    shown, when, clock, bad = "", 0.0, "UTC", 0
    for number, line in enumerate(source.lines(), 1):
        if not line.strip():
            continue
        if as_json:
            row = parsed(line, source.path, number)
            stamp, took, status = str(row[key[0]]), row.get(key[1]), str(row.get("status", ""))
            seconds = None if took in {None, "", "-"} else float(took) * _TOOK[key[1]]
            request = row.get("request", row.get("uri", row.get("path", "")))
            request = request.get("uri", "") if isinstance(request, dict) else str(request)
        else:
            found = _LINE.fullmatch(line)
            if found is None:
                bad += 1
                continue
            stamp, request, status = found["time"], found["request"], found["status"]
            took = found["took"]
            seconds = None if took is None else float(took) * (1.0 if "." in took else 1e-6)
        if stamp != shown:
            shown, (when, clock) = stamp, moment(stamp)
        words = request.split(" ")
        path = words[1] if len(words) > 1 else words[0]
        requests.add(when, seconds, path.partition("?")[0])
        requests.failed += status.startswith("5")
    notes: tuple[str, ...] = (f"{bad:,} lines are no requests and were left out",) if bad else ()
    if not requests.busy:
        notes += ("it has no durations; add $request_time (nginx) or %D (Apache) to its format",)
    mapping = [("lines", "throughput")]
    mapping += [(key[1] or "the last number", "response_time")] if requests.busy else []
    return Recording(
        source.path, KIND, clock, requests.series(), tuple(mapping), (*notes, *requests.notes)
    )


def _keys(row: Any) -> tuple[str, str] | None:
    """Where time and duration stand; there may be no duration, but then a status."""
    if not isinstance(row, dict):
        return None
    time = next((each for each in _TIMES if each in row), None)
    took = next((each for each in _TOOK if each in row), None)
    return (time, took or "") if time and (took or "status" in row) else None


READER = Reader(
    KIND,
    rf'\A({_LINE.pattern}$|\{{(?=.*"({"|".join(_TIMES)})":)(?=.*"(status|{"|".join(_TOOK)})":).*\}}$)',
    read,
)
