"""``qmodel advise``: a server's configuration in, calibrated advice out."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.options import AsJson, AsSchema, Check, FileFormat, Today, Users, day
from advisor.cli.output import Progress, as_text, configured, console, print_json, say


class FailOn(StrEnum):
    """The gravest level that is let pass, from above."""

    never = "never"
    error = "error"
    warning = "warning"
    note = "note"


def command(
    config: Annotated[Path, typer.Argument(help="Configuration of a server, TOML or JSON.")],
    users: Users = "",
    fail_on: Annotated[
        FailOn,
        typer.Option(
            help="Exit with 1 if there is a finding at or above this level. Suppressed ones do "
            "not count; with --baseline only new ones do."
        ),
    ] = FailOn.never,
    baseline: Annotated[
        Path | None,
        typer.Option(help="What an earlier --json printed: say what is new, unchanged and gone."),
    ] = None,
    findings: Annotated[
        bool, typer.Option("--findings", help="Show what was found, with the numbers behind it.")
    ] = False,
    options: Annotated[
        bool, typer.Option("--options", help="Show every option, and why some are not in the plan.")
    ] = False,
    basis: Annotated[
        bool, typer.Option("--basis", help="Show what the numbers rest on, and what is not known.")
    ] = False,
    check: Check = False,
    details: Annotated[
        bool, typer.Option("--details", help="Show all of it, each option with its sources.")
    ] = False,
    sarif: Annotated[
        Path | None, typer.Option(help="Also write the findings to this file, in SARIF 2.1.0.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the SARIF file if it exists.")
    ] = False,
    today: Today = None,
    file_format: FileFormat = None,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Predict a server, name its bottleneck, and advise.

    Example: qmodel advise examples/proliant2000_as_tested.toml
    """
    from advisor.cli import several_machines
    from advisor.cli.loads import user_counts
    from advisor.findings.records import LEVELS, reaches

    if sarif is not None:
        from qmodel.documents.writing import check_target
        from qmodel.errors import InvalidInput

        if str(sarif) == "-":
            raise InvalidInput("--sarif -: the screen has the advice; give a file, as a.sarif")
        check_target(sarif, force=force)  # before the work, not after it
    document, machines = several_machines.in_file(config, file_format)
    if machines is not None:
        several_machines.refuse(baseline=baseline, sarif=sarif, check=check, basis=basis)
        machines = several_machines.for_users(machines, users)
        grave = several_machines.advise(machines, as_json=as_json, every=findings or details)
        if grave and fail_on is not FailOn.never:
            order = list[str](LEVELS)
            raise typer.Exit(int(order.index(grave) <= order.index(fail_on.value)))
        return
    asked = sorted(user_counts(users)) if users else []
    configuration = configured(document, asked)
    from advisor.engine import checked, review
    from advisor.findings.baseline import compare, load_baseline
    from advisor.predicting.load_curve import alone_and_at_peak, populations
    from advisor.predicting.solution_note import solution_note

    earlier = None if baseline is None else load_baseline(baseline)
    counts = asked if len(asked) > 1 else populations(configuration)
    found = review(configuration, today=day(today), progress=Progress("steps"))
    found = checked(found, Progress("networks simulated")) if check else found
    if note := solution_note(configuration, found.outlook):
        say(note)
    seen = as_json or basis or details or len(asked) > 1  # the first screen needs them not
    outlooks = alone_and_at_peak(configuration, counts) if seen else ()
    compared = None if earlier is None else compare(found, earlier)
    if sarif is not None:
        from advisor.report.sarif import sarif_data
        from qmodel.documents.writing import write_text

        write_text(sarif, as_text(sarif_data(found, compared)), force=force)
    if as_json:
        from advisor.report.json_report import review_data

        print_json(review_data(found, outlooks, compared))
    else:
        from advisor.report.terminal import Section, show_review

        wanted: dict[Section, bool] = {"findings": findings, "options": options, "basis": basis}
        sections = [name for name, asked in wanted.items() if asked]
        show_review(
            console(), found, outlooks, sections=sections, details=details, baseline=compared
        )
    counted = found.findings if compared is None else compared.new
    if fail_on is not FailOn.never and reaches(counted, fail_on.value):
        raise typer.Exit(1)
