"""Checks of one setting, or one task, against what a source says in a card; see THEORY.md."""

from collections.abc import Callable, Iterator
from typing import Any

from advisor.configuration.schema import ServerConfig
from advisor.findings.records import Finding
from advisor.rule_support.card import Card, Key
from advisor.rule_support.rule import Case, NothingToGoBy, value_at
from calibration.agreements.published import published
from calibration.printed_tables.table import load_table


def check_of(card: Card) -> Callable[[Case], Iterator[Finding]]:
    """The check that a card holds."""
    data = card.data

    def check(case: Case) -> Iterator[Finding]:
        place = _place(data, case.settings)
        if place is None:
            return
        key, keys, given = place
        cells = {name: published(*cell.split(":")) for name, cell in data.get("cells", {}).items()}
        text = {name: load_table(c.table).cell(c.row, c.column).text for name, c in cells.items()}
        words: dict[str, Any] = {"given": given, "name": given, "text": text, **cells}
        options = [
            card.option(name, settings=tuple((key, each["to"]) for key in keys), **words)
            for name, each in data.get("option", {}).items()
        ]
        yield card.finding("documented", options=options, key=key, **words)

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
    value = value_at(settings, data["key"])
    if value is None:
        raise NothingToGoBy(f"{data['key']} is not given", evidence=True)
    key: Key = tuple(data["key"].split("."))
    words = data["found"].get(str(value).lower() if isinstance(value, bool) else value)
    return None if words is None else (key, [key], words)
