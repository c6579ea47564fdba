"""Asks the advisor about every recommendation, and writes the outcomes and the table."""

from __future__ import annotations

from pathlib import Path

from advisor.coverage.outcome import OUTCOMES, outcomes, outcomes_text
from advisor.coverage.recommendation import load_recommendations
from advisor.coverage.table import TABLE, table_text


def main() -> None:
    """Write both files."""
    rows = load_recommendations()
    found = outcomes(rows, Path(__file__).parents[2])
    OUTCOMES.write_text(outcomes_text(found), encoding="utf-8")
    TABLE.write_text(table_text(rows, found), encoding="utf-8")


if __name__ == "__main__":
    main()
