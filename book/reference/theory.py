"""The theory of the matrix-analytic room, as it stands beside the code."""

from __future__ import annotations

from pathlib import Path

import qmodel

SOURCE = Path(qmodel.__file__).parent / "matrix_analytic" / "THEORY.md"


def page() -> str:
    """The page, with its link to the accuracy table led to that of the handbook."""
    text = SOURCE.read_text(encoding="utf-8")
    return text.replace("../../benchmarks/accuracy/TABLE.md", "accuracy.md")
