"""The recursion of mean value analysis (Reiser and Lavenberg 1980), one local variable a station.

Why it is generated: in CPython a step over local variables takes a third of the time of the same
step over lists, and this step is all there is to a single-class solution. What is generated is
the recursion as any textbook prints it, operation by operation in the same order, so that its
results are those of the plain loop to the last bit (the loop is kept in the tests).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

#: (population, delay, *demands) -> (throughput, *residence times at the last population)
Recursion = Callable[..., tuple[float, ...]]

#: More stations than this are left to a loop over lists; the text would grow without gain.
LIMIT = 24


@cache
def recursion(stations: int) -> Recursion:
    """Mean value analysis of ``stations`` single servers, a function of local variables."""
    text = _text(stations)
    names: dict[str, Any] = {}
    exec(compile(text, f"<mean value analysis of {stations} stations>", "exec"), names)  # noqa: S102 - the text is made above, from one number
    found: Recursion = names["recursion"]
    return found


def _text(stations: int) -> str:
    index = range(stations)
    step = [
        *(f"r{k} = d{k} * (1.0 + q{k})" for k in index),
        "x = n / (" + " + ".join(["delay", *(f"r{k}" for k in index)]) + ")",
    ]
    return "\n".join(
        [
            "def recursion(" + ", ".join(["population", "delay", *(f"d{k}" for k in index)]) + "):",
            "    " + "".join(f"q{k} = " for k in index) + "n = 0.0",
            "    for _ in range(population - 1):",
            "        n += 1.0",
            *(f"        {line}" for line in step),
            *(f"        q{k} = x * r{k}" for k in index),
            "    n += 1.0",
            *(f"    {line}" for line in step),
            "    return (x, " + "".join(f"r{k}, " for k in index) + ")",
        ]
    )
