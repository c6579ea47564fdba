"""What sysstat recorded: ``sadf -j FILE -- -u -d -n DEV`` writes it as JSON.

A processor is busy unless it is idle or waits for a disk; time that a hypervisor took away (steal)
was not available, so it counts as busy. A disk's utilization is the share of time in which it had
something to do, which for a device that works on many requests at once is no share of its capacity.
sysstat's kilobyte is 1024 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from os import PathLike, fspath
from typing import Any

from calibration.recordings.recording import KILOBYTE, Monitor, Recording, Sample
from qmodel.documents.structure import check_structure
from qmodel.documents.syntax import decode, parse_json, read_bytes
from qmodel.documents.wording import kind_of, show_text
from qmodel.errors import FileError

#: Largest recording: a day of samples at every second. [bytes]
SIZE_LIMIT = 256 * 2**20

SECTOR = 512.0


def load_sar(path: str | PathLike[str]) -> Recording:
    """Read what ``sadf -j`` wrote.

    Raises
    ------
    FileError
        One line that names what is missing.
    """
    shown = str(fspath(path))
    text = decode(read_bytes(shown, SIZE_LIMIT, "a recording; record fewer activities"), shown)
    check_structure(text, shown, "json")
    return recording_of(parse_json(text, shown), shown)


def recording_of(data: dict[str, Any], path: str = "-") -> Recording:
    """The recording that JSON data hold; see `load_sar`.

    Examples
    --------
    >>> found = recording_of({"sysstat": {"hosts": [{"number-of-cpus": 2, "statistics": [
    ...     {"timestamp": {"date": "2026-01-05", "time": "10:00:10", "utc": 1, "interval": 10},
    ...      "cpu-load": [{"cpu": "all", "user": 20.0, "iowait": 5.0, "idle": 70.0}]}]}]}})
    >>> found.processors, found.samples[0].rates
    (2, {('utilization', 'cpu'): 0.25})
    """
    hosts = _get(_get(data, "sysstat", dict, path, ""), "hosts", list, path, "sysstat")
    if len(hosts) != 1:
        raise FileError(
            path, f"{len(hosts)} hosts, expected one; record each computer in a file of its own",
            key="sysstat.hosts",
        )  # fmt: skip
    host, where = hosts[0], "sysstat.hosts[0]"
    processors = _get(host, "number-of-cpus", int, path, where)
    if processors < 1:
        raise FileError(path, f"must be >= 1, got {processors}", key=f"{where}.number-of-cpus")
    statistics = _get(host, "statistics", list, path, where)
    samples, in_utc = [], True
    for i, entry in enumerate(statistics):
        place = f"{where}.statistics[{i}]"
        stamp = _get(entry, "timestamp", dict, path, place)
        date = _get(stamp, "date", str, path, f"{place}.timestamp")
        clock = _get(stamp, "time", str, path, f"{place}.timestamp")
        interval = _number(stamp, "interval", path, f"{place}.timestamp")
        try:
            end = datetime.fromisoformat(f"{date}T{clock}")
        except ValueError:
            problem = f"expected a date and a time of day, got {show_text(f'{date} {clock}')}"
            raise FileError(path, problem, key=f"{place}.timestamp") from None
        in_utc = bool(stamp.get("utc", 1))
        samples.append(Sample(end, interval, dict(_rates(entry, path, place))))
    if not samples:
        raise FileError(path, "no samples; record with sar -o FILE 1", key=f"{where}.statistics")
    if not any(sample.rates for sample in samples):
        raise FileError(
            path,
            "no processor, disk or network in it; write it with sadf -j FILE -- -u -d -n DEV",
            key=f"{where}.statistics",
        )
    return Recording(path, processors, in_utc, tuple(samples))


def _rates(entry: dict[str, Any], path: str, place: str) -> Iterator[tuple[tuple[str, str], float]]:
    for i, cpu in enumerate(_list(entry, "cpu-load", path, place)):
        if cpu.get("cpu") == "all":
            where = f"{place}.cpu-load[{i}]"
            idle = _number(cpu, "idle", path, where)
            waiting = _number(cpu, "iowait", path, where) if "iowait" in cpu else 0.0
            yield ("utilization", "cpu"), min(max(1.0 - (idle + waiting) / 100.0, 0.0), 1.0)
    for i, disk in enumerate(_list(entry, "disk", path, place)):
        where = f"{place}.disk[{i}]"
        name = _get(disk, "disk-device", str, path, where).lower()
        if "util-percent" in disk:
            busy = _number(disk, "util-percent", path, where) / 100.0
            yield ("utilization", name), min(max(busy, 0.0), 1.0)
        yield ("operations", name), _number(disk, "tps", path, where)
        if "rkB" in disk:
            moved = sum(_number(disk, key, path, where) for key in ("rkB", "wkB")) * KILOBYTE
        else:
            moved = sum(_number(disk, key, path, where) for key in ("rd_sec", "wr_sec")) * SECTOR
        yield ("volume", name), moved
    network = entry.get("network", {})
    if not isinstance(network, dict):
        raise FileError(path, f"expected a table, got {kind_of(network)}", key=f"{place}.network")
    for i, device in enumerate(_list(network, "net-dev", path, f"{place}.network")):
        where = f"{place}.network.net-dev[{i}]"
        name = _get(device, "iface", str, path, where).lower()
        if name != "lo":
            moved = sum(_number(device, key, path, where) for key in ("rxkB", "txkB")) * KILOBYTE
            yield ("volume", name), moved


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


MONITOR = Monitor("sadf -j", load_sar)
