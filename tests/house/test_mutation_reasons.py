"""Why mutants may survive is said of lines that are there."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REASONS = tomllib.loads((ROOT / "benchmarks" / "mutation" / "reasons.toml").read_text("utf-8"))


@pytest.mark.parametrize("reason", REASONS["reason"], ids=lambda reason: reason["line"])
def test_the_line_of_a_reason_is_there(reason):
    assert reason["line"] in (ROOT / reason["module"]).read_text("utf-8")
