"""A calibration in the terminal and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from calibration.fitting.fitted_model import Calibration, FittedModel
from calibration.fitting.profile import Profile

#: Numbers that a model misses by more than this many standard deviations are shown.
FAR = 3.0


def calibration_report(
    calibration: Calibration, profiles: Sequence[Profile] = ()
) -> dict[str, Any]:
    """A calibration as plain data, in base units."""
    best, data = calibration.best, calibration.data
    return {
        "parameters": _parameters(best),
        "models": [
            {"name": m.name, "admissible": m.admissible, "error": m.error}
            for m in calibration.models
        ],
        "source": data.source,
        "best": best.name,
        "range": {"population": list(data.populations) if data.populations else None},
        "runs": len(data.runs),
        "numbers": len(data.numbers),
        "widening": calibration.widening,
        "fits": [
            {
                "name": m.name,
                "weight": m.weight,
                "reason": m.reason,
                "chi_square": m.chi_square,
                "degrees_of_freedom": len(data.numbers) - len(m.values),
                "parameters": _parameters(m),
            }
            for m in calibration.models
        ],
        "correlations": [
            {"between": [best.parameters[i].name, best.parameters[j].name], "value": r}
            for i, j, r in best.correlations()
        ],
        "residuals": [
            {
                "run": data.runs[each.run].name,
                "number": each.title,
                "measured": each.measurement.value,
                "predicted": said,
                "standard_deviations": r,
            }
            for each, said, r in zip(
                data.numbers, calibration.predicted(best), best.residuals, strict=True
            )
        ],
        "profiles": [
            {
                "name": p.name,
                "unit": p.unit,
                "value": p.value,
                "low": None if p.low_open else p.low,
                "high": None if p.high_open else p.high,
            }
            for p in profiles
        ],
        "unknown": [asdict(each) for each in calibration.unknown],
        "refused": [{"name": name, "reason": why} for name, why in calibration.refused],
        "contradictions": list(calibration.contradictions),
        "notes": list(data.notes),
    }


def show_calibration(
    console: Console, calibration: Calibration, profiles: Sequence[Profile] = ()
) -> None:
    """Print parameters, models, what does not fit and what is not known."""
    for part in _parts(calibration, profiles):
        console.print(part)


def _parts(calibration: Calibration, profiles: Sequence[Profile]) -> Iterator[RenderableType]:
    best, data = calibration.best, calibration.data
    users = data.populations
    loads = f", {users[0]} to {users[1]} users" if users else ""
    yield Text(f"{data.source}: {len(data.numbers)} numbers of {len(data.runs)} runs{loads}")
    yield Text(f"best model: {best.name}", style="bold")
    yield _parameter_table(best, profiles)
    yield Line("models, best first", align="left", style="dim")
    yield _model_table(calibration)
    lines = [Text(f"not fitted: {name}: {why}", "dim") for name, why in calibration.refused]
    if calibration.widening > 1.0:
        lines.append(
            Text(
                f"no model fits within the noise of a run: all errors are widened by "
                f"{calibration.widening:.2f}",
                style="yellow",
            )
        )
    lines += [
        Text(
            f"{data.runs[each.run].name}: {each.title} is {each.measurement.value:.4g}, the best "
            f"model says {said:.4g} ({r:+.1f} standard deviations)",
            style="yellow",
        )
        for each, said, r in zip(
            data.numbers, calibration.predicted(best), best.residuals, strict=True
        )
        if abs(r) > FAR * calibration.widening
    ]
    yield Group(*lines)
    if calibration.unknown:
        yield Line("what the measurements cannot tell", align="left", style="dim")
        yield Group(*(Text(f"- {each}") for each in calibration.unknown))
    notes = [*calibration.contradictions, *data.notes]
    if notes:
        yield Line("notes", align="left", style="dim")
        yield Group(*(Text(f"- {each}") for each in notes))


def _parameter_table(model: FittedModel, profiles: Sequence[Profile]) -> RenderableType:
    table = Table(box=None, pad_edge=False)
    for heading in ("parameter", "value", "standard error", "unit"):
        table.add_column(
            heading, justify="right" if heading in {"value", "standard error"} else "left"
        )
    table.add_column("95 % by profile" if profiles else "")
    by_name = {p.name: p for p in profiles}
    for i, parameter in enumerate(model.parameters):
        error = model.standard_errors[i]
        ends = by_name.get(parameter.name)
        last = "" if model.identified(i) else "not identified"
        if ends is not None:
            low = "open" if ends.low_open else f"{ends.low:.4g}"
            high = "open" if ends.high_open else f"{ends.high:.4g}"
            last = f"{low} to {high} {last}".rstrip()
        table.add_row(
            parameter.name,
            f"{model.values[i]:.5g}",
            f"{error:.2g}" if isfinite(error) else "unknown",
            parameter.unit,
            last,
        )
    return table


def _model_table(calibration: Calibration) -> RenderableType:
    table = Table(box=None, pad_edge=False)
    for heading in ("model", "weight", "mean error", "chi-square", "why"):
        right = heading in {"weight", "mean error", "chi-square"}
        table.add_column(heading, justify="right" if right else "left")
    for model in calibration.models:
        table.add_row(
            model.name,
            f"{100 * model.weight:.0f} %" if model.admissible else "",
            f"{100 * model.error:.1f} %",
            f"{model.chi_square:.3g} / {len(model.residuals) - len(model.values)}",
            model.reason,
            style="" if model.admissible else "dim",
        )
    return table


def _parameters(model: FittedModel) -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name,
            "value": model.values[i],
            "unit": parameter.unit,
            "standard_error": error if isfinite(error := model.standard_errors[i]) else None,
            "identified": model.identified(i),
        }
        for i, parameter in enumerate(model.parameters)
    ]
