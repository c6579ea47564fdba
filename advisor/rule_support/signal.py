"""Checks that hold a figure of a monitor against a threshold: in a card alone; see THEORY.md."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import crowd, percent, seconds
from advisor.predicting.hardware import hardware_of
from advisor.rule_support.card import Card
from advisor.rule_support.evidence import AT_PEAK, loads_at_peak, writes
from advisor.rule_support.rule import Case, NothingToGoBy, value_at
from calibration.hardware.drive_mix import stored_share
from qmodel.devices.ssd import SolidStateDrive

#: Bits of the shortest Ethernet frame with preamble and gap (IEEE 802.3). [bit]
SHORTEST = 672.0
#: What is swapped at a time. [bytes]
PAGE = 4096.0


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
            for name, change in card.data.get("option", {}).items()
            if (option := _option(case, card, name, change, value, words))
        ]
        more = [_MODELLED[name](case, figure) for name in signal.get("modelled", ())]
        said = [each for each in more if each is not None]
        words["modelled"] = "".join([clause for clause, _ in said])
        numbers = [number for _, number in said]
        yield card.finding("signal", evidence, *numbers, options=options, key=key, **words)

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
    # A share of all time is a larger one of the time in which there is work.
    busy = case.outlook.resource("cpu").utilization.mid if said.get("of_busy") else 1.0
    left = busy - said.get("gives_back", 0.0) * value
    if left <= 0.0:
        return None  # nothing was left to go by
    times = said.get("by") or busy / left
    to = type(now)(round(now * times, 6))
    return card.option(name, to, to=f"{to:.4g}", **words)


def _memory(case: Case) -> float:
    if case.settings.server.memory is None:
        raise NothingToGoBy("server.memory is not given", evidence=True)
    return case.settings.server.memory


def _operations(case: Case) -> float:
    """Operations of a block that all drives can do in a second, with the load's share of writes."""
    disk = hardware_of(case.configuration).disk
    if not (case.settings.describes("disk") and isinstance(disk.drive, SolidStateDrive)):
        raise NothingToGoBy("no solid-state drive or volume is described in [disk]", evidence=True)
    return disk.working * disk.drive.capacity(disk.block, stored_share(disk, loads_at_peak(case)))


#: What a figure may be counted by.
_OF: dict[str, Callable[[Case], float]] = {
    "processor": lambda case: float(hardware_of(case.configuration).processors),
    "memory": _memory,
    "rated operations": _operations,
    "shortest frames": lambda case: case.settings.lan.segments * case.settings.lan.rate / SHORTEST,
}


Modelled = tuple[str, Evidence]


def _stalled(case: Case, share: float) -> Modelled:
    """Least time that a response stands still, where some request does for a share of the time.

    By Little's law it is the mean number that stand still over the throughput, and that number is
    at least the share of the time in which any does.
    """
    time = share * case.settings.standing / case.outlook.throughput.mid
    name = "of each response at least, if it is requests that wait"
    clause = f", at least {seconds(time)} of each response if it is requests that wait"
    return clause, Evidence(name, 1000.0 * time, "ms", "computed", "Little's law")


def _drives_present(case: Case, _share: float) -> Modelled | None:
    """Share of the time in which the model has any drive busy, all of them alike."""
    if not case.settings.describes("disk"):
        return None
    busy = min(1.0, case.outlook.resource("disk").utilization.mid)
    drives = hardware_of(case.configuration).disk.working
    any_busy = 100.0 * (1.0 - (1.0 - busy) ** drives)
    name = "time in which the model has any drive busy"
    return "", Evidence(name, any_busy, "%", "computed", AT_PEAK)


def _drives_swapping(case: Case, pages: float) -> Modelled | None:
    """Part of what all drives can do that pages take which are read at random."""
    if not case.settings.describes("disk"):
        return None
    disk = hardware_of(case.configuration).disk
    busy = pages / (disk.working * disk.drive.capacity(PAGE))
    name = "share of the drives' capacity that swapping takes"
    clause = f", {percent(busy)} of the drives' capacity"
    return clause, Evidence(name, 100.0 * busy, "%", "computed", "model of the drive")


def _outgrown(case: Case, working_set: float) -> Modelled:
    """The load up to which memory holds what grows with the load."""
    rate = case.outlook.arrival_rate
    load = case.outlook.load * _memory(case) / working_set
    load = load if rate is not None else float(int(load))
    unit = "users" if rate is None else "1/s"
    clause = f"; if it grows with the load it fits up to {crowd(int(load), rate and load)}"
    return clause, Evidence("load up to which it fits", load, unit, "computed", "proportion")


#: What the model says beside a figure: a clause of the message, and the number behind it.
_MODELLED: dict[str, Callable[[Case, float], Modelled | None]] = {
    "stalled": _stalled, "drives present": _drives_present, "drives swapping": _drives_swapping,
    "outgrown": _outgrown, "writes": writes,
}  # fmt: skip
