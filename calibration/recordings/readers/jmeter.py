"""JMeter: its result files (.jtl) as CSV and as XML, and the tables of its report listeners.

A sample's time is that of its beginning, in milliseconds. Samples inside of samples, and rows that
sum up a transaction controller's own, are left out. Source: Apache JMeter, User's Manual; the
Aggregate and the Summary Report by it alone, not recorded here.
"""

import csv
import html
import re

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, Requests, summary
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "JMeter"
_MAPPING = (("allThreads", "users"), ("elapsed", "throughput, response_time"))
_REPORTED = {"Average": "response_time", "95% Line": "p95", "99% Line": "p99"}
_OPENED = re.compile(r"<(httpSample|sample)\s([^>]*?)(/?)>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def read(source: Source) -> Recording:
    """Requests by second, and the threads that were active; of a report the run as one."""
    if source.head.startswith("Label"):
        return _report(source)
    requests = Requests()
    clock = _xml(source, requests) if source.head.lstrip()[0] == "<" else _csv(source, requests)
    if not requests.count:
        raise FileError(source.path, "no sample in it")
    return Recording(source.path, KIND, clock, requests.series(), _MAPPING, requests.notes)


def _report(source: Source) -> Recording:
    rows = csv.DictReader(source.lines(), delimiter=source.head[len("Label")])
    total = {row["Label"]: row for row in rows}.get("TOTAL", {})
    said = {k: v.replace(",", ".") for k, v in total.items() if k and v and v != "N/A"}
    if "Throughput" not in said:
        raise FileError(source.path, "no Throughput in a row TOTAL; is the file cut off?")
    row = {("throughput", ""): float(said["Throughput"])}
    row |= {(of, ""): float(said[k]) * 1e-3 for k, of in _REPORTED.items() if k in said}
    mapping = (("Throughput", "throughput"), ("Average", "response_time"))
    notes = ("it does not say how many users there were: use the .jtl, or add a column users",)
    return Recording(source.path, f"{KIND} report", "runs", summary([row]), mapping, notes)


def _csv(source: Source, requests: Requests) -> str:
    lines = source.lines()
    header = next(lines).strip()
    mark = header[len("timeStamp")]
    at = {name: place for place, name in enumerate(header.split(mark))}
    elapsed, label, good = at["elapsed"], at.get("label"), at.get("success")
    threads, said = at.get("allThreads"), at.get("responseMessage")
    clock = "UTC"
    for number, cells in enumerate(csv.reader(lines, delimiter=mark), 2):
        if not cells:
            continue
        if len(cells) < len(at):
            problem = f"{len(cells)} cells, expected {len(at)}; is the file cut off?"
            raise FileError(source.path, problem, line=number)
        if said is not None and cells[said].startswith("Number of samples in transaction"):
            continue
        begin, clock = moment(cells[0])
        seconds = int(cells[elapsed]) * 1e-3
        end = begin + seconds
        requests.add(end, seconds, cells[label] if label is not None else "")
        if good is not None and cells[good] == "false":
            requests.failed += 1
        if threads is not None:
            requests.add_users(end, float(cells[threads]))
    return clock


def _xml(source: Source, requests: Requests) -> str:
    depth = 0
    for line in source.lines():
        for found in _OPENED.finditer(line):
            if not depth:
                sample = dict(_ATTRIBUTE.findall(found[2]))
                seconds = int(sample["t"]) * 1e-3
                end = moment(sample["ts"])[0] + seconds
                requests.add(end, seconds, html.unescape(sample.get("lb", "")))
                requests.failed += sample.get("s") == "false"
                if "na" in sample:
                    requests.add_users(end, float(sample["na"]))
            depth += not found[3]
        depth -= line.count("</httpSample>") + line.count("</sample>")
    return "UTC"


READER = Reader(
    KIND,
    r"\A(Label([,;\t])# Samples\2Average|timeStamp[,;\t]elapsed|\s*(<[^>]*>\s*)?<testResults)",
    read,
)
