"""Asks the advisor about every recommendation, and writes the outcomes and the table."""

from pathlib import Path

from scripts.paper_coverage.ask import outcomes, outcomes_text
from scripts.paper_coverage.check import checked
from scripts.paper_coverage.outcome import OUTCOMES
from scripts.paper_coverage.page import TABLE, table_text

if __name__ == "__main__":
    rows = checked()
    found = outcomes(rows, Path(__file__).parents[2])
    OUTCOMES.write_text(outcomes_text(found), encoding="utf-8")
    TABLE.write_text(table_text(rows, found), encoding="utf-8")
