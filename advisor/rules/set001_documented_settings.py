"""The check of SET001, whose words are the card beside it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.printed_tables.table import load_table

CARD = card_of(__file__)
#: Of each system the printed table and its column, and of each setting the unit and whether more
#: than the source has is as good.
TABLES, SETTINGS = CARD.data["tables"], CARD.data["settings"]
WRITTEN = {"s": " s", "bytes": " bytes"}


@dataclass(frozen=True, slots=True)
class _Difference:
    name: str
    unit: str
    given: float
    documented: float
    source: str


def check(case: Case) -> Iterator[Finding]:
    """One finding that names every setting that differs."""
    system = case.system_name
    settings = case.settings.software.settings
    known = [name for name in SETTINGS[system] if getattr(settings, name) is not None]
    if not known:
        raise NothingToGoBy(
            f"software.settings gives none of {', '.join(SETTINGS[system])}", evidence=True
        )
    differ = [each for name in known if (each := _difference(case, system, name))]
    if not differ:
        return
    names = "; ".join(
        f"{each.name} is {_shown(each.given, each.unit)}, the source has "
        f"{_shown(each.documented, each.unit)}"
        for each in differ
    )
    key = ("software", "settings")
    wanted = tuple(
        (
            (*key, each.name),
            f"{each.documented:.10g}{WRITTEN[each.unit]}"
            if each.unit in WRITTEN
            else int(each.documented),
        )
        for each in differ
    )
    option = CARD.option("as_its_source", settings=wanted)
    yield CARD.finding(
        "differs",
        *(evidence for each in differ for evidence in _both(each)),
        key=(*key, differ[0].name),
        options=[replace(option, sources=tuple(dict.fromkeys(each.source for each in differ)))],
        names=names,
    )


def _both(each: _Difference) -> Iterator[Evidence]:
    """A setting as it is, and as the source has it."""
    given = f"software.settings.{each.name}"
    yield Evidence(each.name, each.given, each.unit, "given", given, each.documented)
    yield Evidence(
        f"{each.name} of the source", each.documented, each.unit, "measured", each.source
    )


def _difference(case: Case, system: str, name: str) -> _Difference | None:
    unit, more_is_fine = SETTINGS[system][name]
    given = float(getattr(case.settings.software.settings, name))
    file, column = TABLES[system]
    table = load_table(file)
    value = table.value(name, column)
    source = table.cite(name)
    if name == "cache_buffer_size":
        # What counts is the block of the volume, which the source recommends to be as large.
        block = case.settings.disk.block or case.settings.disk.stripe
        if given <= block:
            return None
        return _Difference(name, unit, given, value, source)
    if given == value or (more_is_fine and given > value):
        return None
    return _Difference(name, unit, given, value, source)


def _shown(value: float, unit: str) -> str:
    return f"{value:.10g} {unit}"
