"""The theory of the matrix-analytic room, as it stands beside the code."""

from __future__ import annotations

from pathlib import Path

import qmodel


def page(room: str = "matrix_analytic") -> str:
    """The page of a room, with its link to the accuracy table led to that of the handbook."""
    text = (Path(qmodel.__file__).parent / room / "THEORY.md").read_text(encoding="utf-8")
    return text.replace("../../benchmarks/accuracy/TABLE.md", "accuracy.md")
