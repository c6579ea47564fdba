"""What sysstat recorded: ``sadf -j FILE -- -u -d -n DEV`` writes it as JSON.

A disk's utilization is the share of time in which it had something to do, which for a device that
works on many requests at once is no share of its capacity.
"""

from __future__ import annotations

from typing import Any

from calibration.recordings.reader import Reader, moment
from calibration.recordings.series import Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import MAPPING, take
from qmodel.documents.wording import kind_of, show_text
from qmodel.errors import FileError

KIND = "sadf -j"


def sniff(head: str) -> bool:
    """Whether it is sysstat's JSON, and not that of iostat."""
    start = head.lstrip()
    return start.startswith("{") and '"sysstat"' in start[:200] and '"avg-cpu"' not in head


def read(source: Source) -> Recording:
    """Read what ``sadf -j`` wrote.

    Raises
    ------
    FileError
        One line that names what is missing.
    """
    return recording_of(source.json(), source.path)


def recording_of(data: Any, path: str = "-") -> Recording:
    """The recording that JSON data hold; see `read`.

    Examples
    --------
    >>> found = recording_of({"sysstat": {"hosts": [{"number-of-cpus": 2, "statistics": [
    ...     {"timestamp": {"date": "2026-01-05", "time": "10:00:10", "utc": 1, "interval": 10},
    ...      "cpu-load": [{"cpu": "all", "user": 20.0, "iowait": 5.0, "idle": 70.0}]}]}]}})
    >>> [(each.name, each.value.tolist()) for each in found.series]
    [('utilization:cpu', [0.25]), ('servers:cpu', [2.0])]
    """
    hosts = _get(_get(data, "sysstat", dict, path, ""), "hosts", list, path, "sysstat")
    if not hosts:
        raise FileError(path, "0 hosts, expected one", key="sysstat.hosts")
    table, clock = SampleTable(), "UTC"
    for h, host in enumerate(hosts):
        where = f"sysstat.hosts[{h}]"
        processors = _get(host, "number-of-cpus", int, path, where)
        if processors < 1:
            raise FileError(path, f"must be >= 1, got {processors}", key=f"{where}.number-of-cpus")
        statistics = _get(host, "statistics", list, path, where)
        if not statistics:
            problem = "no samples; record with sar -o FILE 1"
            raise FileError(path, problem, key=f"{where}.statistics")
        name = str(host.get("nodename", ""))
        for i, entry in enumerate(statistics):
            place = f"{where}.statistics[{i}]"
            stamp = _get(entry, "timestamp", dict, path, place)
            date = _get(stamp, "date", str, path, f"{place}.timestamp")
            time = _get(stamp, "time", str, path, f"{place}.timestamp")
            interval = _number(stamp, "interval", path, f"{place}.timestamp")
            try:
                end, _ = moment(f"{date} {time}")
            except ValueError:
                problem = f"expected a date and a time of day, got {show_text(f'{date} {time}')}"
                raise FileError(path, problem, key=f"{place}.timestamp") from None
            clock = "UTC" if stamp.get("utc", 1) else "local"
            if interval > 0.0:
                for row, where_it_stands in _rows(entry, path, place):
                    numbers = {
                        key: _number(row, key, path, where_it_stands)
                        for key in row
                        if key in MAPPING
                    }
                    of = row.get("disk-device", row.get("iface", ""))
                    take(table, end, interval, numbers, str(of), name)
                if ("utilization", "cpu", name) in table.rows:
                    table.add(end, interval, "servers", "cpu", float(processors), name)
    if not table.rows:
        raise FileError(
            path,
            "no processor, disk or network in it; write it with sadf -j FILE -- -u -d -n DEV",
            key="sysstat.hosts[0].statistics",
        )
    return Recording(path, KIND, clock, table.series(), tuple(MAPPING.items()))


def _rows(entry: dict[str, Any], path: str, place: str) -> list[tuple[dict[str, Any], str]]:
    """Tables of the processor as a whole, of each disk and of each network."""
    network = entry.get("network", {})
    if not isinstance(network, dict):
        raise FileError(path, f"expected a table, got {kind_of(network)}", key=f"{place}.network")
    found = []
    for holder, key, where in (
        (entry, "cpu-load", place), (entry, "disk", place), (network, "net-dev", f"{place}.network"),
    ):  # fmt: skip
        for i, row in enumerate(_list(holder, key, path, where)):
            if row.get("cpu", "all") == "all" and row.get("iface") != "lo":
                found.append((row, f"{where}.{key}[{i}]"))
    return found


def _list(entry: dict[str, Any], key: str, path: str, place: str) -> list[dict[str, Any]]:
    found = entry.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise FileError(path, "expected an array of tables", key=f"{place}.{key}")
    return found


def _get(entry: Any, key: str, kind: type, path: str, place: str) -> Any:
    where = f"{place}.{key}" if place else key
    if not isinstance(entry, dict) or key not in entry:
        raise FileError(path, "required; is this what sadf -j writes?", key=where)
    value = entry[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        expected = {dict: "table", list: "array", str: "text", int: "integer"}[kind]
        raise FileError(path, f"expected {expected}, got {kind_of(value)}", key=where)
    return value


def _number(entry: dict[str, Any], key: str, path: str, place: str) -> float:
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value < 1e15:
        raise FileError(path, f"expected a number >= 0, got {value!r}", key=f"{place}.{key}")
    return float(value)


READER = Reader(KIND, sniff, read)
