"""The theory of all other rooms, a section a module, as it stands beside the code."""

from __future__ import annotations

import re
from pathlib import Path

import advisor
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
    """The page: a part for each room, those of calibration and the advisor last."""
    parts = [theory.page(room) for room in ROOMS]
    above = Path(calibration.__file__).parent
    folders = [above / room for room in ("fitting", "structures", "estimation", "")]
    folders.append(Path(advisor.__file__).parent)
    parts += [(folder / "THEORY.md").read_text(encoding="utf-8") for folder in folders]
    lower = [re.sub(r"(?m)^(#+) ", r"#\1 ", part) for part in parts]
    return "# Theory of other rooms\n\n" + "\n".join(lower)
