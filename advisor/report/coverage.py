"""What the papers recommend and what the advisor makes of it, in the terminal and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from advisor.coverage.outcome import Outcome, load_outcomes
from advisor.coverage.recommendation import PAPERS, Recommendation, load_recommendations
from advisor.coverage.table import is_reproduced, number_text, tally


def show_coverage(console: Console) -> None:
    """Print every recommendation with its rules, its numbers and the verdict."""
    rows, found = load_recommendations(), load_outcomes()
    pairs = list(zip(rows, found, strict=True))
    for paper in PAPERS:
        console.print(Text(paper, style="bold"))
        for row, outcome in pairs:
            if row.paper == paper:
                console.print(Text(f"{row.id}  {row.says}  [{row.place}]"))
                for line in _lines(row, outcome):
                    console.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))
        console.print()
    total = tally(rows, found)
    console.print(
        Text(
            f"{total.recommendations} recommendations, {total.by_rule} covered by a rule; "
            f"{total.reproduced} of {total.applicable} applicable quantitative ones reproduced"
        )
    )


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
