"""Checks that hold a figure of a monitor against a threshold: in a card alone.

``[signal]`` has the ``key`` of the figure, what it is ``above`` where the rule speaks, the
``metric`` in words, and the ``source`` of the threshold; it may count ``per`` something that the
server has (`_OF`). ``[finding.signal]`` may name ``{value}``, ``{limit}`` and ``{figure}``. An
option multiplies the value of a key ``by`` a number, or by what gives back the share that is lost,
whole or in part: ``gives_back = 0.5``.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from advisor.configuration.schema import ServerConfig
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.predicting.hardware import hardware_of
from advisor.rule_support.card import Card
from advisor.rule_support.rule import Case, NothingToGoBy
from qmodel.devices.ssd import SolidStateDrive

#: Bits of the shortest Ethernet frame with preamble and gap (IEEE 802.3). [bit]
SHORTEST = 672.0


def check_of(card: Card) -> Callable[[Case], Iterator[Finding]]:
    """The check that a card with a signal holds."""
    signal = card.data["signal"]
    key = tuple(signal["key"].split("."))

    def check(case: Case) -> Iterator[Finding]:
        figure = value_at(case.settings, signal["key"])
        if figure is None:
            raise NothingToGoBy(f"{signal['key']} is not given", evidence=True)
        per = signal.get("per")
        value = figure / _OF[per](case) if per else figure
        above = signal["above"]
        if value <= above:
            return
        share = signal.get("share", True)
        shown = [percent(each) if share else f"{each:.4g}" for each in (value, above)]
        words: dict[str, Any] = {"value": shown[0], "limit": shown[1], "figure": f"{figure:.4g}"}
        size, unit = (100.0, "%") if share else (1.0, signal.get("unit", "1"))
        how: Literal["computed", "given"] = "computed" if per else "given"
        evidence = Evidence(signal["metric"], size * value, unit, how, signal["key"], size * above)
        options = [
            option
            for name, said in card.data.get("option", {}).items()
            if (option := _option(case, card, name, said, value, words))
        ]
        yield card.finding("signal", evidence, options=options, key=key, **words)

    return check


def _option(
    case: Case, card: Card, name: str, said: dict[str, Any], value: float, words: dict[str, Any]
) -> Option | None:
    """The option in the card's words; None where the key has no value to go by."""
    server = case.settings.server
    now = value_at(case.settings, said["key"])
    if said["key"] == "server.cpu_speed":
        if server.processor is not None:
            return None  # its speed is the catalogue's
        now = now or 1.0
    if now is None:
        return None
    times = said.get("by") or 1.0 / (1.0 - said["gives_back"] * value)
    to = type(now)(round(now * times, 6))
    return card.option(name, to, to=f"{to:.4g}", **words)


def value_at(settings: ServerConfig, key: str) -> Any:
    """The value of a dotted key; None where its table is not given."""
    value: Any = settings
    for part in key.split("."):
        value = None if value is None else getattr(value, part)
    return value


def _memory(case: Case) -> float:
    if case.settings.server.memory is None:
        raise NothingToGoBy("server.memory is not given", evidence=True)
    return case.settings.server.memory


def _operations(case: Case) -> float:
    """Reads of a block that all drives can do in a second, as the catalogue rates them."""
    disk = hardware_of(case.configuration).disk
    if not (case.settings.describes("disk") and isinstance(disk.drive, SolidStateDrive)):
        raise NothingToGoBy("no solid-state drive or volume is described in [disk]", evidence=True)
    servers = disk.drive.servers(disk.block)
    return disk.working * servers / disk.drive.service_time(disk.block, 0.0, servers)


#: What a figure may be counted by.
_OF: dict[str, Callable[[Case], float]] = {
    "processor": lambda case: float(hardware_of(case.configuration).processors),
    "memory": _memory,
    "rated operations": _operations,
    "shortest frames": lambda case: case.settings.lan.segments * case.settings.lan.rate / SHORTEST,
}
