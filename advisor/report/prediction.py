"""Predictions of a calibrated system in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from calibration.estimation.interval import Range
from calibration.fitting.fitted_model import Calibration
from calibration.predicting.prediction import Prediction

#: How a base unit is shown: factor and unit.
_SHOWN = {"1": (100.0, "%"), "1/s": (1.0, "/s"), "s": (1.0, "s"), "bytes/s": (1e-3, "KB/s")}


def show_predictions(
    console: Console, calibration: Calibration, found: Sequence[Prediction]
) -> None:
    """Print one row a number of users, and where the system saturates."""
    for part in _parts(calibration, found):
        console.print(part)


def _parts(calibration: Calibration, found: Sequence[Prediction]) -> Iterator[RenderableType]:
    names = ", ".join(model.name for model in calibration.admissible)
    yield Text(f"calibrated on {calibration.data.source}; models: {names}")
    volumes = {"volume", "operations"}
    shown = [m.name for m in found[0].metrics if m.name.partition(":")[0] not in volumes]
    table = Table(
        title="90 % intervals of one more run", title_justify="left", box=None, pad_edge=False
    )
    table.add_column("users", justify="right")
    for name in shown:
        table.add_column(name.replace("_", " ").replace(":", " of "))
    for each in found:
        by_name = {m.name: m for m in each.metrics}
        table.add_row(
            f"{sum(each.population)}{'*' if each.extrapolated else ''}",
            *(_range(by_name[name].interval, by_name[name].unit) for name in shown),
        )
    yield table
    lines = []
    if any(each.extrapolated for each in found):
        measured = calibration.data.populations
        range_ = f"{measured[0]} to {measured[1]} users were measured" if measured else "no counts"
        lines.append(Text(f"* extrapolated: {range_}", style="dim"))
    for each in found:
        if each.disagree:
            lines.append(
                Text(
                    f"at {sum(each.population)} users {', '.join(each.disagree)} disagree(s) with "
                    f"{calibration.best.name}",
                    style="yellow",
                )
            )
        if each.silent:
            silent = ", ".join(each.silent)
            lines.append(Text(f"at {sum(each.population)} users no answer from {silent}", "yellow"))
    saturation = found[0].saturation
    if saturation is None:
        lines.append(Text("no station limits the throughput"))
    else:
        lines.append(
            Text(
                f"{saturation.station} saturates at {_range(saturation.users, '')} users and "
                f"{_range(saturation.throughput, '1/s')}"
            )
        )
    yield Group(*lines)


def _range(found: Range, unit: str) -> str:
    factor, shown = _SHOWN.get(unit, (1.0, ""))
    low, mid, high = (f"{value * factor:.4g}" for value in (found.low, found.mid, found.high))
    return f"{mid} {shown} ({low} to {high})".replace("  ", " ")
