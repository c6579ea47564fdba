"""Whether users wait for answers before they ask again (closed), or requests come anyway (open).

With users U and throughput X the think time is U / X - R. If it is the same at every load, users
think that long: closed. Without users it is told from the samples of a period: in an open system
throughput does not fall when response time R rises; in a closed one d ln X / d ln R = -R / (R + Z).
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from calibration.recordings.series import Series
from calibration.recordings.steadiness import standard_error

#: Think times that differ by less than this part of a cycle are one; a load changes by this factor.
SAME, CHANGED = 0.1, 1.5
#: Throughput that falls by less than this for each part of response time ignores it. [1]
IGNORES = 0.1
#: An answer is late beyond so many medians; requests that were not sent are said beyond this part.
LATE, OMITTED = 4.0, 0.01


def kind_of_load(series: Sequence[Series], periods: Sequence[tuple[float, float]]) -> str:
    """Open or closed, in one line, with what says so; empty if nothing does."""
    named = {each.name: each for each in series}
    asked, took = named.get("throughput"), named.get("response_time")
    if asked is None or took is None:
        return ""
    if "think_time" in named and not named["think_time"].value.any():
        return "closed: clients ask again as soon as they are answered"
    users = named.get("population")
    if users is not None:
        rows = [
            [*(each.mean(*period) for each in (users, asked, took)), standard_error(asked, period)]
            for period in periods
        ]
        kept = [[*row[:3], row[3] or 0.0] for row in rows if all(row[:3])]
        u, x, r, unsure = np.array(kept, dtype=float).reshape(-1, 4).T
        think = u / x - r
        if len(u) > 1 and u.max() > CHANGED * u.min():
            middle = float(np.median(think))
            room = np.maximum(SAME * np.median(u / x), 3.0 * unsure * u / x**2)
            if (np.abs(think - middle) < room).all() and middle > -room.max():
                return f"closed: users think for {max(middle, 0.0):.3g} s at every load"
            span = f"{think.min():.3g} s to {think.max():.3g} s"
            return f"open or closed is not clear: think times would be from {span}"
        return ""
    slope, error = _slope(asked, took, periods)
    if slope - 2.0 * error > -IGNORES and 2.0 * error < IGNORES:
        return "open, as far as these periods show: arrivals do not depend on the response time"
    if slope + 2.0 * error < -IGNORES:
        return "closed: throughput falls when response time rises, so requests follow answers"
    return ""


def _slope(
    asked: Series, took: Series, periods: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """How throughput goes with response time inside of periods, in logarithms, and its error."""
    pairs = []
    for period in periods:
        x, r = asked.inside(*period), took.inside(*period)
        _, at, of = np.intersect1d(x.end, r.end, return_indices=True)
        real = (x.value[at] > 0.0) & (r.value[of] > 0.0)
        if real.sum() > 2:
            logs = np.log([x.value[at][real], r.value[of][real]])
            pairs.append(logs - logs.mean(axis=1, keepdims=True))
    if sum(each.shape[1] for each in pairs) < 20:
        return 0.0, np.inf
    x, r = np.concatenate(pairs, axis=1)
    square = float((r**2).sum())
    if square <= 0.0:
        return 0.0, np.inf
    slope = float((x * r).sum()) / square
    return slope, sqrt(float(((x - slope * r) ** 2).sum()) / (len(x) - 2) / square)


def omitted(series: Sequence[Series], periods: Sequence[tuple[float, float]]) -> float:
    """Part of the requests that users held back while they waited for late answers. [1]

    A load generator whose users wait sends nothing during a stall, which so counts as a few late
    answers and not as many (coordinated omission; G. Tene, "How NOT to measure latency").
    """
    named = {each.name: each for each in series}
    if not {"population", "throughput", "response_time"} <= named.keys():
        return 0.0
    lost = sent = 0.0
    for period in periods:
        x, r = (named[name].inside(*period) for name in ("throughput", "response_time"))
        if not len(r.end):
            continue
        held = np.zeros(len(x.end), dtype=bool)
        for end, took in zip(r.end, r.value, strict=True):
            if took > max(LATE * float(np.median(r.value)), 1.0):
                held |= (x.end > end - took) & (x.end <= end)
        usual = float(np.median(x.value))
        lost += float(np.clip(usual - x.value[held], 0.0, None) @ x.interval[held])
        sent += float(x.value @ x.interval)
    return lost / (lost + sent) if lost > OMITTED * sent else 0.0
