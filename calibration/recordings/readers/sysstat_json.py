"""sysstat's JSON: ``sadf -j FILE -- -u -d -n DEV``, ``iostat -o JSON`` and ``mpstat -o JSON``.

A disk's utilization is the share of time in which it had something to do, which for a device that
works on many requests at once is no share of its capacity. iostat's first report covers the time
since the computer was started, and is left out; without ``-t`` it names no times.
"""

from collections.abc import Iterator
from typing import Any

from calibration.recordings.reader import NO_TIMES, Reader, moment
from calibration.recordings.series import Recording, SampleTable
from calibration.recordings.source import Source
from calibration.recordings.sysstat_columns import MAPPING, counted_once, take
from qmodel.errors import FileError

KIND = "sadf -j"


def read(source: Source) -> Recording:
    """Processors, disks and networks."""
    return recording_of(source.json(), source.path)


def recording_of(data: Any, path: str = "-") -> Recording:
    """The recording that JSON data hold; see `read`."""
    hosts = data["sysstat"]["hosts"]
    table, clock, kind, notes = SampleTable(), "UTC", KIND, dict[str, None]()
    if not hosts:
        raise FileError(path, "0 hosts, expected one", key="sysstat.hosts")
    for host in hosts:
        name, count = str(host.get("nodename", "")), float(host["number-of-cpus"])
        before = None
        for number, entry in enumerate(host["statistics"]):
            stamp = entry.get("timestamp")
            if isinstance(stamp, dict):
                end, interval = moment(f"{stamp['date']} {stamp['time']}")[0], stamp["interval"]
                clock = "UTC" if stamp.get("utc", 1) else "local"
            else:
                kind = "iostat"
                if stamp and stamp[2:3] == ":":  # its date stands with the host, that of the first
                    kind, stamp = "mpstat", f"{host['date']} {stamp}"
                end, clock = moment(stamp) if stamp else (float(number), "own")
                before = end if before is None else before
                end += 86400.0 * max(0, round((before - end) / 86400.0))  # over midnight
                interval, before = end - before, end
                notes |= {} if stamp else {NO_TIMES: None}
            if interval > 0.0:
                for of, row in _rows(entry):
                    numbers = {key: float(row[key]) for key in row.keys() & MAPPING.keys()}
                    if min(numbers.values(), default=0.0) < 0.0:
                        raise FileError(path, f"a negative number at {end:.0f}: {numbers}")
                    take(table, end, interval, numbers, of, name, count)
    if not table.rows:
        problem = "no processor, disk or network in it; write it with sadf -j FILE -- -u -d -n DEV"
        raise FileError(path, problem)
    return Recording(path, kind, clock, counted_once(table), tuple(MAPPING.items()), tuple(notes))


def _rows(entry: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The processors together, each disk and each network."""
    yield from (("", row) for row in entry.get("cpu-load", ()) if row["cpu"] == "all")
    yield from (("", entry[key]) for key in ("avg-cpu",) if key in entry)
    for row in entry.get("disk", ()):
        yield row.get("disk-device", row.get("disk_device", "")), row
    for row in entry.get("network", {}).get("net-dev", ()):
        if row["iface"] != "lo":
            yield row["iface"], row


READER = Reader(KIND, r'\A\s*\{\s*"sysstat"', read)
