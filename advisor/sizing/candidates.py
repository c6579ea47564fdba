"""Candidate configurations: which parts, how many, and one user's demands; see THEORY.md."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from advisor.configuration.changed_keys import key_of, with_new_parts
from advisor.configuration.changes import Change, Key
from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import catalogue_of
from advisor.predicting.calibrated import changeable
from advisor.predicting.workload import loads_of, network_of
from advisor.sizing.one_by_one import PLACES, REPLICAS
from advisor.sizing.prices import Prices
from calibration.agreements.ensemble import Variant
from calibration.hardware.hardware import station_kind
from calibration.hardware.server import ServerNetwork
from calibration.systems import load_system
from qmodel.devices.catalogue import Drive, NetworkPart, Processor
from qmodel.devices.raid import LEVELS
from qmodel.documents.wording import did_you_mean, show_key, show_text
from qmodel.errors import FileError, InvalidInput

#: What may vary, by what is chosen apart; resources whose stations it makes.
GROUPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "processor": (
        (
            "server.processor", "server.cpu_speed", "server.cpus", "server.cores",
            "server.cpu_quota",
        ),
        ("cpu",),
    ),
    "drive": (("disk.drive", "disk.raid", "disk.drives", "disk.arrays"), ("disk", "channel")),
    "network": (("lan.network", "lan.rate", "lan.segments"), ("lan",)),
}  # fmt: skip
#: Measured systems whose operating system ran on one processor only.
SINGLE = ("notes31",)
#: Numbers of parts that are tried unless told otherwise; of cores, and the time of a quota, over
#: the present ones; quotas are whole quarters of a processor.
PROCESSORS = (1, 2, 4, 8)
CORES = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
DRIVES = (1, 2, 3, 4, 6, 8, 10, 12, 16, 24)
SEGMENTS = (1, 2, 4)
QUARTER = 0.25

_ROUNDING = 1.0 - 1e-9

#: Demand of each class at one of some stations alike: how many, servers each, and demands. [s]
Stations = tuple[tuple[int, float, tuple[float, ...]], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of processors, of drives or of the network."""

    #: What is set in the configuration.
    settings: tuple[tuple[Key, Any], ...]
    #: Of these parts.
    cost: float
    #: For each variant asked for.
    stations: tuple[Stations, ...]


def groups_of(configuration: Configuration) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """`GROUPS`, and each tier of a configuration as one of its own."""
    names = [tier.name for tier in configuration.settings.tiers]
    return GROUPS | {f"tier {name}": (_tier_keys(name), (name,)) for name in names}


def _tier_keys(name: str) -> tuple[str, ...]:
    return tuple(show_key(("tier", name, key)) for key in ("cores", "cpu_speed"))


def values_to_vary(
    configuration: Configuration, asked: Sequence[str]
) -> dict[str, tuple[Any, ...]]:
    """Each key that varies and its values, of ``KEY=VALUE,VALUE`` or ``KEY`` for its usual ones.

    All usual keys if nothing is asked; a value with a comma in it stands in quotation marks.
    """
    usual = _usual(configuration)
    if not asked:
        return usual
    found: dict[str, tuple[Any, ...]] = {}
    for text in asked:
        key, sign, values = (part.strip() for part in text.partition("="))
        groups = groups_of(configuration).values()
        known = (*(each for keys, _ in groups for each in keys), REPLICAS, PLACES)
        if key not in known:
            raise InvalidInput(f"--vary {key}: cannot be varied; {did_you_mean(key, known)}")
        if sign and not values:
            raise InvalidInput(f"--vary {key}: no values; expected for example {key}=1,2,4")
        if not sign and key not in usual:
            raise InvalidInput(f"--vary {key}: no usual values; give some, as in {key}=...")
        found[key] = tuple(dict.fromkeys(_values(values, key))) if sign else usual[key]
    return found


def choices(
    configuration: Configuration, group: str, values: Mapping[str, Sequence[Any]],
    ways: Sequence[Variant], prices: Prices,
) -> tuple[tuple[Choice, ...], int, tuple[str, ...]]:  # fmt: skip
    """All choices of one group, how many there are that cannot be, and parts without a price.

    Raises
    ------
    qmodel.InvalidInput
        If none of them can be, with the reason of the first.
    """
    keys, resources = groups_of(configuration)[group]
    mine = {key: values[key] for key in keys if key in values}
    found: list[Choice] = []
    reasons: list[str] = []
    unpriced: dict[str, None] = {}
    classes = len(loads_of(configuration, ways[0]))
    varied = [key_of(configuration, key, "--vary") for key in mine]
    for combination in product(*mine.values()):
        settings = tuple(zip(varied, combination, strict=True))
        change = Change("", with_new_parts(configuration, settings))
        try:
            changed = change.apply(configuration)
            if group == "drive" and (reason := _why_not(configuration, changed)):
                reasons.append(reason)
                continue
            servers = [network_of(changed, way) for way in ways]
        except FileError as error:
            reasons.append(f"{error.key}: {error.problem}")
            continue
        except InvalidInput as error:
            reasons.append(str(error))
            continue
        missing = prices.why_none(group, changed)
        if missing and mine:
            unpriced[missing] = None
            continue
        found.append(
            Choice(
                change.settings,
                # What does not vary costs every candidate the same.
                0.0 if missing else prices.cost(group, changed, configuration),
                tuple(_stations(server, resources, classes) for server in servers),
            )
        )
    if not found:
        why = (
            reasons[0] if reasons else f"no cost of {next(iter(unpriced))}; give it in --cost FILE"
        )
        raise InvalidInput(f"no {group} to choose: {why}")
    return tuple(found), len(reasons), tuple(unpriced)


