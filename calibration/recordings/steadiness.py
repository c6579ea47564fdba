"""How well a period's mean is known, and whether the measurements drifted; see THEORY.md."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from calibration.recordings.series import Series

#: Fewest samples or batches of a standard error, and batches that a drift is told from.
FEWEST, BATCHES = 8, 10
#: A drift is so many standard errors of its slope, and such a change from beginning to end. [1]
CLEAR, DRIFT = 5.0, 0.25

#: What grows with a backlog.
_BACKLOG = {"response_time": "response time [s]", "population": "users"}

Period = tuple[float, float]


def standard_error(series: Series, period: Period) -> float | None:
    """Of the mean over a period, in units of the series; None of fewer than 8 samples."""
    part = series.inside(*period)
    if len(part.end) < FEWEST:
        return None
    weight = part.weights / part.weights.mean()
    off = (part.value - np.average(part.value, weights=weight)) * weight
    largest = 0.0
    while len(off) >= FEWEST:
        largest = max(largest, sqrt(off.var(ddof=1) / len(off)))
        even = off[: len(off) // 2 * 2]
        off = (even[::2] + even[1::2]) / 2.0
    return largest


def drift(series: Series, period: Period) -> tuple[float, float] | None:
    """Where a straight line through a period begins and ends, if it clearly rises or falls."""
    part = series.inside(*period)
    if len(part.end) < 2 * BATCHES:
        return None
    value = np.array([np.average(v, weights=w) for v, w in zip(
        np.array_split(part.value, BATCHES), np.array_split(part.weights, BATCHES), strict=True
    )])  # fmt: skip
    place = np.linspace(-0.5, 0.5, BATCHES)
    change = float((place * value).sum() / (place**2).sum())
    rest = value - value.mean() - place * change
    error = sqrt(float((rest**2).sum()) / (BATCHES - 2) / float((place**2).sum()))
    if abs(change) < max(CLEAR * error, DRIFT * float(value.mean())):
        return None
    return float(value.mean()) - change / 2.0, float(value.mean()) + change / 2.0


def steady(
    series: Sequence[Series], periods: Sequence[Period], shown: Sequence[str]
) -> tuple[list[Period], list[str]]:
    """Periods without a drift, and a line for each other; all of them if two would not remain."""
    kept, notes = [], []
    for period, name in zip(periods, shown, strict=True):
        drifts = {each.name: drift(each, period) for each in series if each.name in _BACKLOG}
        clear = [(_BACKLOG[key], ends) for key, ends in drifts.items() if ends]
        if not clear:
            kept.append(period)
        for words, (first, last) in clear[:1]:
            notes.append(f"{name}: {words} drifts from {max(first, 0.0):.3g} to {last:.3g}")
    if len(kept) < 2:
        return list(periods), [f"{note}, no steady state" for note in notes]
    return kept, [f"{note}, no steady state; left out" for note in notes]
