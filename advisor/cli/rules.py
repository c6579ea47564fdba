"""``qmodel rules``: the rules of the advisor, and what they cover of the papers."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.output import AsJson, console, print_json


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("rules")(rules_command)


def rules_command(
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage", help="What the papers recommend, and what the rules make of each of it."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the rules.

    Example: qmodel rules

    Example: qmodel rules --coverage
    """
    if coverage:
        from advisor.report.coverage import coverage_data, show_coverage

        if as_json:
            print_json(coverage_data())
        else:
            show_coverage(console())
        return
    from advisor.rules import RULES

    if as_json:
        print_json([{"code": r.code, "slug": r.slug, "claim": r.claim} for r in RULES])
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("code", "rule", "content where"):
        table.add_column(heading)
    for rule in RULES:
        table.add_row(rule.code, rule.slug, rule.claim)
    console().print(table)
