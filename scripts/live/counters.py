"""Processor, disk and network by the kernel's own counters, over the counted part of a run."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
#: Bytes of a sector in /proc/diskstats, whatever the device has.
_SECTOR = 512


@dataclass(frozen=True, slots=True)
class Counters:
    """What the kernel has counted since the machine started.

    Parameters
    ----------
    at : float
        When, by a clock that only goes forward. [s]
    cores : tuple of (float, float, float)
        Of each core: all time, time busy (steal included), time stolen. [s]
    disk_busy, disk_operations, disk_bytes : float
        Of the busiest disk: time with requests under way [s], requests, bytes.
    network_bytes : float
        Sent by all interfaces, the local one included.
    """

    at: float
    cores: tuple[tuple[float, float, float], ...]
    disk_busy: float
    disk_operations: float
    disk_bytes: float
    network_bytes: float


def read_counters(root: Path = Path("/proc")) -> Counters:
    """All counters now."""
    cores = []
    for line in (root / "stat").read_text().splitlines():
        name, *values = line.split()
        if name.startswith("cpu") and name != "cpu":
            user, nice, system, idle, waiting, irq, softirq, stolen = (
                int(each) / _TICK for each in values[:8]
            )
            busy = user + nice + system + irq + softirq + stolen
            cores.append((busy + idle + waiting, busy, stolen))
    disks = [_disk(line.split()) for line in (root / "diskstats").read_text().splitlines()]
    busy, operations, moved = max(disks, default=(0.0, 0.0, 0.0))
    sent = sum(
        float(line.partition(":")[2].split()[8])
        for line in (root / "net" / "dev").read_text().splitlines()[2:]
    )
    return Counters(time.monotonic(), tuple(cores), busy, operations, moved, sent)


def _disk(words: Sequence[str]) -> tuple[float, float, float]:
    reads, read, writes, written, busy = (int(words[i]) for i in (3, 5, 7, 9, 12))
    return busy / 1e3, float(reads + writes), float((read + written) * _SECTOR)


def between(first: Counters, last: Counters, cores: Sequence[int]) -> dict[str, float]:
    """What was used in the meantime: shares of the time, and rates.

    ``cpu`` is of the given cores and ``all`` of all of them; ``stolen`` too is of all. [1]
    """
    passed = last.at - first.at
    moves = [
        [b - a for a, b in zip(before, after, strict=True)]
        for before, after in zip(first.cores, last.cores, strict=True)
    ]
    total, busy = (sum(moves[c][i] for c in cores) for i in (0, 1))
    every, used, stolen = (sum(each[i] for each in moves) for i in (0, 1, 2))
    return {
        "cpu": min(1.0, busy / total) if total else 0.0,
        "busy_seconds": used,
        "stolen": stolen / every if every else 0.0,
        "disk": min(1.0, (last.disk_busy - first.disk_busy) / passed),
        "disk_operations": (last.disk_operations - first.disk_operations) / passed,
        "disk_bytes": (last.disk_bytes - first.disk_bytes) / passed,
        "network_bytes": (last.network_bytes - first.network_bytes) / passed,
    }
