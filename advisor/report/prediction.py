"""Predictions of a calibrated system in the terminal."""

from collections.abc import Iterator, Sequence
from math import inf

from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.findings.words import counted, load_text, percent, resource_name, users_range
from advisor.report.screen import table, whole
from advisor.report.users_table import Row, show_rows
from calibration.estimation.interval import Range
from calibration.fitting.fitted_model import Calibration
from calibration.predicting.prediction import Prediction

#: How a base unit is shown: factor and unit.
_SHOWN = {
    "users": (1.0, "users"), "1": (100.0, "%"), "1/s": (1.0, "/s"), "s": (1.0, "s"),
    "bytes/s": (1e-3, "KB/s"),
}  # fmt: skip


def show_predictions(
    console: Console, calibration: Calibration, found: Sequence[Prediction], *, every: bool = False
) -> None:
    """Print what fills first, then a row a number of users; ``every`` adds the rest."""
    data = calibration.data
    console.print(Text(f"{data.source}, {counted(len(calibration.admissible), 'model')}", "bold"))
    console.print()
    saturation, unit = found[0].saturation, _unit(found)
    measured = data.rates if found[0].arrival_rate else data.populations
    first = "no station limits the throughput"
    if saturation is not None:
        first = f"{resource_name(saturation.station)} is full at "
        first += _range(saturation.throughput, "1/s")
        if saturation.users:
            users = users_range(saturation.users).replace(" to ", "-")
            first += f"; without waiting {users} users would ask for that"
    console.print(whole(console, f"{first}."))
    if measured is not None:
        least, most = map(load_text, measured)
        console.print(Text(f"{least} to {most} {unit} were measured.", "dim"))
    *_, changed = found[0].beyond.partition("not as measured: ")
    if changed:
        console.print(whole(console, f"not as measured: {changed}", "dim"))
    loads = found[0].arrival_rate or found[0].population
    if len(data.classes) > 1:
        parts = zip(data.classes, loads, strict=True)
        mix = ", ".join(f"{name} {percent(part / sum(loads))}" for name, part in parts)
        console.print(whole(console, f"at the mix of the highest load: {mix}", "dim"))
    console.print()
    end = (saturation.users or saturation.throughput).low if saturation else inf
    full = next((each for each in found if each.load >= end), None)
    rows = [_row(each, "full" if each is full else "") for each in found]
    show_rows(console, rows, None, load=unit, every=every)
    console.print()
    for line in _remarks(calibration, found):
        console.print(line)
    if every:
        console.print()
        console.print(_all(found))
    else:
        console.print(Text("throughputs, rates, classes: --all   for programs: --json", "dim"))


def _row(each: Prediction, mark: str) -> Row:
    return Row(
        f"{load_text(each.load)}{'*' if each.extrapolated else ''}",
        each["response_time"],
        {
            m.name.removeprefix("utilization:"): m.interval
            for m in each.metrics
            if m.name.startswith("utilization:")
        },
        mark,
    )


def _remarks(calibration: Calibration, found: Sequence[Prediction]) -> Iterator[Text]:
    yield Text("90 % intervals")
    if any(each.extrapolated for each in found):
        yield Text("* extrapolated: outside the fitted loads", style="dim")
    doubted = [each for each in found if each.disagree]
    if doubted:
        loads = ", ".join(load_text(each.load) for each in doubted[:4])
        names = dict.fromkeys(name for each in doubted for name in each.disagree)
        yield Text(
            f"at {loads} {_unit(found)} {counted(len(names), 'model')} of "
            f"{len(calibration.admissible)} disagree{'s' if len(names) == 1 else ''} with "
            f"{calibration.best.name}",
            style="yellow",
        )
    for each in found[:3]:
        if each.silent:
            silent = ", ".join(each.silent)
            at = f"at {load_text(each.load)} {_unit(found)}"
            yield Text(f"{at} no prediction by {silent}", "yellow")


def _all(found: Sequence[Prediction]) -> Table:
    shown = table(_unit(found), "metric", "90 % interval")
    for each in found:
        for i, metric in enumerate(each.metrics):
            name = metric.name.replace("_", " ").replace(":", " of ")
            load = load_text(each.load) if i == 0 else ""
            shown.add_row(load, name, _range(metric.interval, metric.unit))
    return shown


def _unit(found: Sequence[Prediction]) -> str:
    """Heading of the loads."""
    return "requests/s" if found[0].arrival_rate else "users"


def _range(found: Range, unit: str) -> str:
    factor, shown = _SHOWN.get(unit, (1.0, ""))
    low, mid, high = (f"{value * factor:.4g}" for value in (found.low, found.mid, found.high))
    return f"{mid} {shown} ({low} to {high})".replace("  ", " ")
