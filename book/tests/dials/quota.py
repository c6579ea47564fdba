"""What the dial `quota` says, by following a request period by period."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

#: Followed in fractions, which do not round.
PRECISION = {"slice": 1e-12, "elapsed": 1e-9}


def values(state: dict[str, Any]) -> dict[str, float]:
    period = Fraction(1, 10)
    quota, threads = Fraction(str(state["quota"])), int(state["threads"])
    each = min(period, quota * period / threads)
    left, passed = Fraction(str(state["work"])) / 1000, Fraction(0)
    while left > each:
        left -= each
        passed += period
    return {"slice": float(each), "elapsed": float(passed + left)}
