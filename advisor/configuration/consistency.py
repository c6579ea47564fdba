"""Contradictions within a configuration: what no single key can show."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from advisor.configuration.hours import DAY, clock
from advisor.configuration.schema import BatchTask, Demands, DiskArray, Lan, ServerConfig, Workload
from calibration.hardware.task import shares
from calibration.systems import load_system
from qmodel.devices.lan import ETHERNET_RATES, SWITCHED_FROM
from qmodel.devices.raid import LEVELS
from qmodel.documents.wording import did_you_mean, show_text

#: Key path, and what is wrong there.
Problem = tuple[tuple[str | int, ...], str]


def contradictions(settings: ServerConfig, calibrated: Sequence[str] = ()) -> Iterator[Problem]:
    """Key path and problem of each contradiction, in the order of the file's tables.

    ``calibrated`` are the tasks of the calibration that the workload refers to.
    """
    yield from _server(settings)
    yield from _several(settings)
    yield from disk_contradictions(settings.disk)
    yield from _workload(settings)
    names = [each.name for each in settings.workload.classes]
    for name, _ in settings.targets.classes if settings.targets else ():
        if name not in names:
            yield ("targets", "class", name), f"no such class; {did_you_mean(name, names)}"
    yield from _batch(settings.batch)
    yield from timing_contradictions(settings)
    users = {c.name: i for i, c in enumerate(settings.workload.classes)}
    for i, each in enumerate(settings.batch):
        if each.name in users:
            other = f"workload.class[{users[each.name]}]"
            yield ("batch", i, "name"), f"{show_text(each.name)} already used by {other}"
    yield from _tasks(settings, calibrated)


def doubts(settings: ServerConfig) -> Iterator[Problem]:
    """What is legal but probably not meant."""
    server, workload = settings.server, settings.workload
    for key in ("users", "think_time") if workload.arrival_rate is not None else ():
        if key in workload.model_fields_set and getattr(workload, key):
            yield ("workload", key), "has no effect with arrival_rate; remove one"
    if (server.cpu_quota or 0.0) > (there := server.cpus * server.cores):
        yield ("server", "cpu_quota"), f"has no effect: there are {there} processors"
    if server.replicas > 1 and settings.tiers:
        problem = "copies every tier, a database too; else give a tier the cores of all its copies"
        yield ("server", "replicas"), problem
    yield from _empty_classes(settings)
    yield from timing_doubts(workload)
    if settings.describes("lan"):
        yield from lan_doubts(settings.lan, settings.disk if settings.describes("disk") else None)
    if settings.describes("disk"):
        yield from disk_doubts(settings.disk)


def _empty_classes(settings: ServerConfig) -> Iterator[Problem]:
    """Classes whose share of the users is less than one user."""
    workload = settings.workload
    if workload.arrival_rate is not None:
        return
    parts = [each.share for each in workload.classes]
    for i, count in enumerate(shares(workload.users, parts)):
        if not count:
            left_out = f"class {show_text(workload.classes[i].name)} is left out"
            problem = f"{parts[i]:g} of {workload.users} users is less than one user: {left_out}"
            problem += f"; it has a user from {users_for_one(parts, i)} users on"
            yield ("workload", "class", i, "share"), problem


def _several(settings: ServerConfig) -> Iterator[Problem]:
    """Of replicas, containers and burstable machines."""
    server, survive = settings.server, settings.targets.survive if settings.targets else 0
    if survive >= server.replicas:
        problem = f"needs server.replicas = {survive + 1} or more; there is {server.replicas}"
        yield ("targets", "survive"), problem
    if server.cpu_quota is not None and server.hyper_threads:
        yield ("server", "hyper_threads"), "leave it out: cpu_quota counts hardware threads"
    for key, other in (("baseline", "credits"), ("credits", "baseline")):
        if getattr(server, key) is not None and getattr(server, other) is None:
            yield ("server", key), f"needs {other} beside it"


def _server(settings: ServerConfig) -> Iterator[Problem]:
    server, name = settings.server, settings.workload.system
    if server.processor is None:
        if server.reference_processor is not None:
            yield ("server", "reference_processor"), "needs processor beside it"
        return
    if name is None:  # a part of the catalogue, whose speed stands in cpu_speed by now
        if server.cpu_speed is None:
            others = "or workload.system, which knows processors; or cpu_speed"
            problem = f"needs reference_processor, the one the demands were measured on; {others}"
            yield ("server", "processor"), problem
        return
    if server.cpu_speed is not None:
        yield ("server", "cpu_speed"), "give either processor or cpu_speed, not both"
    yield from _unless_one_of(
        server.processor, tuple(load_system(name).processors), ("server", "processor"), "processor"
    )


def _workload(settings: ServerConfig) -> Iterator[Problem]:
    classes = settings.workload.classes
    total = sum(c.share for c in classes)
    if abs(total - 1.0) > 1e-6:
        problem = f"shares sum to {total:g}, expected 1 (tolerance 1e-6)"
        yield ("workload", "class"), f"{problem}; use weights = true to normalise"
    yield from _unique(classes, ("workload", "class"))
    if settings.workload.calibration is not None and settings.workload.system is not None:
        yield ("workload", "calibration"), "give either system or calibration, not both"
    think_time = settings.workload.think_time
    for i, each in enumerate(classes):
        if each.cpu is not None and not (each.cpu or each.disk_kb or each.lan_kb or think_time):
            problem = "all demands and the think time are 0; throughput is unbounded"
            yield ("workload", "class", i), problem


def _batch(batch: Sequence[BatchTask]) -> Iterator[Problem]:
    cycle = _cycle({b.name: b.after for b in batch})
    if cycle:
        yield ("batch",), f"dependency cycle {' -> '.join(cycle)}"
    yield from _unique(batch, ("batch",))
    names = [b.name for b in batch]
    for i, each in enumerate(batch):
        if each.duration and each.window and each.duration > each.window.length * 60:
            problem = f"{each.duration / 3600:g} h does not fit window {each.window}"
            yield ("batch", i, "duration"), problem
        if each.cpu == 0 and not each.disk_kb and not each.lan_kb:
            yield ("batch", i), "all demands are 0; give cpu, disk_kb or lan_kb"
        for before in each.after:
            yield from _unless_one_of(before, names, ("batch", i, "after"), "batch task")


def _tasks(settings: ServerConfig, calibrated: Sequence[str]) -> Iterator[Problem]:
    name = settings.workload.system or settings.workload.calibration
    system = settings.workload.system
    known = load_system(system).task_names if system else tuple(calibrated)
    places: list[tuple[tuple[str | int, ...], Demands]] = [
        (("workload", "class", i), c) for i, c in enumerate(settings.workload.classes)
    ]
    places += [(("batch", i), b) for i, b in enumerate(settings.batch)]
    for place, each in places:
        user = place[0] == "workload"
        for volume, value in (("disk_kb", each.disk_kb), ("lan_kb", each.lan_kb)):
            device = volume.removesuffix("_kb")
            if value and not settings.describes(device):
                yield (*place, volume), f"needs a table [{device}], which says what carries it"
            if value and each.cpu is None and name is not None:
                yield (*place, volume), 'needs cpu beside it (a time, "0 s" for none)'
        if each.cpu is not None:
            if each.task is not None:
                yield (*place, "task"), "give either task or cpu, not both"
        elif name is None:
            if user or each.task is not None:
                yield (*place, "cpu"), 'required (a time such as "68 s"), or workload.system'
        elif user or each.task is not None:
            key = (*place, "task" if each.task is not None else "name")
            yield from _unless_one_of(each.task_name, known, key, "task")


def _unique(named: Sequence[Demands], place: tuple[str | int, ...]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for i, each in enumerate(named):
        if each.name in first:
            other = f"{place[-1]}[{first[each.name]}]"
            yield (*place, i, "name"), f"{show_text(each.name)} already used by {other}"
        first.setdefault(each.name, i)


def _unless_one_of(
    value: str, known: Sequence[str], key: tuple[str | int, ...], what: str
) -> Iterator[Problem]:
    if value not in known:
        yield key, f"unknown {what} {show_text(value)}; {did_you_mean(value, known)}"


def _cycle(after: dict[str, tuple[str, ...]]) -> list[str]:
    """A path of names that leads back to its start, or nothing."""
    done: set[str] = set()
    for start in after:
        path = [start]
        while path:
            following = next((w for w in after[path[-1]] if w in after and w not in done), None)
            if following is None:
                done.add(path.pop())
            elif following in path:
                return [*path[path.index(following) :], following]
            else:
                path.append(following)
    return []


def timing_contradictions(settings: ServerConfig) -> Iterator[Problem]:
    """Key path and problem of each contradiction between times."""
    names = [batch.name for batch in settings.batch]
    for i, batch in enumerate(settings.batch):
        yield from _lengths(i, batch)
        if batch.start is None and batch.fixed and batch.window is None:
            yield ("batch", i, "fixed"), "needs start or window as well, to say when"
        apart = batch.window and batch.start is not None and batch.start not in batch.window
        if batch.fixed and apart:  # the others may run outside of it today
            problem = f"{clock(batch.start or 0)} is outside window {batch.window}"
            yield ("batch", i, "start"), problem
        for other in batch.not_with:
            if other == batch.name:
                problem = f"{show_text(other)} cannot be kept apart from itself; name another task"
                yield ("batch", i, "not_with"), problem
            else:
                yield from _unless_one_of(other, names, ("batch", i, "not_with"), "batch task")


def timing_doubts(workload: Workload) -> Iterator[Problem]:
    """What is legal but probably not meant."""
    if workload.profile is None:
        return
    if workload.off_peak_share is not None:
        yield ("workload", "off_peak_share"), "has no effect with profile; remove one"
    at_peak = workload.profile.most(workload.peak.start, workload.peak.length)
    if workload.profile.most(0, DAY) > at_peak:
        problem = f"more users at some other time than at the peak, {workload.peak}"
        yield ("workload", "profile"), problem


def _lengths(i: int, batch: BatchTask) -> Iterator[Problem]:
    if batch.duration and batch.work:
        yield ("batch", i, "work"), "give either duration or work, not both"
    if batch.work and batch.window and batch.work > batch.window.length * 60:
        problem = f"{batch.work / 3600:g} h does not fit window {batch.window}"
        yield ("batch", i, "work"), problem
    for key, length in (("duration", batch.duration), ("work", batch.work)):
        if length and length > DAY * 60:
            yield ("batch", i, key), f"must be <= 24 h, got {length / 3600:g} h"


def users_for_one(parts: Sequence[float], i: int) -> int:
    """The fewest users of all classes that leave somebody in one of them."""
    low, high = 0, 1
    while not shares(high, parts)[i]:
        low, high = high, 2 * high
    return low + 1 + bisect_left(range(low + 1, high), 1, key=lambda users: shares(users, parts)[i])


#: A network this many times as fast as all drives together is taken for a slip of the unit: a
#: convention; 25 Gb/s beside one rotating drive of today is 21 times. [1]
SLIP = 25.0


def disk_contradictions(disk: DiskArray) -> Iterator[Problem]:
    """What no array of drives can be."""
    level = LEVELS[disk.raid]
    each, left = divmod(disk.drives, disk.arrays)
    reason = level.why_not(each)
    if disk.drives > 1 and "raid" not in disk.model_fields_set:
        yield ("disk", "raid"), f"required with {disk.drives} drives; one of {', '.join(LEVELS)}"
    if left:
        yield ("disk", "arrays"), f"{disk.drives} drives do not make {disk.arrays} equal arrays"
    elif reason:
        several = f" (drives of each of {disk.arrays} arrays)" if disk.arrays > 1 else ""
        yield ("disk", "drives"), reason + several
    elif disk.state != "normal" and not level.tolerates_failure:
        problem = f"{disk.raid} loses its data with one drive; it cannot be {disk.state}"
        yield ("disk", "state"), problem
    solid = (disk.read_latency, disk.write_latency, disk.parallelism)
    if any(value is not None for value in (*solid, disk.write_iops)):
        for key, value in zip(("read_latency", "write_latency", "parallelism"), solid, strict=True):
            if value is None:
                yield ("disk", key), "required for a solid-state drive"
        for key in ("seek_time", "rotation_time"):
            if key in disk.model_fields_set:
                yield ("disk", key), "a drive with read_latency has none; give one or the other"
    if disk.capacity is not None:
        for key, size in (("stripe", disk.stripe), ("block", disk.block)):
            if size is not None and size > disk.capacity:
                drive = f"the drive of {disk.capacity / 1e9:g} GB"
                yield ("disk", key), f"{size / 1e9:g} GB is larger than {drive}"
    if disk.spread and disk.arrays == 1:
        yield ("disk", "spread"), "needs arrays of 2 or more: one array spreads its load evenly"
    if not disk.cache.write_back:
        for key in ("rewritten", "full_stripes"):
            if getattr(disk.cache, key):
                yield ("disk", "cache", key), "needs write_back = true"


def lan_doubts(lan: Lan, disk: DiskArray | None) -> Iterator[Problem]:
    """Rates and media that are legal but probably not meant."""
    rate, fast = lan.rate, f"{lan.rate / 1e9:g} Gb/s"
    meant = f'did you mean "{rate / 1e9:g} Mb/s"?'
    if rate not in ETHERNET_RATES:
        text = f"{rate / 1e6:g} Mb/s is no Ethernet rate"
        if rate / 8 in ETHERNET_RATES:
            text = f'{rate / 8e6:g} MB/s = {text}; did you mean "{rate / 8e6:g} Mb/s"?'
        yield ("lan", "rate"), text
    elif rate >= SWITCHED_FROM and (lan.medium == "shared" or lan.duplex == "half"):
        key = "medium" if lan.medium == "shared" else "duplex"
        yield ("lan", key), f"{fast} was never {getattr(lan, key)} in practice; {meant}"
    elif rate >= SWITCHED_FROM and lan.usable_share is not None and lan.usable_share <= 0.9:
        problem = f"{100 * lan.usable_share:.0f} % is a figure of shared Ethernet"
        yield ("lan", "usable_share"), f"{problem}, and {fast} is switched; {meant}"

    if disk is None:
        return
    drives = disk.drives * disk.transfer_rate
    if rate >= SWITCHED_FROM and rate / 8.0 > SLIP * drives:
        times = f"{fast} is {rate / 8.0 / drives:.0f} times what {disk.drives} drive(s)"
        problem = f"{times} of {disk.transfer_rate / 1e6:g} MB/s read; {meant.rstrip('?')}"
        yield ("lan", "rate"), f"{problem}, or are the drives newer than the figures?"


def disk_doubts(disk: DiskArray) -> Iterator[Problem]:
    """Drives that are legal but probably not meant."""
    if disk.seek_time > 0.1:
        problem = f"{disk.seek_time:g} s is too long for a disk; did you mean ms?"
        yield ("disk", "seek_time"), problem
    if disk.rotation_time > 0.1:
        problem = f"{disk.rotation_time:g} s a turn is too long for a disk; did you mean ms?"
        yield ("disk", "rotation_time"), problem
    track = disk.transfer_rate * disk.rotation_time
    if disk.stripe > 4e6 and disk.stripe > 4 * track and disk.parallelism is None:
        yield ("disk", "stripe"), f"{disk.stripe / 1024**2:g} MB is many tracks; did you mean KB?"
