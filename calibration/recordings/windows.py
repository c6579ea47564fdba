"""Periods of steady load in a recording.

Users that were set in steps give the periods; otherwise throughput is cut where its mean changes
(binary segmentation by least squares, a cut for each that takes away more than chance would); a
monitor alone is cut into equal parts. The beginning of each period is left out as its ramp.
Source: Scott and Knott, Biometrics 30 (1974), for the segmentation; the thresholds are conventions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Any

import numpy as np

from calibration.recordings.series import Series

#: Share of a period that is left out as its ramp, fewest samples of one, and most periods.
RAMP, LEAST, MOST = 0.15, 5, 24

#: Users that differ by less than this are one step. [1]
SAME = 0.03


@dataclass(frozen=True, slots=True)
class Window:
    """A period of steady load, in the clock of its series. [s]"""

    start: float
    end: float


def windows(
    series: Sequence[Series], span: tuple[float, float]
) -> tuple[tuple[Window, ...], str]:
    """Periods of steady load, and in words from what they were told.

    Parameters
    ----------
    series : sequence of Series
        On one clock.
    span : (float, float)
        The time that all of them cover. [s]
    """
    start, end = span
    leads = [each for each in series if each.quantity in {"population", "throughput"} and not each.of]
    steady = None
    for quantity, words in (("population", "steps of users"), ("throughput", "steps of throughput")):
        for lead in leads:
            if lead.quantity != quantity:
                continue
            inside = (lead.end - lead.interval >= start - 1.0) & (lead.end <= end + 1.0)
            when, value = lead.end[inside], lead.value[inside]
            begins = when - lead.interval[inside]
            if len(when) < 2 * LEAST:
                continue
            cut = _steps(value) if quantity == "population" else _changes(value)
            found = tuple(
                _trimmed(max(begins[a], start), min(when[b - 1], end))
                for a, b in pairwise(cut)
                if b - a >= LEAST
            )
            if len(cut) > 2 and found:
                return found[:MOST], words
            steady = _trimmed(max(begins[0], start), min(when[-1], end))
    if steady is not None:
        return (steady,), "one steady period"
    count = int(min(12, max(1, min(len(each.end) for each in series) // LEAST)))
    edges = np.linspace(start, end, count + 1)
    return tuple(Window(float(a), float(b)) for a, b in pairwise(edges)), "equal parts of the time"


def _trimmed(start: float, end: float) -> Window:
    return Window(float(start + RAMP * (end - start)), float(end))


def _steps(value: Any) -> list[int]:
    """Where users change; a ramp is many short steps, which are too short to be a period."""
    cuts, level = [0], value[0]
    for place in range(1, len(value)):
        if abs(value[place] - level) > SAME * max(level, 1.0 / SAME):
            cuts.append(place)
            level = value[place]
    return [*cuts, len(value)]


def _changes(value: Any) -> list[int]:
    """Where the mean changes: the best cut of a part, while it explains more than chance."""
    size = len(value)
    cuts, parts = [0, size], [(0, size)]
    # The scatter between neighbours is not moved by changes of level.
    noise = float(np.median(np.abs(np.diff(value)))) / 0.954
    threshold = max(noise, 0.01 * float(np.mean(value)) + 1e-12) ** 2 * 4.0 * log(size)
    while parts and len(cuts) <= MOST:
        a, b = parts.pop(0)
        if b - a < 2 * LEAST:
            continue
        part = value[a:b]
        count = np.arange(LEAST, len(part) - LEAST + 1)
        total = np.cumsum(part)
        left = total[count - 1] / count
        right = (total[-1] - total[count - 1]) / (len(part) - count)
        gain = count * (len(part) - count) / len(part) * (left - right) ** 2
        best = int(gain.argmax())
        if gain[best] > threshold:
            middle = a + int(count[best])
            cuts.append(middle)
            parts += [(a, middle), (middle, b)]
    return sorted(cuts)
