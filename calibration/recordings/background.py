"""Times at which processors are busier than the requests explain: a backup, a batch job.

Utilization is regressed on the throughputs of all classes by least absolute residuals, which a job
that runs less than half of the time does not move; a stretch of residuals above the rest is one.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from calibration.recordings.clocks import averaged, unexplained
from calibration.recordings.series import Series
from calibration.recordings.windows import changes

#: Utilization that a job adds at least [1], and fewest samples.
LEAST, FEWEST = 0.08, 40


def background_jobs(
    series: Sequence[Series], span: tuple[float, float]
) -> list[tuple[float, float, float]]:
    """Start, end and added utilization of processors of each stretch that no request explains."""
    named = {each.name: each for each in series}
    busy = named.get("utilization:cpu")
    rates = [each for each in series if each.quantity == "throughput" and each.of]
    rates = rates or [each for each in series if each.name == "throughput"]
    if busy is None or not rates:
        return []
    busy = busy.inside(*span)
    if len(busy.end) < FEWEST:
        return []
    begins = busy.end - busy.interval
    total = sum(averaged(each, begins, busy.end) for each in rates)
    weight = np.ones(len(busy.end))
    for _ in range(30):
        rest = unexplained(rates, busy, begins, busy.end, weight)
        weight = 1.0 / np.sqrt(np.maximum(np.abs(rest), 1e-3))
    high = np.zeros(len(rest), dtype=bool)
    for a, b in pairwise(changes(rest)):
        high[a:b] = rest[a:b].mean() > LEAST
    found = []
    edges = np.flatnonzero(np.diff(np.concatenate([[0], high.astype(int), [0]])))
    for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        # What is busier at a load that was seen at no other time may be the load's own.
        like = np.quantile(total[~high], (0.05, 0.95)) if not high.all() else (np.inf, np.inf)
        if like[0] <= total[a:b].mean() <= like[1]:
            found.append((float(begins[a]), float(busy.end[b - 1]), float(rest[a:b].mean())))
    return found


def without(
    periods: Sequence[tuple[float, float]], spans: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """What is left of periods outside of spans, in parts of a quarter of a period at least."""
    pieces = [(start, end, 0.25 * (end - start)) for start, end in periods]
    for a, b in spans:
        pieces = [
            piece
            for start, end, least in pieces
            for piece in ((start, min(end, a), least), (max(start, b), end, least))
            if piece[1] - piece[0] >= least
        ]
    return [piece[:2] for piece in pieces]
