"""``qmodel calibrate``: measured runs in, a calibrated model out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.import_files import runs_in
from advisor.cli.options import AsJson, AsSchema, Every
from advisor.cli.output import NO_ANSWER, STOPPED, console, print_json, say

if TYPE_CHECKING:
    from calibration.audits.noise import Noise
    from calibration.recordings.user_table import UserTable


#: What a monitor sees of a server, and a load generator does not.
MONITORED = {"utilization", "operations", "volume"}


def command(
    files: Annotated[
        list[Path],
        typer.Argument(help="A CSV file with one row per measured run, or recordings; see import."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the calibration to this .json or .toml."),
    ] = None,
    configuration: Annotated[
        str | None, typer.Option(help="Use only the rows of this configuration.")
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            help="Noise of one run, as a multiple of the usual one, or 'repeats': taken from rows "
            "with the same users; estimated if not given."
        ),
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Calibrate even if the table contradicts itself.")
    ] = False,
    profile: Annotated[
        bool, typer.Option("--profile", help="95 % intervals by profile likelihood.")
    ] = False,
    models: Annotated[
        bool, typer.Option("--models", help="Show the models that were fitted.")
    ] = False,
    residuals: Annotated[
        bool, typer.Option("--residuals", help="Show every number, measured and fitted.")
    ] = False,
    every: Every = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Fit models to measured runs.

    What the measurements do not settle is said. The table is one that qmodel audit reads; beside
    recordings it gives start and end of each level. Exit code 3 if it cannot be calibrated, with
    the reason and what to measure; Ctrl-C keeps the intervals found so far, with exit code 130.

    Example: qmodel calibrate examples/load_test.csv
    """
    from advisor.cli.output import Progress
    from advisor.report.calibration import calibration_report
    from advisor.report.calibration_screen import show_calibration, why_not
    from calibration.fitting.calibrate import calibrate
    from calibration.fitting.profile import profiles
    from calibration.fitting.saved import save_calibration
    from calibration.predicting.measured_percentiles import measured_percentiles
    from qmodel.documents.document import told_format
    from qmodel.documents.writing import check_target

    if output is not None:  # before the work, not after it
        told_format(output)
        check_target(output, force=force)
    fitting, intervals = Progress("models"), Progress("intervals")
    try:
        runs = _table(files)
        found = calibrate(
            runs, noise=_noise(noise, runs), configuration=configuration, anyway=anyway,
            progress=fitting,
        )  # fmt: skip
    except KeyboardInterrupt:
        say(f"{fitting.stopped()}; predictions need them all; the same command starts over")
        raise typer.Exit(STOPPED) from None
    if output is not None:  # before the intervals, which take longer and are not kept in it
        save_calibration(found, output, force=force)
    ends = profiles(found, progress=intervals) if profile else ()
    tails = measured_percentiles(found, runs.of_configuration(configuration))
    if as_json:
        problem = why_not(found)
        print_json({**calibration_report(found, ends, tails), "not_usable": problem})
        usable = not problem
    else:
        shown = {"models": models, "residuals": residuals, "every": every}
        usable = show_calibration(console(), found, ends, tails, **shown)
        if output is not None:
            use = f"qmodel predict {output}, qmodel init --from {output}"
            say(f"wrote {output}   next: {use if usable else f'qmodel audit {files[0]}'}")
    if profile and len(ends) < len(found.best.parameters):
        again = " with --force" if output is not None else ""
        say(f"{intervals.stopped()}; the same command{again} starts over and does them all")
        raise typer.Exit(STOPPED)
    if not usable:
        raise typer.Exit(NO_ANSWER)


def _table(files: list[Path]) -> "UserTable":
    from qmodel.errors import FileError

    table = runs_in(files)
    seen = {column.quantity for column in table.columns}
    if {"start", "end"} <= seen and not seen & MONITORED:
        problem = "nothing of a monitor in it; name its file as well, or give utilizations"
        raise FileError(table.path, problem)
    return table


def _noise(text: str | None, runs: "UserTable") -> "Noise | None":
    """The noise of one run as it is stated; None where the measurements are to say."""
    from calibration.estimation.data import ONE_RUN
    from calibration.fitting.replicates import of_replicates
    from qmodel.errors import InvalidInput

    if text is None:
        return None
    if text == "repeats":
        return of_replicates(runs)
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not 0.0 < factor < 1000.0:
        raise InvalidInput(
            f"--noise must be a number above 0 and below 1000, or 'repeats', got {text!r}"
        )
    return ONE_RUN.scaled(factor)
