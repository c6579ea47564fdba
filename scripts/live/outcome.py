"""What came out: calibrated on the low loads, held against all of them."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from calibration.fitting.calibrate import calibrate
from calibration.fitting.fitted_model import Calibration
from calibration.fitting.replicates import of_replicates
from calibration.predicting.prediction import predict_all
from calibration.recordings.load_levels import with_recording
from calibration.recordings.readers.sysstat_json import recording_of
from calibration.recordings.user_table import UserTable, parse_user_table
from scripts.live.levels import Level, table_text
from scripts.live.plan import Plan
from scripts.live.record import Recorded

#: What the predictions at four times the load are to keep: relative for throughput, in points for
#: utilization. [1]
WITHIN = {"throughput": 0.05, "utilization:cpu": 0.05}


def joined(recorded: Recorded, chosen: tuple[Level, ...]) -> UserTable:
    """Some levels with what the monitor saw during them."""
    return with_recording(
        parse_user_table(table_text(chosen), "levels.csv"), recording_of(recorded.monitor)
    )


def calibrated(plan: Plan, recorded: Recorded, *, anyway: bool = False) -> Calibration:
    """Fitted to the low loads alone."""
    low = tuple(each for each in recorded.levels if each.users in plan.fitted)
    table = joined(recorded, low)
    return calibrate(table, noise=of_replicates(table), anyway=anyway)


def told(plan: Plan, recorded: Recorded, found: Calibration) -> Iterator[str]:
    """Measured and predicted, level by level, as lines."""
    names = ("throughput", "response_time", "utilization:cpu")
    table = joined(recorded, recorded.levels)
    measured = {
        "throughput": table.values("throughput"),
        "response_time": table.values("response_time"),
        "utilization:cpu": table.values("utilization", "cpu"),
    }
    yield f"models: {', '.join(f'{m.name} ({m.weight:.0%})' for m in found.admissible)}"
    yield f"{'clients':>7}  {'':9} {'metric':16} {'measured':>9} {'predicted':>9}  90 % interval"
    users = [each.users for each in recorded.levels]
    predictions = predict_all(found, users, one_run=True)
    for i, (level, prediction) in enumerate(zip(recorded.levels, predictions, strict=True)):
        kind = "fitted" if level.users in plan.fitted else "held out"
        for name in names:
            value, said = measured[name][i] or 0.0, prediction[name]
            error = said.mid - value if name.startswith("util") else said.mid / value - 1.0
            unit = " points" if name.startswith("util") else " %"
            kept = "inside" if value in said else "OUTSIDE"
            yield (
                f"{level.users:7}  {kind:9} {name:16} {value:9.4g} {said.mid:9.4g}  "
                f"{said.low:.4g} to {said.high:.4g} {kept}  {error * 100.0:+.1f}{unit}"
            )


def background(found: Calibration) -> Iterator[tuple[str, float, float, bool]]:
    """Models with a background load: name, load, its error, whether the model is admissible."""
    for model in found.models:
        for p, value, error in zip(
            model.parameters, model.values, model.standard_errors, strict=True
        ):
            if p.sets == "background":
                yield model.name, value, error, model.admissible


def kept(plan: Plan, recorded: Recorded, found: Calibration) -> bool:
    """Whether the predictions at the highest load keep their promise; with a hog, whether it shows.

    Runs of the highest load were predicted alike, and are taken together. A hog that holds one of
    several processors is a background load of their reciprocal.
    """
    if plan.occupied:
        best = {p.sets for p in found.best.parameters}
        expected = 1.0 / found.data.runs[0].servers[0]
        return "background" in best and any(
            abs(value - expected) < 0.1
            for _, value, _, admissible in background(found)
            if admissible
        )
    most = max(each.users for each in recorded.levels)
    table = joined(recorded, tuple(each for each in recorded.levels if each.users == most))
    prediction = predict_all(found, [most])[0]
    throughput, busy, time = (
        fmean(value or 0.0 for value in values)
        for values in (
            table.values("throughput"),
            table.values("utilization", "cpu"),
            table.values("response_time"),
        )
    )
    return (
        abs(prediction["throughput"].mid / throughput - 1.0) <= WITHIN["throughput"]
        and abs(prediction["utilization:cpu"].mid - busy) <= WITHIN["utilization:cpu"]
        and time in prediction["response_time"]
    )
