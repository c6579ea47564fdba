"""k6: ``--out csv``, ``--out json`` and ``--summary-export``.

Times are in milliseconds. Source: Grafana k6 documentation, results output.
"""

import csv
from datetime import datetime

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, Requests, summary
from calibration.recordings.source import Source, parsed
from qmodel.errors import FileError

KIND = "k6"
_REQUESTS = ("http_req_duration", "grpc_req_duration")
_ROWS = tuple(f"{each}," for each in _REQUESTS)
_MAPPING = (("vus", "users"), ("http_req_duration", "throughput, response_time"))


def read(source: Source) -> Recording:
    """Requests by second, or the summary of the run."""
    start = source.head.lstrip()
    if start.startswith("{") and '"type":"Metric"' not in start[:2000]:
        return _summary(source)
    requests = Requests()
    (_csv if start.startswith("metric_name") else _json)(source, requests)
    if not requests.count:
        raise FileError(source.path, "no http_req_duration in it; did a request end?")
    return Recording(source.path, KIND, "UTC", requests.series(), _MAPPING, requests.notes)


def _csv(source: Source, requests: Requests) -> None:
    """Of a row with quotation marks the cells are split by the rules, of others at commas."""
    lines = source.lines()
    name = next(lines).split(",").index("name")
    stamp, when = "", 0.0
    for line in lines:
        if line.startswith(_ROWS):
            cells = line.split(",") if '"' not in line else next(csv.reader([line]))
            if cells[1] != stamp:
                stamp, when = cells[1], moment(cells[1])[0]
            requests.add(when, float(cells[2]) * 1e-3, cells[name])
        elif line.startswith("vus,"):
            cells = line.split(",", 3)
            requests.add_users(moment(cells[1])[0], float(cells[2]))
        elif line.startswith("http_req_failed,"):
            requests.failed += line.split(",", 3)[2].startswith("1")


def _json(source: Source, requests: Requests) -> None:
    for number, line in enumerate(source.lines(), 1):
        if '"type":"Point"' not in line:
            continue
        if not any(f'"metric":"{each}"' in line for each in (*_REQUESTS, "vus", "http_req_failed")):
            continue
        point = parsed(line, source.path, number)
        data = point["data"]
        if point["metric"] == "http_req_failed":
            requests.failed += int(data["value"])
            continue
        when = datetime.fromisoformat(data["time"]).timestamp()
        if point["metric"] == "vus":
            requests.add_users(when, float(data["value"]))
        else:
            name = data.get("tags", {}).get("name", "")
            requests.add(when, float(data["value"]) * 1e-3, name)


def _summary(source: Source) -> Recording:
    """One run; the users are those of its last second."""
    found = {k: v.get("values", v) for k, v in source.json()["metrics"].items()}
    times, row = found["http_req_duration"], {("throughput", ""): float(found["http_reqs"]["rate"])}
    named = {"avg": "response_time", "p(95)": "p95", "p(99)": "p99"}
    row |= {(ours, ""): float(times[k]) * 1e-3 for k, ours in named.items() if k in times}
    users = found.get("vus", {})
    least, most = float(users.get("min", 0.0)), float(users.get("max", 0.0))
    notes: tuple[str, ...] = ()
    if least < most:
        notes = (
            f"users varied from {least:g} to {most:g}, and a summary mixes them: use --out csv",
        )
    elif most:
        row["population", ""] = most
    return Recording(source.path, f"{KIND} summary", "runs", summary([row]), _MAPPING, notes)


READER = Reader(
    KIND,
    (
        r"\Ametric_name,timestamp,metric_value|"
        r'\A\{"type":"Metric"|(?s:\A\s*\{(?=.{0,400}"metrics")(?=.*"http_req))'
    ),
    read,
)
