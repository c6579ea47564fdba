"""How much sooner writes may be done than predicted, which has all operations one after the other.

A write to an array has parts that its drives do at the same time, and a cache that writes back
acknowledges it before the drives have it. Where demands are given, not fitted, the model has a
request wait for every operation in turn, and so too long.
"""

from advisor.configuration.configuration import Configuration
from advisor.findings.words import seconds
from advisor.predicting.hardware import hardware_of
from advisor.predicting.parts_of_time import parts_of_time
from advisor.predicting.prediction import outlook
from advisor.predicting.workload import loads_of, ways_of
from calibration.hardware.drive_mix import asked, at_drives
from calibration.hardware.hardware import DiskArray
from calibration.hardware.task import Task

#: Part of a response time from which on it is said. [1]
WORTH_SAYING = 0.05


def writes_in_turn(configuration: Configuration) -> str:
    """In one sentence, for the class that it matters most to; empty where it hardly does."""
    workload = configuration.settings.workload
    if workload.calibration is not None or workload.system is not None:
        return ""
    disk, way = hardware_of(configuration).disk, ways_of(configuration)[0]
    least, name, time = 1.0 - WORTH_SAYING, "", 0.0
    busiest = max(each.utilization.mid for each in outlook(configuration).resources)
    for load, is_batch in loads_of(configuration, way, ()):
        if is_batch or load.task.write_share is None:
            continue
        parts = parts_of_time(configuration, load.name)
        rest = parts.whole - parts.at.get("disk", 0.0) * not_waited_for(disk, load.task)
        if load.arrival_rate is None:  # throughput grows at most until the busiest station is full
            rest = max(rest, busiest * (load.think_time + parts.whole) - load.think_time)
        if rest < least * parts.whole:
            least, name, time = rest / parts.whole, load.name, rest
    if not name:
        return ""
    why = "a cache acknowledges writes" if disk.cache.write_back else "an array writes in parallel"
    return f"{why}, which the model leaves out: {name} may take as little as {seconds(time)}"


def not_waited_for(disk: DiskArray, task: Task) -> float:
    """Share of a task's operations at the drives that it need not wait for. [1]"""
    _, reads, writes = asked(disk, task, 0.0)
    every, _ = at_drives(disk, reads, writes)
    waited = 0.0 if disk.cache.write_back else writes * disk.level.phases(write=True)
    return (every - reads - waited) / every if every else 0.0
