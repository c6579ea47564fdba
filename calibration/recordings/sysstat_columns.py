"""What the columns of sar, sadf, iostat and mpstat mean, in text, CSV and JSON alike.

A processor is busy unless it is idle or waits for a disk; time that a hypervisor took away (steal)
was not available, so it counts as busy. sysstat's kilobyte is 1024 bytes, its sector 512.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from calibration.recordings.counted_once import INNER, MAPPED
from calibration.recordings.series import KILOBYTE, SampleTable, Series

SECTOR = 512.0

#: Columns that are used, and what for.
MAPPING = {
    **dict.fromkeys(("%idle", "idle", "%iowait", "iowait"), "utilization:cpu"),
    **dict.fromkeys(("%util", "util", "util-percent"), "utilization of the disk"),
    **dict.fromkeys(("tps", "r/s", "w/s"), "operations"),
    **dict.fromkeys(
        ("rkB/s", "wkB/s", "rkB", "wkB", "kB_read/s", "kB_wrtn/s", "rd_sec", "wr_sec",
         "rd_sec/s", "wr_sec/s", "rxkB/s", "txkB/s", "rxkB", "txkB"), "volume",
    ),
}  # fmt: skip
#: Logical volumes as sar -p and iostat -N name them; what is mapped even where dev252 is a disk.
_VOLUME, _SURELY = re.compile(r"(?!dev\d)[^/]+-.+"), re.compile(r"dm-.*|md.*|dev(9|253)-.*")


def counted_once(table: SampleTable) -> tuple[Series, ...]:
    """The series of a table without devices that pass on what others of their host do."""
    names: dict[tuple[str, bool], set[str]] = {}  # by host and whether they are disks
    for quantity, of, host in table.rows:
        if quantity in {"operations", "volume"}:
            names.setdefault((host, ("operations", of, host) in table.rows), set()).add(of)
    left: set[tuple[str, str]] = set()
    for (host, disk), here in names.items():
        some = {of for of in here if not (_is_part(of, here) if disk else INNER.fullmatch(of))}
        some = some or {of for of in here if not _SURELY.fullmatch(of)} or here
        left |= {(host, of) for of in here - some}
    return tuple(each for each in table.series() if (each.host, each.of) not in left)


def _is_part(of: str, disks: Collection[str]) -> bool:
    """Whether a disk is mapped to others, or is a partition of one of them."""
    stem = of.rstrip("0123456789")
    partition = stem != of and (stem in disks or stem.removesuffix("p") in disks)
    return partition or any(each.fullmatch(of) for each in (MAPPED, INNER, _VOLUME))


def numbers(columns: Sequence[str], words: Sequence[str]) -> dict[str, float]:
    """The columns of a line that are used, with decimal points or commas."""
    pairs = zip(columns, words, strict=False)
    return {key: float(word.replace(",", ".")) for key, word in pairs if key in MAPPING}


def take(
    table: SampleTable, end: float, interval: float, row: Mapping[str, float], of: str,
    host: str = "", processors: float = 0.0,
) -> None:  # fmt: skip
    """Add what a row says of the processor or of a device."""
    idle = row.get("%idle", row.get("idle"))
    if idle is not None:
        busy = 1.0 - (idle + row.get("%iowait", row.get("iowait", 0.0))) / 100.0
        table.add(end, interval, "utilization", "cpu", min(max(busy, 0.0), 1.0), host)
        if processors:
            table.add(end, interval, "servers", "cpu", processors, host)
        return
    used = row.get("%util", row.get("util", row.get("util-percent")))
    if used is not None:
        table.add(end, interval, "utilization", of, min(max(used / 100.0, 0.0), 1.0), host)
    operations = [row[key] for key in ("tps", "r/s", "w/s") if key in row]
    if operations:
        table.add(end, interval, "operations", of, sum(operations), host)
    moved = {key: value for key, value in row.items() if MAPPING.get(key) == "volume"}
    sectors = all("_sec" in key for key in moved)  # some versions write both
    if moved:
        total = sum(value for key, value in moved.items() if sectors or "_sec" not in key)
        table.add(end, interval, "volume", of, total * (SECTOR if sectors else KILOBYTE), host)
