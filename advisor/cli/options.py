"""Options that several commands have."""

from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.output import print_document

if TYPE_CHECKING:
    from datetime import date

FileFormat = Annotated[
    str | None,
    typer.Option("--format", help="toml or json; taken from the file's name if not given."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

Anyway = Annotated[
    bool,
    typer.Option("--anyway", help="Go on even if the calibration's own runs are not reproduced."),
]
Check = Annotated[
    bool, typer.Option("--check", help="Simulate the server as well, now and after the plan.")
]
Users = Annotated[
    str,
    typer.Option(
        help="Judge this many users instead of the file's; a list such as 1,5,10 or 10:400:10 is "
        "tabulated beside the verdict of the file."
    ),
]
Every = Annotated[bool, typer.Option("--all", help="Show all of it, longer than a screen.")]


def _print_schema(context: typer.Context, wanted: bool) -> None:
    if wanted:
        from advisor.report.answers import schema_text

        print_document(schema_text(context.info_name or ""))
        raise typer.Exit


AsSchema = Annotated[
    bool,
    typer.Option(
        "--schema", help="Print the JSON Schema of what --json prints.", callback=_print_schema,
        is_eager=True,
    ),
]  # fmt: skip

Today = Annotated[
    str | None,
    typer.Option(
        metavar="YYYY-MM-DD", help="The day by which suppressions expire; the clock's if not given."
    ),
]


def day(text: str | None) -> "date | None":
    """The date that ``--today`` gives."""
    if text is None:
        return None
    from datetime import date

    from qmodel.errors import InvalidInput

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"--today: expected a date such as 2026-12-31, got {text!r}") from None
