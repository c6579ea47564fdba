"""A calibration in the terminal and as plain data."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.report.plain import fields
from advisor.report.screen import table
from calibration.fitting.fitted_model import Calibration, FittedModel
from calibration.fitting.profile import Profile
from calibration.predicting.measured_percentiles import MeasuredPercentile

#: Numbers that a model misses by more than this many standard deviations are shown.
FAR = 3.0


def calibration_report(
    calibration: Calibration,
    profiles: Sequence[Profile] = (),
    tails: Sequence[MeasuredPercentile] = (),
) -> dict[str, Any]:
    """A calibration as plain data, in base units."""
    best, data = calibration.best, calibration.data
    return {
        "parameters": _parameters(best),
        "models": [fields(m, "name", "admissible", "error") for m in calibration.models],
        "source": data.source, "best": best.name,
        "range": {"population": list(data.populations) if data.populations else None},
        "runs": len(data.runs), "numbers": len(data.numbers), "widening": calibration.widening,
        "fits": [
            {
                **fields(m, "name", "weight", "reason", "chi_square"),
                "degrees_of_freedom": len(data.numbers) - len(m.values),
                "parameters": _parameters(m),
            }
            for m in calibration.models
        ],
        "correlations": [
            {"between": [best.parameters[i].name, best.parameters[j].name], "value": r}
            for i, j, r in best.correlations()
        ],
        "percentiles": [{**asdict(each), "deviation": each.deviation} for each in tails],
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
                **fields(p, "name", "unit", "value"),
                "low": None if p.low_open else p.low,
                "high": None if p.high_open else p.high,
            }
            for p in profiles
        ],
        "unknown": [asdict(each) for each in calibration.unknown],
        "refused": [{"name": name, "reason": why} for name, why in calibration.refused],
        "contradictions": list(calibration.contradictions), "notes": list(data.notes),
    }  # fmt: skip


def details(
    calibration: Calibration, profiles: Sequence[Profile] = (), *, alike: Sequence[str] = (),
    parameters: bool = False, models: bool = False, residuals: bool = False, every: bool = False,
) -> Iterator[RenderableType]:  # fmt: skip
    """The parameters, the models, what does not fit: what is asked for.

    Models that are ``alike`` are one row, unless ``every`` one is wanted.
    """
    best, data = calibration.best, calibration.data
    if parameters:
        yield _parameter_table(best, profiles)
    if models:
        yield _model_table(calibration, () if every else alike)
        if calibration.refused:
            yield Group(
                *(Text(f"not fitted: {name}: {why}", "dim") for name, why in calibration.refused)
            )
    if residuals:
        far = FAR * max(1.0, calibration.widening)
        shown = table("run", "number", "measured", "fitted", "standard deviations")
        for each, said, r in zip(
            data.numbers, calibration.predicted(best), best.residuals, strict=True
        ):
            shown.add_row(
                data.runs[each.run].name, each.title, f"{each.measurement.value:.4g}",
                f"{said:.4g}", f"{r:+.1f}{' !' if abs(r) > far else ''}",
            )  # fmt: skip
        yield shown
    if every and calibration.unknown:
        unknown = (Text(f"- {each}") for each in calibration.unknown)
        yield Group(Text("what the measurements do not show", "dim"), *unknown)


def _parameter_table(model: FittedModel, profiles: Sequence[Profile]) -> RenderableType:
    shown = Table(box=None, pad_edge=False)
    for heading in ("parameter", "value", "standard error", "unit"):
        shown.add_column(
            heading, justify="right" if heading in {"value", "standard error"} else "left"
        )
    shown.add_column("95 % by profile" if profiles else "")
    by_name = {p.name: p for p in profiles}
    for i, parameter in enumerate(model.parameters):
        error = model.standard_errors[i]
        ends = by_name.get(parameter.name)
        last = "" if model.identified(i) else "not identified"
        if ends is not None:
            low = "open" if ends.low_open else f"{ends.low:.4g}"
            high = "open" if ends.high_open else f"{ends.high:.4g}"
            last = f"{low} to {high} {last}".rstrip()
        shown.add_row(
            parameter.name, f"{model.values[i]:.5g}",
            f"{error:.2g}" if isfinite(error) else "unknown", parameter.unit, last,
        )  # fmt: skip
    return shown


def _model_table(calibration: Calibration, alike: Sequence[str]) -> RenderableType:
    numbers = ("weight", "mean error", "chi-square")
    shown = table("model", *numbers, "why", right=numbers)
    best = calibration.best
    together = [m for m in calibration.models if m.name in alike or m is best]
    for model in calibration.models:
        if model in together and model is not best:
            continue
        weight, name = model.weight, model.name
        if model is best:
            weight = sum(each.weight for each in together)
            if len(together) > 1:
                name += f" and {len(together) - 1} that say the same"
        shown.add_row(
            name, f"{100 * weight:.0f} %" if model.admissible else "", f"{100 * model.error:.1f} %",
            f"{model.chi_square:.3g} / {len(model.residuals) - len(model.values)}", model.reason,
            style="" if model.admissible else "dim",
        )  # fmt: skip
    shown.columns[0].no_wrap = False
    return shown


def _parameters(model: FittedModel) -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name, "value": model.values[i], "unit": parameter.unit,
            "standard_error": error if isfinite(error := model.standard_errors[i]) else None,
            "identified": model.identified(i),
        }
        for i, parameter in enumerate(model.parameters)
    ]  # fmt: skip
