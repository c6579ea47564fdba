"""pgbench: its summary, ``--progress``, and the files of ``--log``, aggregated or not.

With ``--rate`` latency counts from when a transaction was due, and clients are no users. Source:
PostgreSQL documentation, pgbench.
"""

from __future__ import annotations

import re

from calibration.recordings.reader import Reader
from calibration.recordings.series import Recording, Requests, SampleTable, Series, summary
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "pgbench"
_PROGRESS = re.compile(r"^progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+|NaN) ms", re.MULTILINE)
_LOGGED = re.compile(r"\d+ \d+ (\d+|skipped|failed) \d+ \d{9,} \d+( \d+){0,2}")
_AGGREGATED = re.compile(r"\d{9,} \d+ \d+ \d+ \d+ \d+( \d+)*")


def sniff(head: str) -> bool:
    """Whether it is one of the four."""
    first = head.lstrip().partition("\n")[0].rstrip()
    return (
        _LOGGED.fullmatch(first) is not None
        or _AGGREGATED.fullmatch(first) is not None
        or any(
            line.startswith(("pgbench (", "progress: ", "number of transactions actually proc"))
            for line in head.splitlines()[:30]
        )
    )


def read(source: Source) -> Recording:
    """Transactions by second or interval, or the run as one."""
    first = source.head.lstrip().partition("\n")[0].rstrip()
    if _LOGGED.fullmatch(first):
        return _log(source)
    if _AGGREGATED.fullmatch(first):
        return _aggregated(source)
    text = source.text()
    clients = re.search(r"^number of clients: (\d+)", text, re.MULTILINE)
    open_loop = "rate limit schedule lag" in text or "schedule lag" in text
    users = float(clients[1]) if clients and not open_loop else None
    steps = _PROGRESS.findall(text)
    mapping = [("tps", "throughput"), ("latency", "response_time")]
    if users is not None:
        mapping.append(("number of clients", "users, with think time 0"))
    if not steps:
        rate = re.search(r"^tps = ([\d.]+)", text, re.MULTILINE)
        mean = re.search(r"^latency average = ([\d.]+) ms", text, re.MULTILINE)
        if rate is None or mean is None:
            raise FileError(source.path, "no tps and latency average in it; was it stopped?")
        row = {
            ("throughput", ""): float(rate[1]), ("response_time", ""): float(mean[1]) * 1e-3,
        }  # fmt: skip
        if users is not None:
            row |= {("population", ""): users, ("think_time", ""): 0.0}
        return Recording(source.path, f"{KIND} summary", "runs", summary([row]), tuple(mapping))
    return _progress(source, steps, users, tuple(mapping))


def _progress(
    source: Source,
    steps: list[tuple[str, str, str]],
    users: float | None,
    mapping: tuple[tuple[str, str], ...],
) -> Recording:
    table, weight = SampleTable(), []
    clock = "UTC" if float(steps[0][0]) > 1e8 else "own"
    before = 0.0 if clock == "own" else 2 * float(steps[0][0]) - float(steps[min(1, len(steps) - 1)][0])
    for end, rate, mean in ((float(a), float(b), float(c)) for a, b, c in steps):
        length, before = end - before, end
        if length <= 0.0:
            continue
        table.add(end, length, "throughput", "", rate)
        if rate > 0.0:
            table.add(end, length, "response_time", "", mean * 1e-3)
            weight.append(rate * length)
        if users is not None:
            table.add(end, length, "population", "", users)
            table.add(end, length, "think_time", "", 0.0)
    import numpy as np

    series = tuple(
        Series("response_time", "", "", s.end, s.interval, s.value, np.array(weight))
        if s.quantity == "response_time"
        else s
        for s in table.series()
    )
    return Recording(source.path, f"{KIND} --progress", clock, series, mapping)


def _log(source: Source) -> Recording:
    requests, clients, lag = Requests(), set(), False
    for number, line in enumerate(source.lines(), 1):
        if not line.strip():
            continue
        if not _LOGGED.fullmatch(line):
            raise FileError(source.path, "expected a transaction; is it cut off?", line=number)
        client, _, took, script, seconds, micro, *rest = line.split()
        if not took.isdigit():
            requests.failed += 1
            continue
        lag = lag or bool(rest)
        clients.add(client)
        requests.add(
            float(f"{seconds}.{int(micro):06d}"), int(took) * 1e-6, f"script {int(script) + 1}"
        )
    series = requests.series()
    if not lag and series:
        end, one = series[0].end, series[0].interval
        series += (
            Series("population", "", "", end, one, one * len(clients)),
            Series("think_time", "", "", end, one, one * 0.0),
        )
    mapping = [("time", "response_time"), ("rows", "throughput")]
    mapping += [] if lag else [("client_id", "users, with think time 0")]
    return Recording(source.path, f"{KIND} --log", "UTC", series, tuple(mapping), requests.notes)


def _aggregated(source: Source) -> Recording:
    import numpy as np

    rows = []
    for number, line in enumerate(source.lines(), 1):
        if line.strip() and not _AGGREGATED.fullmatch(line):
            raise FileError(source.path, "expected an interval; is it cut off?", line=number)
        rows.append([float(cell) for cell in line.split()[:3]])
    if len(rows) < 3:
        raise FileError(source.path, "fewer than three intervals; run longer")
    start, count, busy = np.array(rows[:-1]).T  # the last one may be cut short
    length = float(np.median(np.diff(start)))
    end, one = start + length, np.full(len(start), length)
    some = count > 0
    series = (
        Series("throughput", "", "", end, one, count / length),
        Series("response_time", "", "", end[some], one[some], busy[some] / count[some] * 1e-6,
               count[some]),
    )  # fmt: skip
    mapping = (("num_transactions", "throughput"), ("sum_latency", "response_time"))
    return Recording(source.path, f"{KIND} --aggregate-interval", "UTC", series, mapping)


READER = Reader(KIND, sniff, read)
