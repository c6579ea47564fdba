"""The check of SET002, whose words are the card beside it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.agreements.published import published
from calibration.printed_tables.table import load_table

CARD = card_of(__file__)
MINIMUM, MAXIMUM = "minimum_packet_receive_buffers", "maximum_packet_receive_buffers"


def check(case: Case) -> Iterator[Finding]:
    """Fewer buffers than in use, or than the source has."""
    system = case.system_name
    settings = case.settings.software.settings
    in_use = settings.packet_receive_buffers_in_use
    given = {MINIMUM: settings.minimum_packet_receive_buffers}
    if in_use is None and system == "notes31":
        given[MAXIMUM] = settings.maximum_packet_receive_buffers
    if all(value is None for value in given.values()):
        raise NothingToGoBy(f"software.settings.{MINIMUM} is not given", evidence=True)
    if in_use is None and system != "notes31":
        raise NothingToGoBy(
            "software.settings.packet_receive_buffers_in_use is not given, and the source advises "
            "to preset that number",
            evidence=True,
        )
    for name, value in given.items():
        if value is not None:
            wanted, source = _wanted(name, in_use)
            if value < wanted:
                yield _finding(name, value, wanted, source)


def _wanted(name: str, in_use: int | None) -> tuple[int, str]:
    if in_use is not None:
        return in_use, "software.settings.packet_receive_buffers_in_use"
    table = load_table("notes31/netware_parameters")
    return int(table.value(name)), table.cite(name)


def _finding(name: str, value: int, wanted: int, source: str) -> Finding:
    gain = published("groupwise52/claims", "packet_buffer_gain", "value")
    of_the_server = source.startswith("software.")
    key = ("software", "settings", name)
    option = CARD.option("preset", settings=((key, wanted),), name=name, wanted=wanted, gain=gain)
    how: Literal["given", "measured"] = "given" if of_the_server else "measured"
    return CARD.finding(
        "own" if of_the_server else "documented",
        Evidence(name, value, "buffers", "given", ".".join(key), wanted),
        Evidence("buffers wanted", wanted, "buffers", how, source),
        Evidence("gain while buffers are short", gain.low, "%", "measured", gain.source), key=key,
        options=[replace(option, sources=tuple(dict.fromkeys((source, gain.source))))], name=name,
        value=value, wanted=wanted,
    )  # fmt: skip
