"""``qmodel rules``: the rules of the advisor."""

from typing import TYPE_CHECKING

from advisor.cli.output import AsJson, AsSchema, Every, console, print_json

if TYPE_CHECKING:
    from rich.console import RenderableType


def command(
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """List the rules.

    Example: qmodel rules
    """
    from advisor.rules import RULES

    if as_json:
        found = [{"code": r.code, "slug": r.slug, "claim": r.claim} for r in RULES]
        print_json({"rules": found})
        return
    from rich.text import Text

    from advisor.report.screen import LINES, show_list, table

    def build(count: int) -> "RenderableType":
        shown = table("code", "rule", "silent when")
        for rule in RULES[:count]:
            shown.add_row(rule.code, rule.slug, rule.claim)
        return shown

    screen = console()
    screen.print(Text(f"{len(RULES)} rules; one of them: qmodel explain CODE", style="bold"))
    screen.print()
    show_list(screen, build, len(RULES), room=None if every else LINES - 3)
