"""``qmodel rules``: the rules of the advisor."""

from __future__ import annotations

import typer

from advisor.cli.output import AsJson, console, print_json


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("rules")(rules_command)


def rules_command(as_json: AsJson = False) -> None:
    """List the rules.

    Example: qmodel rules
    """
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
