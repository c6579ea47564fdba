"""Volumes each second, by the throughput law: what passes the disk channel and the network."""

from __future__ import annotations

from collections.abc import Callable

from advisor.rule_support.case import Case
from calibration.hardware.task import Task


def disk_volume_rate(case: Case) -> float:
    """Bytes through the disk channel in a second at the peak, batch tasks included. [bytes/s]

    The throughput of each class times the volume of one interaction; the volumes are those of the
    first calibration.
    """
    disk = case.settings.disk
    block = disk.block or disk.stripe
    return _rate(case, lambda task: task.disk_volume_at(block))


def lan_volume_rate(case: Case) -> float:
    """Bytes through all segments, both ways, in a second at the peak. [bytes/s]"""
    return _rate(case, lambda task: task.lan_volume)


def _rate(case: Case, volume: Callable[[Task], float]) -> float:
    settings = case.settings
    named = {each.name: each.task_name for each in (*settings.workload.classes, *settings.batch)}
    total = 0.0
    for each in case.outlook.classes:
        task = case.tasks.get(named[each.name])
        if task is not None:
            total += each.throughput.mid * volume(task)
    return total
