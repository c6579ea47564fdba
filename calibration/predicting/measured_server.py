"""A calibrated server under loads: measured stations on given hardware; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from operator import mul

from calibration.estimation.data import NOT_MEASURED
from calibration.hardware.drive_mix import at_once
from calibration.hardware.hardware import Hardware, device_kind, is_tier, station_kind
from calibration.hardware.server import INSIDE, Derivation, ServerNetwork
from calibration.hardware.server_demands import demands
from calibration.hardware.task import Load, Task
from calibration.model_evaluation.model import Row, ServiceModel
from calibration.model_evaluation.network import MeasuredStation, network_of, stations_of
from calibration.predicting import changed_hardware as altered
from qmodel import ClosedClass, Network, NotApplicable, OpenClass, PopulationLimit


@dataclass(frozen=True, slots=True)
class MeasuredLoad:
    """A class of customers of a calibrated server."""

    #: Of the class.
    name: str
    #: [customers]
    population: int
    #: As it was measured if not given. [s]
    think_time: float | None = None
    #: Instead of a population. [1/s]
    arrival_rate: float | None = None
    #: Which class of the calibration it is.
    row: int | None = None
    #: What it asks for, where it is none.
    task: Task | None = None


def load_of_each(
    service: ServiceModel, servers: Sequence[int], users: Sequence[MeasuredLoad], copies: int = 1,
    *, counted: bool,
) -> float:  # fmt: skip
    """The load of each of so many equal servers, as demands that vary with load are known by it.

    These are users where the runs ``counted`` them, else interactions per second. Of the other kind
    of load it is what keeps the busiest station as busy: N users send N / (Z + R) interactions per
    second while none waits, R being the response time of one alone.
    """
    load = sum(e.population if (x := e.arrival_rate) is None else x for e in users) / copies
    by_rate = any(each.arrival_rate is not None for each in users)
    let_in = 1.0
    if users and not by_rate:
        let_in = service.let_in(load, _think_time(service, users[0])) / load
        alike = [1.0 if e.row is None else service.alike(e.row, e.think_time) for e in users]
        load = let_in / copies * sum(e.population * n for e, n in zip(users, alike, strict=True))
    several = len(service.classes) > 1
    if counted is not by_rate and not (by_rate and several):
        return load
    alone = [
        sum(row) + delay + queue
        for row, delay, queue in zip(
            service.demand, service.hidden_delay, service.hidden_queue, strict=True
        )
    ]
    rates = [0.0] * len(service.classes)
    for each in users:
        if each.row is not None:
            cycle = _think_time(service, each) + alone[each.row]
            rate = let_in * each.population / cycle if cycle else 0.0
            rates[each.row] += (rate if each.arrival_rate is None else each.arrival_rate) / copies
    return service.load_of_rates(rates, servers) if counted or several else sum(rates)


def measured_server(
    service: ServiceModel, servers: Sequence[int], loads: Sequence[MeasuredLoad], load: float, *,
    measured: Hardware, hardware: Hardware, write_share: float = 0.5, hidden: bool = True,
    beside: Sequence[str] = (),
) -> ServerNetwork:  # fmt: skip
    """The network of a calibrated server, one world of a calibration, under loads.

    ``load`` is that of one such server, as `load_of_each` has it; demands may vary with it.
    ``measured`` is the hardware that was, ``hardware`` what there is; devices ``beside`` were not
    measured and have the stations that the hardware gives them; ``hidden`` is a station for what
    else was not. Of a LAN beside, the traffic that was measured is part of what was seen as delay.
    NotApplicable if a load asks for a device that was not measured.
    """
    plain = altered.changed_stations(
        altered.template(service.stations, servers), measured, hardware, write_share
    )
    allowed = hardware.allowed / measured.allowed
    service = altered.saturated_later(service, servers, plain, allowed)
    rows = service.demand_at(load)
    own = [rows[each.row] if each.row is not None else (0.0,) * len(servers) for each in loads]
    traffic = [_traffic(service, each.row, load) if "lan" in beside else None for each in loads]
    delays = [
        max(0.0, _of(service.hidden_delay, each) - _lan_time(measured, task))
        for each, task in zip(loads, traffic, strict=True)
    ]
    queues = [_of(service.hidden_queue, each) for each in loads]
    changed = altered.changed_stations(
        stations_of(service, servers, own, load), measured, hardware, write_share
    )
    free = [  # of each station, over that at saturation
        1.0 if one.quota < 1.0 or not one.background < 1.0
        else (1.0 - one.lost) / (1.0 - one.background)
        for one, *_ in changed
    ]  # fmt: skip
    ratios = [tuple(map(mul, row, free)) for row in service.to_saturation(load)]
    none = (0.0,) * len(loads)
    drives = _drives(hardware, loads, write_share) if "disk" in beside else None
    changed += [_device(hardware, kind, none, drives) for kind in beside]
    for i, (each, own_traffic) in enumerate(zip(loads, traffic, strict=True)):
        if (task := each.task or own_traffic) is not None:
            changed = _with_task(changed, i, each.name, hardware, task, write_share, drives)
    stations = [station for some in changed for station in some]
    classes = [
        ClosedClass(each.name, each.population, _think_time(service, each))
        if each.arrival_rate is None
        else OpenClass(each.name, each.arrival_rate)
        for each in loads
    ]
    pool = service.places
    limited = hardware.most_active is not None or pool < inf
    network = network_of(
        stations, classes, tuple(delays), tuple(queues) if hidden else None, slowed=limited
    )
    shared = [k for k, each in enumerate(stations) if limited and each.shared]
    resources: list[tuple[str, tuple[int, ...]]] = []
    start = 0
    names = [*service.stations, *beside]
    for name, some in zip(names, changed, strict=True):
        resources.append((name, tuple(range(start, start + len(some)))))
        start += len(some)
    resources.append(("client", (start,)))
    if hidden:
        resources.append((NOT_MEASURED, (start + 1,)))
    if limited:
        inside = [
            station.name
            for name, some in zip(names, changed, strict=True)
            for station in some
            if device_kind(name) in INSIDE or is_tier(name)
        ]
        most = hardware.most_active
        if most is None:  # a pool that was found by calibration holds all that is inside
            most, inside = max(1, round(pool)), [each.name for each in network.stations]
        limit = PopulationLimit("admission", most, tuple(inside))
        resources.append(("admission", (len(network.stations),)))
        network = Network(
            network.stations, network.classes, network.demand, scv=network.scv, limits=(limit,)
        )
    return ServerNetwork(
        network, tuple(resources), tuple(_derivation(network, loads, resources)),
        tuple(each.monitored for each in stations), {k: stations[k].lost for k in shared},
        {
            k: (each.servers, each.lost if each.servers > 1 else 0.0)
            for k, each in enumerate(stations)
            if each.quota < 1.0
        },
        tuple([ratios[each.row] if each.row is not None else () for each in loads]),
    )  # fmt: skip


def _of(values: Row, each: MeasuredLoad) -> float:
    return values[each.row] if each.row is not None else 0.0


def _traffic(service: ServiceModel, row: int | None, load: float) -> Task | None:
    """What an interaction was measured to move on the LAN, as a task; None for other loads."""
    if row is None:
        return None
    measured = zip(service.series, service.volume_at(load)[row], strict=True)
    volume = sum(v for (what, of), v in measured if what == "volume" and device_kind(of) == "lan")
    return Task("lan", "LAN", "one interaction", 0.0, 0.0, volume, 0.0)


def _lan_time(hardware: Hardware, task: Task | None) -> float:
    if task is None or not task.lan_volume:
        return 0.0
    asked = demands(hardware, task, 0.5, contenders=None, unseen=False)
    return sum(sum(values) for kind, _, values in asked if kind == "lan")


def _think_time(service: ServiceModel, each: MeasuredLoad) -> float:
    if each.think_time is not None:
        return each.think_time
    return service.think_time[each.row] if each.row is not None else 0.0


def _with_task(
    changed: Sequence[list[MeasuredStation]], i: int, name: str, hardware: Hardware, task: Task,
    write_share: float, drives: tuple[int, float] | None,
) -> list[list[MeasuredStation]]:  # fmt: skip
    """The stations with the demands of one more task, at the first of each kind."""
    wanted = {
        kind: values
        for kind, _, values in demands(
            hardware, task, write_share, drives, contenders=None, unseen=False
        )
        if kind in {"cpu", "disk", "lan"} and any(values)
    }
    found = [list(some) for some in changed]
    for some in found:
        kind = station_kind(some[0].name)
        if kind not in wanted:
            continue
        values = wanted.pop(kind)
        for j, station in enumerate(some):
            alike = max(values) if len(some) == 1 else sum(values) / len(some)
            value = values[j] if len(values) == len(some) else alike
            row = [*station.demand[:i], value, *station.demand[i + 1 :]]
            some[j] = replace(station, demand=tuple(row))
    if wanted:
        missing = " and ".join(wanted)
        raise NotApplicable(f"{name} asks for {missing}, which the calibration did not measure")
    return found


def _drives(
    hardware: Hardware, loads: Sequence[MeasuredLoad], write_share: float
) -> tuple[int, float]:
    """As `at_once`, of all tasks that were not measured together."""
    tasks = [
        Load(each.name, each.task, each.population, each.think_time or 0.0, each.arrival_rate)
        for each in loads
        if each.task is not None
    ]
    return at_once(hardware.disk, tasks, write_share)


def _device(
    hardware: Hardware, kind: str, demand: Row, drives: tuple[int, float] | None
) -> list[MeasuredStation]:
    """The stations of a device by its hardware, without any demand."""
    trial = Task(kind, kind, "a trial", 0.0, 1.0, 1.0, 0.0)
    values = next(
        values
        for name, _, values in demands(hardware, trial, 0.5, contenders=None, unseen=False)
        if name == kind
    )
    names = [kind] if len(values) == 1 else [f"{kind} {j}" for j in range(1, len(values) + 1)]
    servers = drives[0] if drives and kind == "disk" else 1
    return [MeasuredStation(name, servers, demand) for name in names]


def _derivation(
    network: Network,
    loads: Sequence[MeasuredLoad],
    resources: Sequence[tuple[str, tuple[int, ...]]],
) -> list[Derivation]:
    found = []
    for each, row in zip(loads, network.demand, strict=False):
        for name, members in resources:
            if name != "admission":
                value = sum(row[k] for k in members)
                how = "as given" if each.task is not None else "fitted to the measured runs"
                found.append(Derivation(each.name, name, value, how))
    return found
