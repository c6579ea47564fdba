"""Periods of steady load in a recording; see THEORY.md."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, inf, log, sqrt
from typing import Any

import numpy as np

from calibration.recordings.classes import PART
from calibration.recordings.series import Series

#: Share of a period left out as its ramp, fewest samples of one, most that are cut, parts of a day.
RAMP, LEAST, MOST, PARTS = 0.15, 5, 24, 12

#: Users that differ by less than the one, and a throughput that changes by less than the other, are
#: one step. [1]
SAME, CHANGE = 0.03, 0.08
#: A sample of at least this length is an average, and so many of them are taken as they are. [s]
AVERAGED, TAKEN = 600.0, 400
#: Production of at least so long is told apart by the hours of the clock. [s]
LONG, HOUR = 12.0 * 3600.0, 3600.0
#: Requests that are not counted for more than so many samples pause between two runs.
PAUSE = 5.0


def windows(
    series: Sequence[Series], span: tuple[float, float]
) -> tuple[list[tuple[float, float]], str]:
    """Start and end of each period of steady load, and in words what they were told from.

    All series, on one clock, cover the span. [s]
    """
    steady: list[tuple[float, float]] = []
    named = {each.name: each for each in series}
    asked = named.get("throughput")
    if asked and 1 < len(asked.end) <= TAKEN and np.median(asked.interval) >= AVERAGED:
        begins = np.maximum(asked.end - asked.interval, span[0]).tolist()
        rows = zip(begins, np.minimum(asked.end, span[1]).tolist(), strict=True)
        return [(start, end) for start, end in rows if start < end], "its rows, each an average"
    if "population" not in named and asked and span[1] - span[0] >= LONG:
        edges = np.arange(ceil(span[0] / HOUR), span[1] // HOUR + 1) * HOUR
        hours = [each for each in pairwise(edges.tolist()) if asked.mean(*each)]
        if hours and (span[1] - span[0]) / len(asked.end) <= HOUR / LEAST:
            return hours, "its hours"
    for quantity in ("population", "throughput"):
        lead = named.get(quantity)
        if lead is None:
            continue
        inside = (lead.end - lead.interval >= span[0] - 1.0) & (lead.end <= span[1] + 1.0)
        ends, value = lead.end[inside], lead.value[inside]
        begins = ends - lead.interval[inside]
        if len(ends) < LEAST:
            continue
        step = float(np.median(lead.interval))
        cuts = _steps(value) if quantity == "population" else changes(value, step)
        if quantity == "throughput":  # the mix may change where the sum does not
            classes = (s for s in series if s.quantity == quantity and s.of)
            same = (s.value[inside] for s in classes if np.array_equal(s.end, lead.end))
            often = (each for each in same if each.sum() > PART * value.sum())
            cuts = sorted({*cuts, *(cut for each in often for cut in changes(each, step))})
        periods = (
            (max(float(begins[a]), span[0]), min(float(ends[b - 1]), span[1]))
            for a, b in pairwise(sorted({*cuts, *_pauses(asked, begins, ends)}))
            if b - a >= LEAST
        )
        steady = [(start + RAMP * (end - start), end) for start, end in periods]
        steady = [each for each in steady if asked is None or asked.mean(*each)]
        if len(cuts) > 2 and steady:
            words = "users" if quantity == "population" else quantity
            return steady, f"steps of {words}"
    if steady:
        return steady, "one steady period" if len(steady) == 1 else "runs with pauses between them"
    count = min(PARTS, max(1, min(len(each.end) for each in series) // LEAST))
    return list(pairwise(np.linspace(*span, count + 1).tolist())), "equal parts of the time"


def _pauses(asked: Series | None, begins: Any, ends: Any) -> list[int]:
    """Places of the first samples that end in pauses of the requests, and behind them."""
    if asked is None:
        return []
    begun, usual = asked.end - asked.interval, float(np.median(asked.interval))
    at = np.flatnonzero(begun[1:] - asked.end[:-1] > PAUSE * usual)
    first = np.searchsorted(ends, asked.end[at] + 1e-6)
    return [*first.tolist(), *np.searchsorted(begins, begun[at + 1] - 1e-6).tolist()]


def _steps(value: Any) -> list[int]:
    """Where users change; a ramp is many short steps, which are too short to be a period."""
    cuts, level = [0], value[0]
    for place in range(1, len(value)):
        if abs(value[place] - level) > max(SAME * level, 0.5):
            cuts.append(place)
            level = value[place]
    return [*cuts, len(value)]


def changes(value: Any, counted: float = inf) -> list[int]:
    """Where the mean changes: the best cut of a part, while it explains more than chance.

    Of requests ``counted`` for so long each, of which few came, chance is that of counts. [s]
    """
    size = len(value)
    cuts, parts = [0, size], [(0, size)]
    # The scatter between neighbours is not moved by changes of level.
    mean = float(np.mean(value))
    noise = float(np.median(np.abs(np.diff(value)))) / 0.954 or sqrt(max(mean, 0.0) / counted)
    least = CHANGE * mean
    threshold = max(noise, 1e-12) ** 2 * 4.0 * log(size)
    while parts and len(cuts) <= MOST:
        a, b = parts.pop(0)
        if b - a < 2 * LEAST:
            continue
        total = np.cumsum(value[a:b])
        count = np.arange(LEAST, b - a - LEAST + 1)
        left = total[count - 1] / count
        right = (total[-1] - total[count - 1]) / (b - a - count)
        gain = count * (b - a - count) / (b - a) * (left - right) ** 2
        best = int(gain.argmax())
        if gain[best] > threshold and abs(left[best] - right[best]) > least:
            middle = a + int(count[best])
            cuts.append(middle)
            parts += [(a, middle), (middle, b)]
    return sorted(cuts)
