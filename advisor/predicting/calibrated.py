"""A calibrated model on the hardware of a configuration; see THEORY.md."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from math import inf
from typing import Any

from advisor.configuration.calibrated import calibration_beside
from advisor.configuration.changed_keys import PART_FIGURES
from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import settings_of
from advisor.configuration.schema import BatchTask, Demands
from advisor.predicting.hardware import given_task, hardware_of
from calibration.agreements.ensemble import Variant
from calibration.estimation.data import Conditions
from calibration.fitting.fitted_model import Calibration
from calibration.hardware.hardware import Hardware, device_kind, is_tier, station_kind
from calibration.hardware.server import ServerNetwork
from calibration.hardware.task import Task, shares
from calibration.model_evaluation.model import ServiceModel, load_of
from calibration.predicting.measured_server import MeasuredLoad, load_of_each, measured_server
from calibration.predicting.worlds import World, worlds_of
from calibration.systems import load_system
from qmodel.documents.document import Document
from qmodel.documents.wording import did_you_mean

#: Tables of the devices that a calibration may have measured; what of `Hardware` each sets.
_PARTS = {
    "server": ("processors", "speed", "thread_gain", "encryption"),
    "disk": ("disk",),
    "lan": ("lan",),
}
#: Keys with which ``measured_on`` says what each of them was.
_WANTED = {
    "server": ("cores", "and processor or cpu_speed"),
    "disk": ("drive", "drives", "raid"),
    "lan": ("rate", "segments"),
}
#: Keys that a key of ``measured_on`` says anew.
_INSTEAD = {"cores": ("cpus", "cores", "cpu_quota"), "processor": ("processor", "cpu_speed")}
#: Share of the disk operations that write, unless the configuration gives it: a convention. [1]
_WRITES = 0.5


def calibration_of(configuration: Configuration) -> Calibration | None:
    """The calibration that a configuration refers to, or that its measured system is."""
    workload = configuration.settings.workload
    if workload.calibration is not None:
        return calibration_beside(configuration.document, workload.calibration)
    return load_system(workload.system).calibration if workload.system else None


def calibrated_ways(configuration: Configuration, calibration: Calibration) -> tuple[Variant, ...]:
    """Every way the measured server may be, with the tasks of its classes in words."""
    tasks, most = _tasks(configuration, calibration), configuration.settings.server.most_active
    ways = [
        Variant(world.model, world.axis, tasks, _WRITES, world.weight, _with_pool(world, most))
        for world in worlds_of(calibration)
    ]
    if _changed(configuration, "disk"):  # then it matters how much of its work writes
        ways = [each for way in ways for each in _with_writes(way, ways)]
    return tuple(ways)


def places_of(configuration: Configuration) -> int | None:
    """How many requests are let in at once: as stated, else as the likeliest model has it."""
    if (most := configuration.settings.server.most_active) is not None:
        return most
    calibration = calibration_of(configuration)
    pool = calibration.service(calibration.admissible[0]).pool[0] if calibration else inf
    return round(pool) if pool < inf else None


def _with_pool(world: World, most: int | None) -> ServiceModel:
    """The system of a world, its pool as large as the configuration says, if it does."""
    if most is None or world.service.pool[0] == inf:
        return world.service
    return replace(world.service, pool=(float(most),), holding=1.0)


def _with_writes(way: Variant, ways: Sequence[Variant]) -> Iterator[Variant]:
    yield way
    of_model = [each for each in ways if each.member == way.member]
    if way is of_model[-1]:
        axis = way.axis + 1
        for share in (0.0, 1.0):
            yield replace(of_model[0], axis=axis, write_share=share)


def calibrated_network(
    configuration: Configuration, calibration: Calibration, way: Variant,
    running: Sequence[BatchTask] = (), *, users: bool = True,
) -> ServerNetwork:  # fmt: skip
    """The network of one way, with some batch tasks running, and the users or not."""
    assert way.service is not None
    hardware = hardware_of(configuration)
    if way.service.pool[0] < inf:  # which has the limit already
        hardware = replace(hardware, most_active=None)
    workload = configuration.settings.workload
    populations = shares(workload.users, [c.share for c in workload.classes])
    rate = workload.arrival_rate
    loads = [
        _load(
            calibration, each, population, workload.think_time,
            None if rate is None else rate * each.share,
        )
        for each, population in zip(workload.classes, populations, strict=True)
        if population or rate is not None
    ]  # fmt: skip
    batch = [_load(calibration, each, 1, each.pause, None) for each in running]
    largest = largest_run(calibration)
    measured = think_times(calibration, way.service)
    known = [
        each
        if each.think_time is not None or each.row is None
        else replace(each, think_time=measured[each.row])
        for each in loads
    ]
    load = load_of_each(
        way.service, largest.servers, known, configuration.settings.standing,
        counted=calibration.data.populations is not None,
    )  # fmt: skip
    return measured_server(
        way.service, largest.servers, [*(known if users else ()), *batch], load,
        measured=measured_hardware(configuration), hardware=hardware,
        write_share=write_share(configuration, way),
        hidden=any(any(w.service.hidden_queue) for w in worlds_of(calibration)),
        beside=beside(configuration, calibration),
    )  # fmt: skip


def largest_run(calibration: Calibration) -> Conditions:
    """The conditions of the run with most users, or of the highest rate."""
    return max(calibration.data.runs, key=load_of)


def beside(configuration: Configuration, calibration: Calibration) -> tuple[str, ...]:
    """Devices whose utilization was not measured and that are asked for.

    By a task with demands of its own; the LAN also by the traffic of the runs.
    """
    settings = configuration.settings
    measured = {station_kind(name) for name in calibration.data.stations}
    given = [e for e in (*settings.workload.classes, *settings.batch) if e.cpu is not None]
    traffic = settings.describes("lan") and any(
        what == "volume" and device_kind(name) == "lan" for what, name in calibration.data.series
    )
    asked = {"disk": any(e.disk_kb for e in given)}
    asked["lan"] = traffic or any(e.lan_kb for e in given)
    return tuple(kind for kind, wanted in asked.items() if wanted and kind not in measured)


def think_times(calibration: Calibration, service: ServiceModel) -> tuple[float, ...]:
    """Of each class as it was measured, or fitted where no run stated it. [s]"""
    given = largest_run(calibration).think_time
    return tuple(
        fitted if z is None else z for z, fitted in zip(given, service.think_time, strict=True)
    )


def _load(
    calibration: Calibration, each: Demands, population: int, think_time: float | None,
    rate: float | None,
) -> MeasuredLoad:  # fmt: skip
    classes = calibration.data.classes
    if each.cpu is not None:
        task = given_task(each, each.cpu)
        return MeasuredLoad(each.name, population, think_time or 0.0, rate, task=task)
    return MeasuredLoad(each.name, population, think_time, rate, classes.index(each.task_name))


def write_share(configuration: Configuration, way: Variant) -> float:
    """Of the disk operations of the users: as the configuration gives it, or as of the way. [1]"""
    given = [c.write_share for c in configuration.settings.workload.classes]
    known = [share for share in given if share is not None]
    return known[0] if known else way.write_share


def _tasks(configuration: Configuration, calibration: Calibration) -> dict[str, Task]:
    """What rules may know of each task: its name and its think time, and demands as given."""
    settings = configuration.settings
    best = worlds_of(calibration)[0].service
    found = {
        name: Task(
            name, name, "one interaction", 0.0, 0.0, 0.0, 0.0,
            think_time=think_time, sources=(calibration.data.source,),
        )
        for name, think_time in zip(
            calibration.data.classes, think_times(calibration, best), strict=True
        )
    }  # fmt: skip
    for each in (*settings.workload.classes, *settings.batch):
        if each.cpu is not None:
            found[each.task_name] = given_task(each, each.cpu)
    return found


def measured_hardware(configuration: Configuration) -> Hardware:
    """What was measured: the hardware of the file, but for what ``measured_on`` says.

    Raises
    ------
    qmodel.FileError
        If a device has changed and the file does not say which one was measured.
    """
    name = configuration.settings.workload.calibration
    if name is None:
        return _reference(configuration)
    for table in _PARTS:
        if _changed(configuration, table) and not _measured_on(configuration, table):
            key = next(
                (k for k, v in _table(configuration.data, table).items()
                 if _table(configuration.document.data, table).get(k) != v),
                "",
            )  # fmt: skip
            wanted = ", ".join(_WANTED[table])
            raise configuration.document.error(
                (table, key) if key else (table,),
                f"which {table} was measured is not stated, so another one cannot be predicted; "
                f"add [{table}.measured_on] with {wanted}",
            )
    return _measured(configuration.document, name)


def _reference(configuration: Configuration) -> Hardware:
    """What a measured system was measured on."""
    system = configuration.settings.workload.system
    found = load_system(system).reference if system else None
    return hardware_of(configuration) if found is None else found


@lru_cache(maxsize=64)
def _measured(document: Document, name: str) -> Hardware:
    data = deepcopy(document.data)
    for table in _PARTS:
        device = _table(data, table)
        said = device.pop("measured_on", None)
        if not said:
            continue
        for key in said:
            for old in _INSTEAD.get(key, (key,)):
                device.pop(old, None)
                for figure in PART_FIGURES.get((table, old), ()):
                    device.pop(figure, None)
        device.update(said)
    found = replace(document, data=data)
    was = hardware_of(Configuration(settings_of(found), data, found))
    _check_servers(document, was, name)
    return was


def _check_servers(document: Document, measured: Hardware, name: str) -> None:
    """Refuse other processors than the runs had, where their table counts them."""
    _check_tiers(document, name)
    server = _table(document.data, "server")
    said_of = [key for key in ("cores", "cpus", "processor", "measured_on") if key in server]
    if not said_of:
        return  # nothing is said of them, and nothing can be changed
    calibration = calibration_beside(document, name)
    tiers = list(filter(is_tier, calibration.data.stations))
    if tiers and "cpu" not in map(station_kind, calibration.data.stations):
        problem = f"the calibration has tiers {' and '.join(tiers)}; write [[tier]]"
        raise document.error(("server", said_of[0]), problem)
    there = largest_run(calibration).servers
    for station, servers in zip(calibration.data.stations, there, strict=True):
        counted = station_kind(station) == "cpu" and station not in calibration.data.assumed
        if counted and servers != measured.processors:
            said = ("measured_on",) if server.get("measured_on") else ()
            raise document.error(
                ("server", *said, "cores"),
                f"the runs of {name} had {servers} processor{'s' * (servers != 1)}, not "
                f"{measured.processors}; put cores = {servers} into [server.measured_on]",
            )


def _check_tiers(document: Document, name: str) -> None:
    """Refuse a tier that is no station of the calibration, or whose cores no run counts."""
    data = calibration_beside(document, name).data
    tiers = list(filter(is_tier, data.stations))
    for i, tier in enumerate(document.data.get("tier", ())):
        if tier["name"] not in tiers:
            hint = did_you_mean(tier["name"], tiers)
            raise document.error(("tier", i, "name"), f"no station of {name}; {hint}")
        if tier["name"] in data.assumed:
            problem = f"taken as one server: add a column servers:{tier['name']} to the table"
            raise document.error(("tier", i, "cores"), f"{problem} and calibrate again")


def _changed(configuration: Configuration, table: str) -> bool:
    """Whether a device is another one than the file or its ``measured_on`` says."""
    now = hardware_of(configuration)
    name = configuration.settings.workload.calibration
    if name is None:
        was = _reference(configuration)
    elif _measured_on(configuration, table):
        was = _measured(configuration.document, name)
    else:
        was = hardware_of(_written(configuration.document))
    return any(getattr(now, part) != getattr(was, part) for part in _PARTS[table])


@lru_cache(maxsize=64)
def _written(document: Document) -> Configuration:
    return Configuration(settings_of(document), document.data, document)


def _measured_on(configuration: Configuration, table: str) -> bool:
    return bool(_table(configuration.data, table).get("measured_on"))


def changeable(configuration: Configuration, table: str) -> bool:
    """Whether the model knows what another device of this kind would do."""
    return configuration.settings.workload.calibration is None or _measured_on(configuration, table)


def _table(data: dict[str, Any], table: str) -> dict[str, Any]:
    found = data.get(table)
    return found if isinstance(found, dict) else {}
