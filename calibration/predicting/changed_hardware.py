"""What a change of hardware does to a station that was measured; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor, inf

from calibration.hardware.drive_mix import at_once
from calibration.hardware.hardware import Hardware, station_kind
from calibration.hardware.server_demands import disk_demands, lan_demands
from calibration.hardware.task import Load, Task
from calibration.model_evaluation.model import DEPTH, ServiceModel
from calibration.model_evaluation.network import MeasuredStation
from calibration.predicting.other_servers import on_processors
from qmodel.devices.processor import processor_demand
from qmodel.errors import NotApplicable

#: Work that is put on both: only ratios of what it takes count. [s], [bytes]
_TRIAL = Task("trial", "trial", "one trial", 1.0, 1e6, 1e6, 0.0)


@dataclass(frozen=True, slots=True)
class HardwareChange:
    """Hardware against hardware, for one device."""

    #: What the same work takes, new over old. [1]
    work: float = 1.0
    #: Servers of one station, new over old. [1]
    servers: float = 1.0
    #: Stations that the work is spread over, new over old. [1]
    spread: float = 1.0
    #: What another drive serves at once; without limit where it is the one that was measured.
    at_once: float = inf


def hardware_change(kind: str, old: Hardware, new: Hardware, write_share: float) -> HardwareChange:
    """The change of one device, for work of which so much writes.

    Raises
    ------
    qmodel.NotApplicable
        If one of them runs two threads a core and the other does not.
    """
    if kind == "cpu":
        if old.thread_gain != new.thread_gain:
            raise NotApplicable(
                "server.hyper_threads: what a second thread of each core brings to this load was "
                "not measured; calibrate with runs that have it"
            )
        before, after = (processor_demand(1.0, h.speed, h.encryption) for h in (old, new))
        return HardwareChange(after / before, new.processors / old.processors)
    if kind == "disk":
        one, other = (disk_demands(h.disk, _TRIAL, write_share)[1] for h in (old, new))
        servers = [servers_of(hardware, kind, write_share) for hardware in (old, new)]
        most = inf if old.disk.drive == new.disk.drive else servers[1]
        return replace(_of(one, other, servers[1] / servers[0]), at_once=most)
    if kind == "lan":
        one, other = (lan_demands(h.lan, 1e6, contenders=None)[1] for h in (old, new))
        return _of(one, other, 1.0)
    return HardwareChange()


def servers_of(hardware: Hardware, kind: str, write_share: float) -> int:
    """How many a station of a device serves at once: operations that a drive has in parallel."""
    if kind != "disk":
        return 1
    return at_once(hardware.disk, (Load("trial", _TRIAL, 1),), write_share)[0]


def _of(old: Sequence[float], new: Sequence[float], servers: float) -> HardwareChange:
    spread = (sum(new) / max(new)) / (sum(old) / max(old))
    return HardwareChange(sum(new) / sum(old), servers, spread)


def changed_stations(
    stations: Sequence[MeasuredStation], old: Hardware, new: Hardware, write_share: float
) -> list[list[MeasuredStation]]:
    """Each station on other hardware: one, or several that have its work between them.

    Raises
    ------
    qmodel.NotApplicable
        If a change has no place at a station, as half a server.
    """
    changes = {
        kind: hardware_change(kind, old, new, write_share)
        for kind in {station_kind(each.name) for each in stations}
    }
    tiers = {each.name: each for each in new.tiers}
    return [
        _changed(
            each,
            HardwareChange(1.0 / tier.speed, tier.processors / each.servers)
            if (tier := tiers.get(each.name))
            else changes[station_kind(each.name)],
        )
        for each in stations
    ]


def template(names: Sequence[str], servers: Sequence[int]) -> list[MeasuredStation]:
    """Stations with a demand of 1 s, in the background of which nothing is left."""
    return [
        MeasuredStation(n, m, (1.0,), background=1.0, lost=1.0)
        for n, m in zip(names, servers, strict=True)
    ]


def saturated_later(
    service: ServiceModel, servers: Sequence[int], parts: Sequence[Sequence[MeasuredStation]],
    allowed: float = 1.0,
) -> ServiceModel:  # fmt: skip
    """The model with what a request takes of so many processors, and its load of saturation.

    ``parts`` are the stations, of demand 1, after the change; ``allowed`` is the part of the
    processors there that a quota leaves, over that of the runs [1]. Demands that vary with load are
    told by the load over that of saturation, as the busiest measured station leaves it.
    """
    busiest, changed = service.busiest(servers) if servers else -1, service
    for k, some in enumerate(parts):
        there = some[0].servers / servers[k]
        there /= allowed if station_kind(service.stations[k]) == "cpu" else 1.0
        changed, more = on_processors(changed, k, there)
        if k == busiest:
            gain = min(part.servers / part.demand[0] for part in some) / servers[k] / more
            changed = replace(changed, reference=service.reference * gain)
    return changed


def _changed(station: MeasuredStation, change: HardwareChange) -> list[MeasuredStation]:
    if change == HardwareChange():
        return [station]
    servers = max(1, floor(station.servers * change.servers + 1e-9))
    # Other work takes as much as it did, of what there is now; a quota is of so many processors.
    share = station.servers * change.work / servers / change.spread
    quota = station.quota * station.servers / servers if station.quota < 1.0 else 1.0
    room = max(0.0, change.at_once - servers) / max(1, DEPTH + 1 - servers)
    whole = replace(
        station, servers=servers, demand=tuple([d * change.work for d in station.demand]),
        background=station.background * share, lost=station.lost * share, quota=min(1.0, quota),
        parallel=min(station.parallel, room),
    )  # fmt: skip
    if change.spread <= 1.0:
        return [replace(whole, demand=tuple([d / change.spread for d in whole.demand]))]
    count = floor(change.spread + 1e-9)
    parts = [1.0 / change.spread] * count
    if (rest := 1.0 - count / change.spread) > 1e-9:
        parts.append(rest)
    return [
        replace(
            whole, name=station.name if len(parts) == 1 else f"{station.name} {i}",
            demand=tuple([d * part for d in whole.demand]),
        )
        for i, part in enumerate(parts, 1)
    ]  # fmt: skip
