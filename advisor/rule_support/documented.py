"""Checks that hold one setting, or one task, against what a source says of it: in a card alone.

Beside ``claim``, ``systems`` and ``manual`` it has a ``message``. It speaks of a setting,
``key``, where that has one of the values in ``found`` (with each value in words, as ``{given}``);
or of the users or batch tasks that run the task ``class`` or ``batch``, the first of them
``{name}``, and is silent with the reason ``none`` where no one runs it. ``[cells]`` are numbers of
printed tables, as ``groupwise52/claims:read_ahead_gain:value``, for the texts: ``{gain.low:g}``, or
as printed ``{text[gain]}``. A source is a cell, a row (``table:row``), or words.
"""

from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

from advisor.configuration.changes import Change
from advisor.configuration.schema import ServerConfig
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.card import source_text
from advisor.rule_support.rule import Case, NothingToGoBy, documented
from calibration.agreements.published import published
from calibration.printed_tables.table import load_table

Key = tuple[str | int, ...]


def check_of(data: dict[str, Any]) -> Callable[[Case], Iterator[Finding]]:
    """The check that a card holds."""

    def check(case: Case) -> Iterator[Finding]:
        place = _place(data, case.settings)
        if place is not None:
            yield _finding(data, *place)

    return check


def _place(data: dict[str, Any], settings: ServerConfig) -> tuple[Key, list[Key], str] | None:
    """The key that is spoken of, those that an option sets, and the value or the name in words."""
    if "key" not in data:
        kind = "class" if "class" in data else "batch"
        every = settings.workload.classes if kind == "class" else settings.batch
        at = [i for i, each in enumerate(every) if each.task_name == data[kind]]
        if not at:
            raise NothingToGoBy(data["none"])
        table: Key = ("workload", "class") if kind == "class" else ("batch",)
        keys: list[Key] = [(*table, i, "task") for i in at]
        return (*table, at[0], *data.get("field", ())), keys, every[at[0]].name
    value: Any = settings
    for part in data["key"].split("."):
        value = getattr(value, part)
    if value is None:
        raise NothingToGoBy(f"{data['key']} is not given", evidence=True)
    key: Key = tuple(data["key"].split("."))
    words = data["found"].get(str(value).lower() if isinstance(value, bool) else value)
    return None if words is None else (key, [key], words)


def _finding(data: dict[str, Any], key: Key, keys: list[Key], words: str) -> Finding:
    cells = {name: published(*cell.split(":")) for name, cell in data.get("cells", {}).items()}
    text = {name: load_table(c.table).cell(c.row, c.column).text for name, c in cells.items()}

    def said(template: str) -> str:
        return template.format(given=words, name=words, text=text, **cells)

    return Finding(
        level="note",
        state=data.get("state", "problem"),
        message=said(data["message"]),
        key=key,
        evidence=tuple(_evidence(each) for each in data["evidence"]),
        options=tuple(
            Option(
                Change(each["change"], tuple((key, each["to"]) for key in keys)),
                sources=tuple(map(source_text, each["sources"])),
                effort=each["effort"],
                side_effects=tuple(each.get("side_effects", ())),
                valid=each.get("valid", ""),
                benefit=documented(said(each["benefit"])) if "benefit" in each else "",
            )
            for each in data.get("option", ())
        ),
    )


def _evidence(each: dict[str, Any]) -> Evidence:
    """Given in the file, or measured: the low end of what a cell prints, or what two save."""
    if "saved" in each:
        before, after = (published(*cell.split(":")).value for cell in each["saved"])
        saved = (1.0 - after / before) * 100.0
        return Evidence(each["metric"], saved, "%", "computed", each["source"])
    if "cell" not in each:
        return Evidence(**{**each, "source": source_text(each["source"])})
    table, row, column = each["cell"].split(":")
    number = published(table, row, column)
    value = number.low if isfinite(number.low) else number.high
    source = source_text(each.get("source", f"{table}:{row}"))
    return Evidence(each["metric"], value, number.unit or "1", "measured", source)
