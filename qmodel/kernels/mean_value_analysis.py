"""Exact mean value analysis of one class at delays and single servers; see THEORY.md."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

#: Throughput, then the residence time at each station.
Row = tuple[float, ...]

#: Terms of one sum in the text, which the compiler takes to be as deep as it is long.
TERMS = 24


def mean_values(
    populations: Sequence[int], delay: float, demands: Sequence[float]
) -> dict[int, Row]:
    """Throughput and residence times at several populations, in one pass.

    ``populations`` ascend and are at least 1; ``delay`` is Z, think time and the demands at delay
    stations [s], ``demands`` are those at single servers, D [s].
    """
    if not demands:
        return {n: (n / delay,) for n in populations}
    rows = recursion(len(demands))(populations, delay, *demands)
    return dict(zip(populations, rows, strict=True))


@cache
def recursion(stations: int) -> Callable[..., list[Row]]:
    """Mean value analysis of ``stations`` single servers: populations, delay, *demands to rows."""
    text = _text(stations)
    names: dict[str, Any] = {}
    exec(compile(text, f"<mean value analysis of {stations} stations>", "exec"), names)  # noqa: S102 - the text is made above, from one number
    made: Callable[..., list[Row]] = names["recursion"]
    return made


def _text(stations: int) -> str:
    index = range(stations)
    sums = [" + ".join(f"r{k}" for k in index[i : i + TERMS]) for i in index[::TERMS]]
    step = [
        "n += 1.0",
        *(f"r{k} = d{k} * (1.0 + x * r{k})" for k in index),  # X R' is the queue
        *(f"total = {'total' if i else 'delay'} + {some}" for i, some in enumerate(sums)),
        "x = n / total",
    ]
    return "\n".join(
        [
            "def recursion(populations, delay, " + ", ".join(f"d{k}" for k in index) + "):",
            "    " + "".join(f"r{k} = " for k in index) + "x = n = 0.0", "    rows, done = [], 0",
            "    for population in populations:", "        for _ in range(population - done):",
            *(f"            {line}" for line in step),
            "        rows.append((x, " + "".join(f"r{k}, " for k in index) + "))",
            "        done = population", "    return rows",
        ]
    )  # fmt: skip
