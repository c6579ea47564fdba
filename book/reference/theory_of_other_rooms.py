"""The theory of all other rooms, a section a module, as it stands beside the code."""

from __future__ import annotations

import re
from pathlib import Path

import calibration
from reference import theory

ROOMS = (
    "single_station",
    "response_times",
    "bounds",
    "analysis",
    "simulation",
    "kernels",
    "model",
    "numerics",
    "devices",
)


def page() -> str:
    """The page: a part for each room, those of calibration last."""
    parts = [theory.page(room) for room in ROOMS]
    for room in ("fitting", "structures", "estimation"):
        path = Path(calibration.__file__).parent / room / "THEORY.md"
        parts.append(path.read_text(encoding="utf-8"))
    lower = [re.sub(r"(?m)^(#+) ", r"#\1 ", part) for part in parts]
    return "# Theory of other rooms\n\n" + "\n".join(lower)
