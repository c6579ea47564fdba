"""The measured errors of every approximate method, as `make accuracy` wrote them."""

from __future__ import annotations

from pathlib import Path

TABLE = Path(__file__).parents[2] / "benchmarks" / "accuracy" / "TABLE.md"


def page() -> str:
    text = TABLE.read_text(encoding="utf-8")
    return text.replace("Written by `make accuracy`; do not edit.", "One run of `make accuracy`.")
