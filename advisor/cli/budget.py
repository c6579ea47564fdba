"""``qmodel budget``: the error budget of a service level over the day."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.options import AsJson, AsSchema, FileFormat
from advisor.cli.output import Progress, configured, console, print_json, say

if TYPE_CHECKING:
    from advisor.budgets.budget import Budget

EXIT_MISSED = 1


def command(
    config: Annotated[Path, typer.Argument(help="Configuration of a server, TOML or JSON.")],
    slo: Annotated[
        str | None, typer.Option(help='Service level of each class, as in "99 % under 250 ms".')
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE of the configuration: what remains after a change."),
    ] = None,
    growth: Annotated[
        str | None, typer.Option(help="How the load grows, as in 3%/month: how long it lasts.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", "--output", "-o", help="Draw the day, .svg.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files.")] = False,
    file_format: FileFormat = None,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Show how much of an error budget is burnt, when, and where.

    A service level of 99 % allows 1 % of the requests to be late. Hours follow workload.profile,
    with the tasks that run then. Exit code 1 if more is burnt than there is.

    Example: qmodel budget examples/nightly_jobs.toml --slo "99 % under 1 s"
    """
    from advisor.budgets.budget import budgets
    from advisor.configuration.changed_keys import change_of, changed, parse_settings
    from advisor.configuration.changes import Change
    from advisor.forecasting.user_growth import stated_growth
    from advisor.report.budget import budget_data, budget_picture, counterpart, show_budgets
    from qmodel.documents.document import read_document
    from qmodel.documents.writing import check_target
    from qmodel.errors import FileError, InvalidInput

    if picture is not None:
        if picture.suffix.lower() != ".svg":
            raise InvalidInput(f"-o {picture}: expected a name that ends in .svg")
        check_target(picture, force=force)
    configuration = configured(read_document(config, file_format))
    if slo is not None:
        try:
            configuration = Change("", ((("targets", "slo"), slo),)).apply(configuration)
        except FileError as error:
            raise InvalidInput(f"--slo: {error.problem}") from None
    progress = Progress("hours")
    found = budgets(configuration, stated_growth(growth) if growth else None, progress)
    after: tuple[Budget, ...] = ()
    if settings:
        other = changed(configuration, change_of(configuration, parse_settings(settings)))
        after = budgets(other, progress=progress)
    if as_json:
        print_json(budget_data(found, after))
    else:
        show_budgets(console(), configuration, found, after)
    if picture is not None:
        budget_picture(found[0], counterpart(found[0], after)).save(picture)
        say(f"wrote {picture}")
    if any(each.burnt.mid > 1.0 for each in after or found):
        raise typer.Exit(EXIT_MISSED)
