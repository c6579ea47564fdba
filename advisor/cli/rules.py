"""``qmodel rules``: the rules of the advisor."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from advisor.cli.options import AsJson, AsSchema, Every
from advisor.cli.output import console, print_json

if TYPE_CHECKING:
    from rich.console import RenderableType


def command(
    config: Annotated[
        Path | None, typer.Argument(help="Configuration: which rules can judge it.")
    ] = None,
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """List the rules, and of a configuration which of them can judge it, or why not.

    Example: qmodel rules examples/new_server.toml
    """
    from advisor.rules import RULES

    reasons: dict[str, str] = {}
    title = f"{len(RULES)} rules, POOL001 and POOL002 of several machines; qmodel explain CODE"
    if config is not None:
        from advisor.engine import review
        from advisor.loading import load_config
        from advisor.report.basis import judged

        found = review(load_config(config))
        reasons = {each.rule: each.reason for each in found.skipped}
        title = judged(found)
    if as_json:
        rows: list[dict[str, Any]] = [
            {"code": r.code, "slug": r.slug, "claim": r.claim}
            | ({} if config is None else {"not_judged": reasons.get(r.code)})
            for r in RULES
        ]
        print_json({"rules": rows})
        return
    from rich.text import Text

    from advisor.report.screen import LINES, show_list, table

    def build(count: int) -> "RenderableType":
        shown = table("code", "rule", "silent when" if config is None else "cannot judge")
        for rule in RULES[:count]:
            said = rule.claim if config is None else reasons.get(rule.code, "")
            shown.add_row(rule.code, rule.slug, said)
        return shown

    screen = console()
    screen.print(Text(title, style="bold"))
    screen.print()
    show_list(screen, build, len(RULES), room=None if every else LINES - 3)
