"""Percentiles of the requests of a period: of their single times, or of a histogram's buckets."""

from math import log
from typing import Any

import numpy as np

from calibration.recordings.header import PERCENTILES

#: Percentiles that service levels are of, as columns are called, and their shares. [1]
SHARES = {name: PERCENTILES[name] for name in ("p95", "p99")}
#: Requests that must lie beyond a percentile; upper bound of a bucket over its lower one, at most:
#: what lies between the bounds is not known better. [1]
BEYOND, WIDE = 10, 3.0


def percentile(times: Any, weight: Any, share: float) -> float | None:
    """A percentile of times with the requests behind each of them; None if it cannot be told.

    Times of one request each are the requests' own, others upper bounds of buckets. Within a bucket
    the share of longer ones falls exponentially, as tails of response times do: spread evenly, as
    Prometheus has it, a p95 of exponential times in a bucket of 0.1 to 0.25 s was 30 % too long.
    """
    total = float(weight.sum())
    if total * (1.0 - share) < BEYOND - 1e-9:
        return None
    if (weight == 1.0).all():
        return float(np.quantile(times, share))
    bounds, place = np.unique(times, return_inverse=True)
    reached = np.cumsum(np.bincount(place, weight)) / total
    k = int(np.searchsorted(reached, share))
    if not k or not bounds[k] <= WIDE * bounds[k - 1]:
        return None  # as below the first bound and above the last
    longer, last = 1.0 - reached[k - 1], max(1.0 - reached[k], 0.5 / total)
    part = log(longer / (1.0 - share)) / log(longer / last)
    return float(bounds[k - 1] + part * (bounds[k] - bounds[k - 1]))
