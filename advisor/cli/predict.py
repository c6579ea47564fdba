"""``qmodel predict``: what a server would do with other numbers of users."""

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli import target_options as options
from advisor.cli.import_files import runs_in
from advisor.cli.options import Anyway, AsJson, AsSchema, Every, FileFormat
from advisor.cli.output import Progress, console, print_json


def command(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Configuration of a server, what qmodel calibrate -o wrote, or measured runs."
        ),
    ],
    users: Annotated[str, typer.Option(help="Numbers of users, as in 20,40 or 10:400:10.")] = "",
    rate: Annotated[
        str, typer.Option(help="Requests per second instead of users, as in 20,40 or 100:600:100.")
    ] = "",
    change: Annotated[
        list[str] | None,
        typer.Option(
            help="Change what was calibrated: speed:cpu=1.2, demand:disk=0.5, "
            "servers:cpu=4, quota:cpu=0.5, background:cpu=0, pool=16, think_time=5 (in seconds)."
        ),
    ] = None,
    percentiles: options.Percentiles = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", "--output", "-o", help="Write all numbers to a .csv.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw response time against users, .svg or .png.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files.")] = False,
    growth: Annotated[
        str | None,
        typer.Option(
            help="How the load grows, as in 3%/month, 40%/year or 3+-1%/month: when is each "
            "target crossed?"
        ),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option(help="The same from past months: CSV with columns month and users."),
    ] = None,
    response: Annotated[
        str | None,
        typer.Option(help="With --growth: target of each class, as in 250ms or p95=2s,p99=4s."),
    ] = None,
    utilization: Annotated[
        str | None, typer.Option(help="With --growth: target, as in 80%, of each resource.")
    ] = None,
    alternatives: Annotated[
        list[str] | None,
        typer.Option(
            "--alternative",
            help="With --growth: an upgrade to try, as in "
            '"mirrored: disk.raid=raid10"; advice proposes some.',
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random draws of --growth.")] = 1995,
    anyway: Anyway = False,
    every: Every = False,
    file_format: FileFormat = None,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Predict response times and utilizations over the load.

    Each number has a 90 % interval. A configuration comes with the load at which
    throughput over response time is largest, and the saturation point.

    Example: qmodel predict examples/calibrated/load_test.json --users 20,40,80

    Example: qmodel predict examples/new_server.toml --users 100:1200:100

    Example: qmodel predict examples/new_server.toml --percentiles 95,99

    Example: qmodel predict examples/new_server.toml --rate 100:600:100

    Example: qmodel predict examples/new_server.toml --growth 3+-1%/month
    """
    from advisor.cli import several_machines
    from advisor.cli.file_kind import RECORDING, TABLE, kind_of
    from advisor.cli.loads import rates, user_counts
    from advisor.cli.predict_server import users_growth, warn
    from advisor.machines.settings import with_targets
    from advisor.machines.tables import describes_machines, machines_of
    from advisor.report.prediction import show_predictions
    from advisor.report.prediction_data import predictions_data
    from calibration.fitting.saved import calibration_of
    from calibration.predicting.prediction import predict_all
    from qmodel.documents.document import read_document
    from qmodel.errors import FileError, InvalidInput

    if users and rate:
        raise InvalidInput("ask for --users or for --rate, not for both")
    counts = user_counts(users) if users else None
    asked = rates(rate) if rate else None
    shares = options.percentile_shares(percentiles)
    changes = _changes(change or [])
    measured = len(files) > 1 or kind_of(str(files[0])) in {TABLE, RECORDING}
    document = None if measured else read_document(files[0], file_format)
    targets = (options.promise(response), options.fraction_above_0(utilization))
    growing = growth is not None or history is not None
    if growing and (counts or asked or csv_file or plot or shares):
        raise InvalidInput(
            "--growth and --history go without --users, --rate, --percentiles, --csv and "
            "--plot; targets say of which percentiles (--response p95=2s)"
        )
    if document is not None and describes_machines(document):
        several_machines.refuse(
            rate=rate, change=change, csv=csv_file, plot=plot, anyway=anyway,
            **({} if growing else
               {"response": response, "utilization": utilization, "alternative": alternatives}),
        )  # fmt: skip
        machines = with_targets(machines_of(document), *targets)
        if growing:
            several_machines.growth(
                machines, users_growth(growth, history), alternatives or [], seed, as_json=as_json
            )
        else:
            several_machines.predict(machines, counts, shares, as_json=as_json, every=every)
        return
    if document is not None and {"server", "workload"} & document.data.keys():
        from advisor.cli.predict_server import predict_growth, predict_server

        if changes:
            raise InvalidInput("--change is for a calibration; use qmodel whatif --set")
        if growing:
            predict_growth(
                document, users_growth(growth, history), alternatives=alternatives or [],
                targets=targets, seed=seed, anyway=anyway, as_json=as_json,
            )  # fmt: skip
            return
        if any(targets) or alternatives:
            raise InvalidInput("--response, --utilization and --alternative go with --growth")
        predict_server(
            document, counts, asked, shares=shares, csv_file=csv_file, plot=plot, force=force,
            every=every, as_json=as_json,
        )  # fmt: skip
        return
    for option, value in (
        ("--percentiles", percentiles), ("--csv", csv_file), ("--plot", plot),
        ("--growth", growth), ("--history", history),
        ("--response", response), ("--utilization", utilization), ("--alternative", alternatives),
    ):  # fmt: skip
        if value:
            given = f"qmodel init --from {files[0]} writes one" if document else "qmodel init"
            raise InvalidInput(f"{option} needs the configuration of a server: {given}")
    if document is None:
        from calibration.fitting.calibrate import calibrate

        calibration = calibrate(runs_in(files), anyway=anyway, progress=Progress("models"))
    elif document.data and "models" not in document.data:
        problem = "neither a server nor a calibration; expected what qmodel calibrate -o writes"
        raise FileError(document.path, problem)
    else:
        calibration = calibration_of(document)
        warn(str(files[0]), calibration)
    found = predict_all(calibration, counts, changes, rates=asked)
    if as_json:
        print_json(predictions_data(calibration, found))
    else:
        show_predictions(console(), calibration, found, every=every)


def _changes(texts: list[str]) -> dict[str, float]:
    from qmodel.errors import InvalidInput

    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not sign or not abs(number) < 1e12:
            raise InvalidInput(f"--change {text}: expected NAME=NUMBER, as in speed:cpu=1.2")
        found[name.strip()] = number
    return found
