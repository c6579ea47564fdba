"""The measured errors of every approximate method, as `make accuracy` wrote them."""

from __future__ import annotations

from pathlib import Path

TABLE = Path(__file__).parents[2] / "benchmarks" / "accuracy" / "TABLE.md"


def page() -> str:
    return TABLE.read_text(encoding="utf-8")