def rest(configuration: Configuration, ways: Sequence[Variant]) -> tuple[Stations, ...]:
    """What no choice changes, for each variant: queues that were not measured, and delays.

    A delay is a station with so many servers that no customer queues; it has 0 servers here.
    """
    found = []
    tiers = [tier.name for tier in configuration.settings.tiers]
    for way in ways:
        server = network_of(configuration, way)
        by_name = dict(server.resources)
        classes = len(loads_of(configuration, way))
        demand = server.network.demand[:classes]
        client = tuple(sum(row[k] for k in by_name["client"]) for row in demand)
        # Of a calibration also stations that are no device of a configuration.
        others = [
            name
            for name, _ in server.resources
            if not station_kind(name) and name not in {"client", "admission", "channel", *tiers}
        ]
        found.append((*_stations(server, others, classes), (1, 0.0, client)))
    return tuple(found)


def _usual(configuration: Configuration) -> dict[str, tuple[Any, ...]]:
    settings = configuration.settings
    server, disk, lan = settings.server, settings.disk, settings.lan
    catalogue = catalogue_of(configuration)
    found: dict[str, tuple[Any, ...]] = {}
    if settings.workload.system and server.processor:
        found["server.processor"] = tuple(load_system(settings.workload.system).processors)
    elif server.processor and server.reference_processor:
        reference = catalogue.find(Processor, server.reference_processor)
        found["server.processor"] = tuple(
            p.name
            for p in catalogue.instead_of(Processor, server.processor)
            if p.name in {reference.name, server.processor}
            or (p.speed is not None and p.relative_to == reference.relative_to)
        )
    if server.cpu_quota is not None:
        most = float(server.cpus * server.cores)
        quarters = (round(server.cpu_quota * factor / QUARTER) for factor in CORES)
        tried = {min(most, QUARTER * max(1, each)) for each in quarters}
        found["server.cpu_quota"] = tuple(sorted({*tried, server.cpu_quota}))
    elif server.cores > 1 and not server.processor:
        found["server.cores"] = _cores(server.cores)
    elif settings.workload.system not in SINGLE:
        found["server.cpus"] = tuple(sorted({*PROCESSORS, server.cpus}))
    if disk.drive:
        found["disk.drive"] = tuple(d.name for d in catalogue.instead_of(Drive, disk.drive))
    found["disk.raid"] = tuple(LEVELS)
    found["disk.drives"] = tuple(sorted({*DRIVES, disk.drives}))
    if lan.network:
        found["lan.network"] = tuple(n.name for n in catalogue.of(NetworkPart))
    found["lan.segments"] = tuple(sorted({*SEGMENTS, lan.segments}))
    tiers = {_tier_keys(tier.name)[0]: _cores(tier.cores) for tier in settings.tiers}
    return tiers | {
        key: values
        for key, values in found.items()
        for table in (key.partition(".")[0],)
        if changeable(configuration, table)
        and (table == "server" or configuration.settings.describes(table))
    }


def _cores(present: int) -> tuple[int, ...]:
    return tuple(sorted({max(1, round(present * factor)) for factor in CORES}))


def _values(text: str, key: str) -> Iterator[Any]:
    for value in next(csv.reader([text], skipinitialspace=True)):
        stripped = value.strip()
        if not stripped:
            raise InvalidInput(f"--vary {key}: an empty value in {show_text(text)}; leave it out")
        ends = stripped.split(":")
        if 1 < len(ends) < 4 and all(part.isdecimal() and len(part) < 6 for part in ends):
            first, last, step = map(int, (*ends, "1")[:3])
            if first > last or not step:
                raise InvalidInput(f"--vary {key}: expected a rising range, as 2:8; got {stripped}")
            yield from range(first, last + 1, step)
            continue
        if stripped.isdecimal() and len(stripped) < 10:
            yield int(stripped)
            continue
        try:
            yield float(stripped)
        except ValueError:
            yield stripped


def _why_not(present: Configuration, changed: Configuration) -> str:
    """Why drives are no choice although they can be; empty if they are one."""
    before, after = present.settings.disk.raid, changed.settings.disk.raid
    if LEVELS[before].tolerates_failure and not LEVELS[after].tolerates_failure:
        return f"{after} loses data with a drive, {before} does not"
    needed, held = _drives_of_data(present), _drives_of_data(changed)
    one, other = (each.settings.disk.capacity for each in (present, changed))
    if one is not None and other is not None:
        if held * other < needed * one * _ROUNDING:
            return f"less than the present {needed * one / 1e9:g} GB of space"
    elif held < needed * _ROUNDING:
        return f"less than the present {needed:g} drives of data"
    return ""


def _drives_of_data(configuration: Configuration) -> float:
    """Drives that all data would fill. [drives]"""
    disk = configuration.settings.disk
    return LEVELS[disk.raid].usable_share(disk.drives // disk.arrays) * disk.drives


def _stations(server: ServerNetwork, resources: Sequence[str], classes: int) -> Stations:
    """Stations of some resources, those alike taken together, the busiest first.

    What other work takes of several servers makes them as much slower.
    """
    network = server.network
    alike: dict[tuple[float, tuple[float, ...]], int] = {}
    for name, members in server.resources:
        if not {name, station_kind(name)} & set(resources):
            continue
        for k in members:
            servers = float(network.stations[k].max_rate)
            taken = sum(row[k] for row in network.demand[classes:]) / servers
            spare = max(1.0 - taken, 1e-9)
            column = tuple(row[k] / spare for row in network.demand[:classes])
            alike[servers, column] = alike.get((servers, column), 0) + 1
    found = tuple((count, servers, column) for (servers, column), count in alike.items())
    return found or ((1, 1.0, (0.0,) * classes),)
