"""pgbench: its summary, ``--progress``, and the files of ``--log``, aggregated or not.

Of several runs in a file each is a row, by its summary. With ``--rate`` latency counts from when a
transaction was due, and clients are no users. Source: PostgreSQL documentation, pgbench.
"""

import re
from itertools import pairwise
from typing import Any

import numpy as np

from calibration.recordings.reader import Reader
from calibration.recordings.series import Recording, Requests, Series, summary
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "pgbench"
_PROGRESS = re.compile(r"^progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+|NaN) ms", re.MULTILINE)
#: Where the summary of a run ends; older versions have two rates.
_END = re.compile(r"^tps = .*(\ntps = .*)?$", re.MULTILINE)
_LOGGED = re.compile(r"\d+ \d+ (\d+|skipped|failed) \d+ \d{9,} \d+( \d+){0,2}")
_AGGREGATED = re.compile(r"\d{9,} \d+ \d+ \d+ \d+ \d+( \d+)*")
_MAPPING = (("tps", "throughput"), ("latency", "response_time"))
_USERS = ("clients", "users, with think time 0")


def read(source: Source) -> Recording:
    """Transactions by second or interval, or the run as one."""
    first = source.head.lstrip().partition("\n")[0].rstrip()
    if _LOGGED.fullmatch(first):
        return _log(source)
    if _AGGREGATED.fullmatch(first):
        return _aggregated(source)
    text = source.text()
    runs = _runs(text)
    mapping = (*_MAPPING, _USERS) if any(map(_clients, runs)) else _MAPPING
    found = _PROGRESS.findall(text) if len(runs) == 1 else []
    if steps := np.array(found, dtype=float).reshape(-1, 3).tolist():
        clock = "UTC" if steps[0][0] > 1e8 else "own"
        begin = 0.0 if clock == "own" else 2 * steps[0][0] - steps[1][0]
        times = [begin, *(step[0] for step in steps)]
        if sorted(times) != times:
            raise FileError(source.path, "progress of several runs; give each a file of its own")
        rows = [
            (end, end - before, rate, mean * 1e-3)
            for (before, end), (_, rate, mean) in zip(pairwise(times), steps, strict=True)
        ]
        series = _series(rows, _clients(text))
        return Recording(source.path, f"{KIND} --progress", clock, series, mapping)
    series = summary([_summary(run, source.path) for run in runs])
    return Recording(source.path, f"{KIND} summary", "runs", series, mapping)


def _runs(text: str) -> list[str]:
    """Runs that end with a summary, and one after the last of which there is progress alone."""
    ends = [found.end() for found in _END.finditer(text)]
    if len(ends) < 2:
        return [text]
    *runs, rest = (text[a:b] for a, b in pairwise([0, *ends, len(text)]))
    return [*runs, rest] if _PROGRESS.search(rest) else runs


def _clients(text: str) -> float | None:
    """The clients of a run if they are users, who wait for each answer."""
    clients = re.search(r"^number of clients: (\d+)", text, re.MULTILINE)
    return float(clients[1]) if clients and "schedule lag" not in text else None


def _summary(text: str, path: str) -> dict[tuple[str, str], float]:
    """A run as its summary has it."""
    rate = re.search(r"^tps = ([\d.]+)", text, re.MULTILINE)
    mean = re.search(r"^latency average = ([\d.]+) ms", text, re.MULTILINE)
    if rate is None or mean is None:
        raise FileError(path, "no tps and latency average in it; was it stopped?")
    row = {("throughput", ""): float(rate[1]), ("response_time", ""): float(mean[1]) * 1e-3}
    if (users := _clients(text)) is not None:
        row |= {("population", ""): users, ("think_time", ""): 0.0}
    return row


def _series(
    rows: list[tuple[float, float, float, float]], users: float | None
) -> tuple[Series, ...]:
    """Series of end, length, rate and mean time; users who do not think, if they are known."""
    end, length, rate, mean = np.array(rows).T
    some = (rate > 0.0) & np.isfinite(mean)
    times = (each[some] for each in (end, length, mean, rate * length))
    found = Series("throughput", "", "", end, length, rate), Series("response_time", "", "", *times)
    return found if users is None else (*found, *_closed(end, length, users))


def _closed(end: Any, length: Any, users: float) -> tuple[Series, ...]:
    said, one = {"population": users, "think_time": 0.0}, np.ones(len(end))
    return tuple(Series(name, "", "", end, length, one * each) for name, each in said.items())


def _log(source: Source) -> Recording:
    requests, clients, lag, failed = Requests(), set(), False, 0
    for line in source.lines():
        if not _LOGGED.fullmatch(line):
            raise ValueError(line)
        client, _, took, script, seconds, micro, *rest = line.split()
        if not took.isdigit():
            failed += 1
            continue
        lag = lag or bool(rest)
        clients.add(client)
        end = int(seconds) + int(micro) * 1e-6
        requests.add(end, int(took) * 1e-6, f"script {int(script) + 1}")
    series = requests.series()
    if not lag:
        series += _closed(series[0].end, series[0].interval, len(clients))
    mapping = _MAPPING if lag else (*_MAPPING, _USERS)
    left = (f"{failed:,} transactions failed or were skipped, and are left out",) * (failed > 0)
    return Recording(source.path, f"{KIND} --log", "UTC", series, mapping, requests.notes + left)


def _aggregated(source: Source) -> Recording:
    rows = [[float(cell) for cell in line.split()[:3]] for line in source.lines()]
    if len(rows) < 3:
        raise FileError(source.path, "fewer than three intervals; run longer")
    start, count, busy = np.array(rows[:-1]).T  # the last one may be cut short
    length = float(np.median(np.diff(start)))
    found = zip(start + length, count / length, busy / np.maximum(count, 1.0) * 1e-6, strict=True)
    series = _series([(end, length, rate, mean) for end, rate, mean in found], None)
    return Recording(source.path, f"{KIND} --aggregate-interval", "UTC", series, _MAPPING)


READER = Reader(
    KIND,
    (
        r"(?m)^(pgbench \(|progress: [\d.]+ s|number of transactions actually proc)"
        rf"|\A({_LOGGED.pattern}|{_AGGREGATED.pattern})$"
    ),
    read,
)
