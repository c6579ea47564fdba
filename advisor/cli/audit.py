"""``qmodel audit``: what contradicts the operational laws in a table of measurements."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.import_files import runs_in
from advisor.cli.options import AsJson, AsSchema
from advisor.cli.output import NO_ANSWER, console, print_json

if TYPE_CHECKING:
    from calibration.audits.audit import Audit
    from calibration.audits.noise import Noise
    from calibration.printed_tables.table import View


def command(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="A CSV file or recordings, or a shipped table or source; see --all."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All shipped tables, by source.")] = False,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Shipped tables with errata corrected.")
    ] = False,
    noise: Annotated[
        float, typer.Option(help="Noise of one run, as a multiple of the usual one.")
    ] = 1.0,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Find numbers that contradict the laws of queueing. Exit code 1 if there are any, 3
    if nothing could be tested.

    A user's table is a CSV file with one row a measured run; its header names quantity, station
    and unit: population, think_time [s], throughput [1/s], response_time [s],
    utilization:cpu [%], servers:cpu, volume:lan [KB/s], operations:disk [1/s], and so on.

    Example: qmodel audit examples/load_test.csv
    """
    from advisor.report.audit import audits_data, show_audits

    found = _audits(files or [], noise, every=every, corrected=corrected)
    if as_json:
        print_json(audits_data(found))
    else:
        show_audits(console(), found)
    if any(each.contradictions for each in found):
        raise typer.Exit(1)
    if not any(each.tested for each in found):
        raise typer.Exit(NO_ANSWER)


def _audits(files: list[str], noise: float, *, every: bool, corrected: bool) -> "list[Audit]":
    from calibration.audits.audit import audit, audit_source
    from calibration.audits.noise import SHIPPED, USUAL
    from calibration.printed_tables.table import load_table, sources
    from qmodel.errors import InvalidInput

    table = files[0] if files else ""
    if bool(table) == every:
        raise InvalidInput("name one table, as in examples/load_test.csv, or use --all")
    if not 0.0 < noise < 1000.0:
        raise InvalidInput(f"--noise must be above 0 and below 1000, got {noise:g}")
    shipped, usual = _scaled(SHIPPED, noise), _scaled(USUAL, noise)
    view: View = "corrected" if corrected else "printed"
    if every:
        return [audit_source(name, view, shipped) for name in sources()]
    source = table.partition("/")[0]
    if len(files) > 1 or source not in sources() or table.endswith(".csv"):
        return [audit(runs_in([Path(each) for each in files]), usual)]
    if "/" in table:
        load_table(table)
        return [audit_source(source, view, shipped).of_table(table)]
    return [audit_source(table, view, shipped)]


def _scaled(noise: "Noise", factor: float) -> "Noise":
    return noise if factor == 1.0 else noise.scaled(factor)
