"""``qmodel predict`` of a server configuration: the curve over users, and growth."""

from pathlib import Path
from typing import TYPE_CHECKING

from advisor.cli.output import configured, console, print_json, say

if TYPE_CHECKING:
    from advisor.configuration.promises import Promise
    from advisor.forecasting.user_growth import UserGrowth
    from calibration.fitting.fitted_model import Calibration
    from qmodel.documents.document import Document

PLOTS = (".svg", ".png")


def predict_server(
    document: "Document", counts: tuple[int, ...] | None, rates: tuple[float, ...] | None, *,
    shares: tuple[float, ...], csv_file: Path | None, plot: Path | None, force: bool, every: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Print the prediction at some numbers of users, or rates, and write it where asked."""
    from advisor.cli.output import Progress
    from advisor.predicting.calibrated import calibration_of
    from advisor.predicting.load_curve import (
        populations,
        predict_rates,
        predict_users,
        rates_around,
    )
    from advisor.predicting.workload import asked_by_rate
    from advisor.report.load_curve import curve_csv, curve_data, plot_curve, show_curve

    check_outputs(csv_file, plot, force=force)
    configuration = configured(document)
    workload = configuration.settings.workload
    warn(workload.calibration or "", calibration_of(configuration))
    if rates and workload.arrival_rate is None:
        configuration = configuration.with_rate(max(rates), asked_by_rate(configuration))
    by_rate = configuration.settings.workload.arrival_rate is not None and not counts
    asked: tuple[float, ...] = rates or rates_around(configuration) if by_rate else ()
    people = counts or populations(configuration)
    verdict = None
    if not as_json:
        from advisor.findings.verdict import verdict_of
        from advisor.predicting.prediction import outlook

        verdict = verdict_of(configuration, outlook(configuration))
        if verdict.most and counts is None and rates is None:
            most = verdict.most.mid
            people = (*people, int(most + 1e-6)) if verdict.counted and most >= 1 else people
            asked = (*asked, most) if by_rate and most > 0.0 else asked
    knee = Progress("variants searched for the knee")
    if by_rate:
        found = predict_rates(configuration, asked, Progress("rates"), knee, shares=shares)
    else:
        progress = Progress("numbers of users")
        found = predict_users(configuration, people, progress, knee, shares=shares)
    if csv_file is not None:
        from qmodel.documents.writing import write_text

        write_text(csv_file, curve_csv(found), force=force)
    if plot is not None:
        plot_curve(found, plot)
    if verdict is None:
        print_json(curve_data(found))
    else:
        mine = not rates or workload.arrival_rate is not None
        show_curve(console(), found, configuration, verdict, own=mine, every=every)
    for path in (csv_file, plot):
        if path is not None:
            say(f"wrote {path}")


def warn(name: str, calibration: "Calibration | None") -> None:
    """Say on standard error where a calibration does not reproduce its runs."""
    from advisor.predicting.reproduced import not_as_measured

    if problem := not_as_measured(calibration):
        say(f"{name}: {problem}")


def check_outputs(csv_file: Path | None, plot: Path | None, *, force: bool) -> None:
    """Refuse what could not be written, before any work is done."""
    from qmodel.documents.writing import check_target
    from qmodel.errors import InvalidInput

    if csv_file is not None and csv_file.suffix.lower() != ".csv":
        raise InvalidInput(f"-o {csv_file}: expected a name that ends in .csv")
    if plot is not None and plot.suffix.lower() not in PLOTS:
        raise InvalidInput(f"--plot {plot}: expected a name that ends in .svg or .png")
    if plot is not None and plot.suffix.lower() == ".png":
        from qmodel.pictures.plot import need_matplotlib

        need_matplotlib(f"--plot {plot}")
    for path in (csv_file, plot):
        if path is not None:
            check_target(path, force=force)


def users_growth(stated: str | None, history: Path | None) -> "UserGrowth":
    """How the number of users grows, as it was stated or from a history of it."""
    from advisor.forecasting.user_growth import fitted_growth, stated_growth
    from qmodel.errors import InvalidInput

    if stated is not None and history is not None:
        raise InvalidInput("--growth: give either a rate or --history, not both")
    return fitted_growth(history) if history is not None else stated_growth(stated or "")


def predict_growth(
    document: "Document", rate: "UserGrowth", *, alternatives: list[str],
    targets: "tuple[Promise | None, float | None]", seed: int, anyway: bool, as_json: bool,
) -> None:  # fmt: skip
    """Print when targets are crossed as users grow in number, and what upgrades bring."""
    from advisor.cli.output import Progress
    from advisor.configuration.changed_keys import change_of, named_settings
    from advisor.forecasting.forecast import growth
    from advisor.predicting.reproduced import check_reproduced
    from advisor.report.growth import growth_data, show_growth

    configuration = configured(document)
    check_reproduced(configuration, anyway=anyway)
    upgrades = []
    for text in alternatives:
        title, settings = named_settings(text)
        upgrades.append(change_of(configuration, settings, title, "--alternative"))
    found = growth(
        configuration, rate, upgrades=upgrades or None, response_time=targets[0],
        utilization=targets[1], seed=seed, progress=Progress("searches"),
    )  # fmt: skip
    if as_json:
        print_json(growth_data(found))
    else:
        show_growth(console(), found)
