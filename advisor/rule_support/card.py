"""What a rule says: words in TOML, with places for the numbers of its check; see THEORY.md."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

from advisor.configuration.changes import Change, Settings
from advisor.findings.records import Evidence, Finding, Level, Option, State
from advisor.rule_support.evidence import percentage, printed
from advisor.rule_support.rule import documented
from calibration.agreements.published import published
from calibration.printed_tables.table import load_table

_TABLE = re.compile(r"[a-z0-9_]+/[a-z0-9_]+(?=:\S|$)")
Key = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a rule, as it is written."""

    data: dict[str, Any]

    def finding(
        self, name: str, /, *evidence: Evidence, options: Iterable[Option] = (),
        level: Level | None = None, state: State | None = None, key: Key | None = None,
        **words: object,
    ) -> Finding:  # fmt: skip
        """A finding in the card's words; level, state and key are the card's if not given."""
        said = self.data["finding"][name]
        return Finding(
            level or said["level"], state or said["state"], said["message"].format(**words),
            key or tuple(said["key"].split(".")),
            (*evidence, *map(_evidence, said.get("evidence", ()))), tuple(options),
        )  # fmt: skip

    def option(
        self, name: str, to: object = None, /, *, settings: Settings = (), **words: object
    ) -> Option:
        """An option in the card's words, which sets the card's key, or some settings."""
        said = self.data["option"][name]

        def all_of(what: str) -> tuple[str, ...]:
            texts = (each.format(**words) for each in said.get(what, ()))
            return tuple(text for text in texts if text)

        def one(what: str) -> str:
            return str(said.get(what, "")).format(**words)

        change = one("change")
        return Option(
            Change(change, settings) if settings else Change.of(change, said["key"], to),
            tuple(map(source_text, all_of("sources"))), said["effort"], all_of("side_effects"),
            one("valid"), documented(one("documented")) if "documented" in said else one("benefit"),
            one("outside"),
        )  # fmt: skip


@cache
def card_of(file: str) -> Card:
    """The card of a rule, or beside its module."""
    return Card(tomllib.loads(Path(file).with_suffix(".toml").read_text(encoding="utf-8")))


def _evidence(each: dict[str, Any]) -> Evidence:
    """A printed number or the low end of its range, what two of them save, or as it is given."""
    if "saved" in each:
        before, after = (published(*cell.split(":")).value for cell in each["saved"])
        return percentage(each["metric"], 1.0 - after / before, source=each["source"])
    if "cell" in each:
        table, row, column = each["cell"].split(":")
        return printed(table, row, column, each["metric"])
    if "low" not in each:
        return Evidence(**{**each, "source": source_text(each["source"])})
    table, row, column = each["low"].split(":")
    number = published(table, row, column)
    value = number.low if isfinite(number.low) else number.high
    source = source_text(each.get("source", f"{table}:{row}"))
    return Evidence(each["metric"], value, number.unit or "1", "measured", source)


def source_text(text: str) -> str:
    """A reference: of a table, a row (``table:row``) or a cell, or the words themselves."""
    if not _TABLE.match(text):
        return text
    table, *place = text.split(":")
    return load_table(table).cite(*place)
