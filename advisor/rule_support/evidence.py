"""Evidence: how busy a resource is, volumes that pass channel and network, printed numbers."""

from collections.abc import Callable
from typing import Literal

from advisor.findings.records import Evidence
from advisor.findings.words import percent
from advisor.predicting.hardware import hardware_of
from advisor.rule_support.rule import Case, rented
from calibration.agreements.published import published
from calibration.hardware.drive_mix import stored_share, writes_of_each
from calibration.hardware.task import Load, Task
from calibration.printed_tables.table import load_table
from qmodel.devices.ssd import SolidStateDrive

_METRICS = {
    "cpu": "utilization of cpu",
    "disk": "utilization of the busiest drive",
    "lan": "share of the usable LAN rate",
}
AT_PEAK = "queueing network at the worst peak hour"
_ALONE = "queueing network at the configured number of users, without batch tasks"


def busy_evidence(
    case: Case, resource: Literal["cpu", "disk", "lan"], threshold: float, *, alone: bool = False
) -> Evidence:
    """Utilization of a resource's busiest station, beside a threshold. [1]

    At the worst peak hour, batch tasks included, or of the users alone.
    """
    outlook, source = (case.alone, _ALONE) if alone else (case.outlook, AT_PEAK)
    busy = outlook.resource(resource).utilization.mid
    return percentage(_METRICS[resource], busy, threshold, source)


def percentage(
    metric: str, value: float, threshold: float | None = None, source: str = AT_PEAK
) -> Evidence:
    """A computed fraction, and what it is held against, as evidence in percent."""
    limit = None if threshold is None else threshold * 100.0
    return Evidence(metric, value * 100.0, "%", "computed", source, limit)


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
    return sum((load.arrival_rate or 0.0) * volume(load.task) for load in loads_at_peak(case))


def loads_at_peak(case: Case) -> list[Load]:
    """Each task at the peak, as often as each of the replicas that stand does it."""
    settings = case.settings
    named = {each.name: each.task_name for each in (*settings.workload.classes, *settings.batch)}
    return [
        Load(each.name, task, 0, arrival_rate=each.throughput.mid / settings.standing)
        for each in case.outlook.classes
        if (task := case.tasks.get(named[each.name])) is not None
    ]


def unlimited_writes(case: Case) -> float:
    """Writes of 4 KiB a second of each drive, where what it sustains is not known; 0 elsewhere.

    The limit of a volume counts reads and writes alike.
    """
    disk = hardware_of(case.configuration).disk
    known = not isinstance(disk.drive, SolidStateDrive) or disk.drive.write_iops is not None
    return 0.0 if known or rented(case.configuration) else writes_of_each(disk, loads_at_peak(case))


def writes(case: Case, _figure: float = 0.0) -> tuple[str, Evidence] | None:
    """What sustained writes take of solid-state drives, if most of it: a clause and the number."""
    disk = hardware_of(case.configuration).disk
    drive, share = disk.drive, stored_share(disk, loads_at_peak(case))
    if not isinstance(drive, SolidStateDrive) or drive.write_iops is None:
        return None
    part = 1.0 - (1.0 - share) * drive.capacity(disk.block, share) / drive.capacity(disk.block)
    found = percentage("part of the drives' work that writes are", part)
    sustained = f"a drive sustains {drive.write_iops:,.0f} of 4 KiB a second"
    said = f"; writes are {percent(part)} of the drives' work: {sustained}"
    return (said, found) if part >= 0.5 else None


def printed(table: str, row: str, column: str, metric: str, unit: str = "") -> Evidence:
    """A cell as evidence, with the reference to its row, in the printed unit or another one.

    A printed range is given by its middle, a limit by its finite end.
    """
    found = published(table, row, column, unit or None)
    return Evidence(metric, found.value, found.unit or "1", "measured", load_table(table).cite(row))


def change(table: str, row: str, other: str, column: str) -> float:
    """Relative difference of one column from a row to another. [1]"""
    before, after = (published(table, each, column).value for each in (row, other))
    return after / before - 1.0
