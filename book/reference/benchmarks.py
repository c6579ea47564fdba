"""Ratios against the peers, as `make bench-peers` wrote them."""

from __future__ import annotations

from pathlib import Path

RESULTS = Path(__file__).parents[2] / "benchmarks" / "RESULTS.md"


def page() -> str:
    return RESULTS.read_text(encoding="utf-8")
