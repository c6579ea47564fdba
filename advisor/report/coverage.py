"""What the papers recommend and what the advisor makes of it, in the terminal and as data."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from advisor.coverage.outcome import (
    Outcome,
    is_reproduced,
    load_outcomes,
    number_text,
    tally,
)
from advisor.coverage.recommendation import PAPERS, Recommendation, load_recommendations
from advisor.report.screen import LINES, show_list, table


def show_coverage(console: Console, *, every: bool = False) -> None:
    """Print how much is covered, then the recommendations; ``every`` adds what became of each."""
    rows, found = load_recommendations(), load_outcomes()
    pairs = list(zip(rows, found, strict=True))
    total = tally(rows, found)
    console.print(
        Text(
            f"{total.recommendations} recommendations, {total.by_rule} covered by a rule; "
            f"{total.reproduced} of {total.applicable} applicable quantitative ones reproduced",
            style="bold",
        )
    )
    console.print()
    if not every:

        def build(count: int) -> RenderableType:
            shown = table("recommendation", "rules", "verdict")
            for row in rows[:count]:
                shown.add_row(row.id, ", ".join(row.rules) or "none", row.verdict)
            return shown

        show_list(console, build, len(rows), room=LINES - 4)
        return
    for paper in PAPERS:
        console.print(Text(paper, style="bold"))
        for row, outcome in pairs:
            if row.paper == paper:
                console.print(Text(f"{row.id}  {row.says}  [{row.place}]"))
                for line in _lines(row, outcome):
                    console.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))
        console.print()


def _lines(row: Recommendation, outcome: Outcome) -> Iterator[str]:
    yield from outcome.why or ([f"no rule: {row.reason}"] if not row.rules else row.rules)
    yield from map(number_text, outcome.compared)
    yield f"{row.verdict}{': ' if row.because else ''}{row.because}"
    if row.errata:
        yield f"errata: {', '.join(row.errata)}"


def coverage_data() -> dict[str, Any]:
    """The table for programs."""
    rows, found = load_recommendations(), load_outcomes()
    return {
        "tally": asdict(tally(rows, found)),
        "recommendations": [
            {
                **row.model_dump(mode="json"),
                "outcome": asdict(outcome),
                "as_expected": outcome.as_expected(row),
                "reproduced": is_reproduced(row, outcome),
            }
            for row, outcome in zip(rows, found, strict=True)
        ],
    }
