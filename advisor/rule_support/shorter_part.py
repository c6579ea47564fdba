"""What shortens a class's time at a resource where requests do not wait long; see THEORY.md."""

from collections.abc import Iterator, Sequence

from advisor.configuration.changed_keys import with_new_parts
from advisor.configuration.changes import Change, Settings
from advisor.configuration.parts import catalogue_of
from advisor.findings.records import Option
from advisor.findings.targets import missed
from advisor.findings.words import percent
from advisor.predicting.hardware import hardware_of
from advisor.predicting.outlook import WITHOUT_OUTLOOK
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case
from advisor.rule_support.shared_options import Step, faster_processors
from qmodel.devices.catalogue import Drive
from qmodel.devices.lan import ETHERNET_RATES
from qmodel.devices.raid import LEVELS
from qmodel.documents.units import show_quantity
from qmodel.errors import FileError

#: Utilization from which on the resource's own rules speak (DSK001, CPU002, LAN001). [1]
BUSY = {"cpu": 0.60, "disk": 0.40, "lan": 0.60}
#: Speeds of the processor that are tried, relative to now.
FASTER = (1.25, 1.5, 2.0, 3.0)
#: Levels without parity that keep the data when a drive fails, in the order tried.
MIRRORS = ("raid10", "raid1e", "raid1")
CARD = card_of(__file__)


def shorter_part(case: Case, name: str, resource: str) -> tuple[Option, ...]:
    """Options that shorten the time of a late class at a resource that is not busy."""
    if case.of_a_paper or resource not in BUSY:
        return ()
    if case.outlook.resource(resource).utilization.mid >= BUSY[resource]:
        return ()
    return tuple(_OPTIONS[resource](case, name))


def _disk(case: Case, name: str) -> Iterator[Option]:
    disk = case.settings.disk
    each = disk.drives // disk.arrays
    mirrors = [n for n in MIRRORS if LEVELS[n].why_not(each) is None]
    if LEVELS[disk.raid].parity and mirrors:
        space = percent(LEVELS[mirrors[0]].usable_share(each))
        yield CARD.option("mirror", mirrors[0], level=mirrors[0], space=space)
    yield from _least(case, name, "drives", tuple(_drives(case)))


def _drives(case: Case) -> Iterator[Step]:
    """Drives of the catalogue that answer sooner than the present ones, the slowest first."""
    now = hardware_of(case.configuration).disk
    found: list[tuple[float, Step]] = []
    present = case.settings.disk.drive
    for drive in catalogue_of(case.configuration).instead_of(Drive, present):
        settings = with_new_parts(case.configuration, ((("disk", "drive"), drive.name),))
        try:
            then = hardware_of(Change("", settings).apply(case.configuration)).disk
        except FileError:
            continue
        time = then.drive.lone_time(then.block)
        if time < now.drive.lone_time(now.block):
            found.append((time, (f"replace the drives by {drive.name}", settings)))
    found.sort(key=lambda each: -each[0])
    yield from (step for _, step in found)


def _cpu(case: Case, name: str) -> Iterator[Option]:
    yield from _least(case, name, "processors", faster_processors(case, FASTER))


def _lan(case: Case, name: str) -> Iterator[Option]:
    lan = case.settings.lan
    steps = tuple(
        (
            f"use Ethernet of {show_quantity(rate, 'bit rate')}",
            ((("lan", "rate"), f"{rate / 1e6:g} Mb/s"),),
        )
        for rate in ETHERNET_RATES
        if rate > lan.rate and lan.network is None
    )
    yield from _least(case, name, "ethernet", steps)


_OPTIONS = {"cpu": _cpu, "disk": _disk, "lan": _lan}


def _least(case: Case, name: str, option: str, steps: Sequence[Step]) -> Iterator[Option]:
    """The first step with which the class meets its target, or the last."""
    if not steps:
        return
    chosen = next((s for s in steps if _meets(case, name, s[1])), steps[-1])
    title, settings = chosen
    yield CARD.option(option, settings=settings, title=title)


def _meets(case: Case, name: str, settings: Settings) -> bool:
    try:
        then = case.outlook_with(settings)
    except WITHOUT_OUTLOOK:
        return False
    late = missed(case.configuration, then)
    return not any(each.unit == "s" and each.of == name for each in late)
