"""Clocks of two computers, set right by what both saw: requests here, busy processors there.

A monitor's clock is shifted where its processors follow the load generator's throughput clearly
better a fixed time later or earlier, and no other time does nearly as well.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from calibration.recordings.series import Recording, Series

#: Furthest shift that is looked for [s], fewest samples, least correlation after it [1].
FURTHEST, FEWEST, LEAST = 600.0, 8, 0.9
#: Samples from which on classes are looked at one by one, and most of them.
ENOUGH, MOST = 40, 8
#: Log-likelihood by which a shift must be better than none, and than any other peak.
BETTER, APART = 8.0, 3.0


def averaged(series: Series, begins: Any, ends: Any) -> Any:
    """Mean of a series over each of many intervals, cut where they cut its samples."""
    edges = np.concatenate([[series.end[0] - series.interval[0]], series.end])
    total = np.concatenate([[0.0], np.cumsum(series.value * np.diff(edges))])
    return (np.interp(ends, edges, total) - np.interp(begins, edges, total)) / (ends - begins)


def aligned(recordings: Sequence[Recording]) -> tuple[list[Recording], list[str]]:
    """Recordings on the clock of the one that has the throughput, and a line for each shift."""
    lead = next((r for r in recordings if _rates(r)), None)
    found, notes = [], []
    for each in recordings:
        shift = None
        if lead is not None and each is not lead and each.clock == lead.clock != "runs":
            busy = [s for s in each.series if s.name == "utilization:cpu"]
            busy = busy or [s for s in each.series if s.quantity == "processors"]
            if busy and not _rates(each):
                shift = _shift(_rates(lead), max(busy, key=lambda s: float(s.value.mean())))
        if shift is None or lead is None:
            found.append(each)
            continue
        seconds, before, after = shift
        series = tuple(replace(s, end=s.end - seconds) for s in each.series)
        found.append(replace(each, series=series))
        off = f"{abs(seconds):.3g} s {'ahead of' if seconds > 0 else 'behind'} {lead.path}"
        why = f"its cpu then follows the throughput, correlation {after:.2f}, before {before:.2f}"
        notes.append(f"{each.path}: its clock is about {off}; set right ({why})")
    return found, notes


def _rates(recording: Recording) -> list[Series]:
    """Throughput of all requests and then of classes, which may weigh more or less."""
    rates = [each for each in recording.series if each.quantity == "throughput"]
    return sorted(rates, key=lambda each: each.of) if any(not r.of for r in rates) else []


def _shift(rates: list[Series], busy: Series) -> tuple[float, float, float] | None:
    """Seconds that a monitor is ahead, and its correlation without and with them, if certain."""
    asked = rates[0]
    start, end = float(asked.end[0] - asked.interval[0]), float(asked.end[-1])
    step, long = float(np.median(asked.interval)), float(np.median(busy.interval))
    far = min(FURTHEST, (end - start) / 4.0) // step * step
    part = busy.inside(start + far, end - far)
    if len(part.end) < FEWEST or float(part.value.std()) == 0.0:
        return None
    used = rates[1 : MOST + 1] if len(part.end) >= ENOUGH and len(rates) > 2 else rates[:1]
    begins = part.end - part.interval
    lags = np.arange(-far, far + step / 2.0, step)
    rest = np.array([unexplained(used, part, begins - lag, part.end - lag) for lag in lags])
    left = np.maximum((rest**2).sum(axis=1) / part.value.var() / len(part.end), 1e-9)
    best, none = int(left.argmin()), int(np.abs(lags).argmin())
    r = np.sqrt(np.clip(1.0 - left, 0.0, 1.0))
    least = long * (0.9 if long >= 10.0 else 1.1)  # long samples may be stamped when they begin
    if r[best] < LEAST or best in {0, len(lags) - 1} or abs(lags[best]) < least:
        return None
    follows = float(np.clip(np.corrcoef(rest[best][1:], rest[best][:-1])[0, 1], 0.0, 0.95))
    count = len(part.end) * (1.0 - follows) / (1.0 + follows)
    worse = 0.5 * count * np.log(left / left[best])
    peaks = np.flatnonzero((r[1:-1] >= r[:-2]) & (r[1:-1] >= r[2:])) + 1
    others = [worse[p] for p in peaks if abs(lags[p] - lags[best]) > 2.0 * max(long, step)]
    if worse[none] < BETTER or any(each < APART for each in others):
        return None
    return float(lags[best]), float(r[none]), float(r[best])


def unexplained(
    rates: Sequence[Series], busy: Series, begins: Any, ends: Any, weight: Any = 1.0
) -> Any:
    """What a constant and rates over intervals leave of a utilization, by least squares."""
    table = np.column_stack([np.ones(len(ends)), *(averaged(s, begins, ends) for s in rates)])
    weighted = table * np.reshape(weight, (-1, 1))
    return busy.value - table @ np.linalg.lstsq(weighted, busy.value * weight, rcond=None)[0]
