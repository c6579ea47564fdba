"""JMeter: its result files (.jtl) as CSV and as XML, and the tables of its report listeners.

A sample's time is that of its beginning, in milliseconds. Samples inside of samples, and rows that
sum up a transaction controller's own, are left out. Source: Apache JMeter, User's Manual; the
Aggregate and the Summary Report by it alone, not recorded here.
"""

import csv
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from calibration.recordings.number_style import decimal_comma, has_decimal_comma, plain
from calibration.recordings.reader import Reader, day_first, moment
from calibration.recordings.series import Recording, Requests, summary
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "JMeter"
_MAPPING = (("allThreads", "users"), ("elapsed", "throughput, response_time"))
_PER = {"": 1.0, "sec": 1.0, "min": 60.0, "hour": 3600.0}
_REPORTED = {"Average": "response_time", "95% Line": "p95", "99% Line": "p99"}
_OPENED = re.compile(r"<(httpSample|sample)\s([^>]*?)(/?)>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
#: What JMeter says of a transaction controller's own row, and what follows if it did nothing.
_SUM, _NOTHING = "Number of samples in transaction : ", "0,"
#: How far equal times are apart, and rounded ones; before all times; labels that are told apart.
_SAME, _CLOSE, _NEVER, _LABELS = 0.5e-3, 1.5e-3, (-1e18, -1e18), 1000
#: What is read of a sample, as columns and as attributes.
_COLUMNS = ("timeStamp", "elapsed", "IdleTime", "label", "success", "allThreads", "responseMessage",
            "threadName")  # fmt: skip
_KEYS = ("ts", "t", "it", "lb", "s", "na", "rm", "tn")
_Sample = tuple[float, float, float, str, bool, str]


@dataclass(slots=True)
class _Threads:
    """Tells requests from their sub-samples and from rows that sum up transactions.

    What lies inside of the sample before it in its thread is its part, what lies around it a sum;
    a transaction without its samples is a request. Those of several generators whose threads have
    one name may do so by chance, but not most of a label.
    """

    requests: Requests = field(default_factory=Requests)
    clock: str = "UTC"
    days: bool = False  # whether dates begin with them
    last: dict[str, tuple[float, float]] = field(default_factory=dict)
    waiting: dict[str, _Sample] = field(default_factory=dict)  # their samples may follow
    parts: dict[str, int] = field(default_factory=dict)  # of a label, less its others
    left: int = 0
    sums: int = 0

    def offer(self, texts: Sequence[str]) -> None:
        """Take a sample if it is a request, and before it a transaction that waited."""
        stamp, took, idle, label, good, users, message, thread = texts
        if len(stamp) == 13 and stamp.isdecimal():
            begin = int(stamp) / 1e3
        else:
            begin, self.clock = moment(stamp, days=self.days)
        seconds = int(took) * 1e-3
        end = begin + seconds + (0.0 if idle in {"", "0"} else int(idle) * 1e-3)
        sample = begin, end, seconds, label, good == "false", users
        is_sum = message.startswith(_SUM)
        if whole := self.waiting.pop(thread, None):
            twin = is_sum and label == whole[3]  # it does not hold itself
            if begin < whole[1] - _SAME and end < whole[1] + _CLOSE and not twin:
                self.left += 1
            else:
                self.take(thread, whole)
                self.sums += 1
        first, until = self.last.get(thread, _NEVER) if thread else _NEVER
        around = begin < first + _SAME and (is_sum or end > until - _CLOSE)
        part = begin < until - _SAME
        part = part and (around or (begin > first - _CLOSE and end < until + _CLOSE))
        if label in self.parts or len(self.parts) < _LABELS:
            self.parts[label] = more = self.parts.get(label, 0) + (1 if part else -1)
            part = part and more >= 0
        if is_sum and thread and not around and not message.startswith(_NOTHING, len(_SUM)):
            self.waiting[thread] = sample
        elif part or is_sum:
            self.left += 1
            self.last[thread] = (begin, end) if around else (first, until)
        else:
            self.take(thread, sample)

    def take(self, thread: str, sample: _Sample) -> None:
        """Count a request."""
        begin, end, took, label, bad, users = sample
        self.last[thread] = begin, end
        self.requests.add(end, took, label)
        self.requests.failed += bad
        if users:
            self.requests.add_users(end, float(users))


def read(source: Source) -> Recording:
    """Requests by second, and the threads that were active; of a report the run as one."""
    if source.head.startswith("Label"):
        return _report(source)
    stamps = re.findall(r"(?m)^(\d+[/-][^,;\t\n]*)", source.head)
    if (days := day_first(stamps)) is None:
        problem = f"{stamps[0]} may begin with its day or its month; write the year first, or set"
        raise FileError(source.path, f"{problem} jmeter.save.saveservice.timestamp_format=ms")
    threads = _Threads(days=days)
    (_xml if source.head.lstrip()[0] == "<" else _csv)(source, threads)
    for thread, sample in threads.waiting.items():
        threads.take(thread, sample)
    requests, sums = threads.requests, threads.sums + len(threads.waiting)
    if not requests.count:
        only = ", only sums of transactions; save thread names too" if threads.left else ""
        raise FileError(source.path, f"no sample in it{only}")
    left = f"{threads.left:,} sub-samples and sums of transactions are left out"
    kept = f"{sums:,} transactions count as requests; their samples are missing"
    notes = (*requests.notes, *[left] * (threads.left > 0), *[kept] * (sums > 0))
    return Recording(source.path, KIND, threads.clock, requests.series(), _MAPPING, notes)


def _report(source: Source) -> Recording:
    rows = csv.DictReader(source.lines(), delimiter=source.head[len("Label")])
    total = {row["Label"]: row for row in rows}.get("TOTAL", {})
    cells = {k: v for k, v in total.items() if k and v and v != "N/A"}
    rate, _, per = cells.pop("Throughput", "").partition("/")
    if not rate or per not in _PER:
        raise FileError(source.path, "no Throughput in a row TOTAL; is the file cut off?")
    try:
        commas = decimal_comma([rate, *cells.values()])
    except ValueError as error:
        problem = f"{error} may be a thousand or a little more than one; save plain numbers"
        raise FileError(source.path, problem) from None
    said = {
        key: float(plain(cell, commas=commas or has_decimal_comma(cell)).replace(",", ""))
        for key, cell in {"Throughput": rate, **cells}.items()
        if key in {"Throughput", *_REPORTED}
    }
    row = {("throughput", ""): said["Throughput"] / _PER[per]}
    row |= {(of, ""): said[k] * 1e-3 for k, of in _REPORTED.items() if k in said}
    mapping = (("Throughput", "throughput"), ("Average", "response_time"))
    notes = ("it does not say how many users there were: use the .jtl, or add a column users",)
    return Recording(source.path, f"{KIND} report", "runs", summary([row]), mapping, notes)


def _csv(source: Source, threads: _Threads) -> None:
    lines = source.lines()
    header = next(lines).strip()
    mark = header[len("timeStamp")]
    at = {name: place for place, name in enumerate(header.split(mark))}
    pick = itemgetter(*(at.get(name, -1) for name in _COLUMNS))  # the last one is added here
    reader = csv.reader(lines, delimiter=mark)
    for cells in reader:
        if not cells or cells[0] == "timeStamp":  # of a second file behind the first
            continue
        if len(cells) < len(at):
            problem = f"{len(cells)} cells, expected {len(at)}; is the file cut off?"
            raise FileError(source.path, problem, line=reader.line_num + 1)
        threads.offer(pick([*cells, ""]))


def _xml(source: Source, threads: _Threads) -> None:
    depth = 0
    for line in source.lines():
        for found in _OPENED.finditer(line):
            is_sum = not depth and f'rm="{_SUM}' in found[2]
            if not depth:
                sample = dict(_ATTRIBUTE.findall(found[2]))
                threads.offer([html.unescape(sample.get(key, "")) for key in _KEYS])
            depth += not found[3] and not is_sum  # what a transaction holds are requests
        depth = max(0, depth - line.count("</httpSample>") - line.count("</sample>"))


READER = Reader(
    KIND,
    r"\A(Label([,;\t])# Samples\2Average|timeStamp[,;\t]elapsed|\s*(<[^>]*>\s*)?<testResults)",
    read,
)
