"""What the columns of sar, sadf, iostat and mpstat mean, in text, CSV and JSON alike.

A processor is busy unless it is idle or waits for a disk; time that a hypervisor took away (steal)
was not available, so it counts as busy. sysstat's kilobyte is 1024 bytes, its sector 512.
"""

from collections.abc import Mapping, Sequence

from calibration.recordings.series import KILOBYTE, SampleTable

SECTOR = 512.0

#: Columns that are used, and what for.
MAPPING = {
    "%idle": "utilization:cpu", "idle": "utilization:cpu",
    "%iowait": "utilization:cpu", "iowait": "utilization:cpu",
    "%util": "utilization of the disk", "util": "utilization of the disk",
    "util-percent": "utilization of the disk",
    "tps": "operations", "r/s": "operations", "w/s": "operations",
    **dict.fromkeys(
        ("rkB/s", "wkB/s", "rkB", "wkB", "kB_read/s", "kB_wrtn/s", "rd_sec", "wr_sec",
         "rd_sec/s", "wr_sec/s", "rxkB/s", "txkB/s", "rxkB", "txkB"), "volume",
    ),
}  # fmt: skip


def numbers(columns: Sequence[str], words: Sequence[str]) -> dict[str, float]:
    """The columns of a line that are used, with decimal points or commas."""
    pairs = zip(columns, words, strict=False)
    return {key: float(word.replace(",", ".")) for key, word in pairs if key in MAPPING}


def take(
    table: SampleTable,
    end: float,
    interval: float,
    row: Mapping[str, float],
    of: str,
    host: str = "",
    processors: float = 0.0,
) -> None:
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
