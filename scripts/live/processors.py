"""Who kept the processors busy: the server and its clients, or somebody else."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Busy:
    """Utilization of all processors by what was not asked to run, and what was stolen. [1]"""

    others: float
    stolen: float


class Meter:
    """Counts from its making to its reading."""

    def __init__(self, server: int) -> None:
        self.server = server
        self.start = self._now()

    def _now(self) -> tuple[float, float, float, float]:
        total, busy, stolen = processor_seconds()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return total, busy, stolen, used.ru_utime + used.ru_stime + _with_children(self.server)

    def read(self) -> Busy:
        """Of the time since its making."""
        total, busy, stolen, own = (b - a for a, b in zip(self.start, self._now(), strict=True))
        return Busy(max(0.0, busy - stolen - own) / total, stolen / total)


def processor_seconds() -> tuple[float, float, float]:
    """Seconds that all processors had, were busy, and were taken away, since the machine began."""
    line = Path("/proc/stat").read_text().partition("\n")[0]
    user, nice, system, idle, waiting, irq, softirq, stolen = (
        int(each) / _TICK for each in line.split()[1:9]
    )
    busy = user + nice + system + irq + softirq + stolen
    return busy + idle + waiting, busy, stolen


def busy_now(seconds: float = 3.0) -> float:
    """Utilization of all processors over the next seconds. [1]"""
    before = processor_seconds()
    time.sleep(seconds)
    total, busy, _ = (b - a for a, b in zip(before, processor_seconds(), strict=True))
    return min(1.0, busy / total)  # both are differences of sums: the last digit is not theirs


def _with_children(pid: int) -> float:
    """Processor seconds of a process and of its children that have ended."""
    after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(each) for each in after[11:15]) / _TICK
