"""Response time by users: where targets hold, where the server stands, and the limit."""

from collections.abc import Sequence
from math import isfinite, nan

from advisor.findings.review import Review
from advisor.findings.targets import most_missed
from advisor.findings.verdict import Verdict
from advisor.findings.words import percent, seconds, seconds_range
from advisor.predicting.load_curve import middles
from calibration.estimation.interval import Range
from qmodel.pictures.chart import Chart, Line, Mark, printable

#: Points of the curve; between whole numbers of users it is drawn smoothly.
POINTS = 64
#: It goes at least to so many users.
LEAST = 10
#: The curve goes no farther than this many times the present load.
FAR = 8.0
#: Parts of the present rate of arrivals, as `advisor.predicting.highest_load.at_load` has them.
_PARTS = 1000


def response_curve(review: Review) -> Chart:
    """The chart, of the class whose response time decides.

    Every point is the middle of the calibrations; the interval stands where the server is.
    """
    verdict = review.verdict
    name, found = _shown(review)
    at, heights = _points(review, name, _end(review))
    targets = review.configuration.settings.targets
    limit = targets.response_time if targets else None
    most = verdict.most.mid if verdict.most else None
    marks = [(verdict.load, f"you are here: {verdict.loaded(verdict.load)}")]
    if most is not None and 0.0 < most <= at[-1]:
        marks.append((most, f"limit: {verdict.loaded(most)}"))
    after = review.plan.steps and (review.plan.fit or _most(review.verdict_after))
    if after and after <= at[-1]:
        marks.append((after, f"limit after the steps: {verdict.loaded(after)}"))
    top = _top(heights, found, limit)
    unit, scale = ("s", 1.0) if top >= 1.0 else ("ms", 1e3)
    said = [f"{seconds(h)} at {verdict.loaded(x)}" for x, h in [*zip(at, heights, strict=True)]]
    what = "users" if verdict.counted else "requests/s"
    holds = "targets hold" if verdict.promised else f"below {percent(verdict.limit)} busy"
    return Chart(
        printable(
            f"Response time of {name} by {what}: {said[0]}, {said[len(said) // 2]}, {said[-1]}. "
            f"With {review.load} {seconds_range(found)}; {', '.join(n for _, n in marks)}."
            + (f" The target is {seconds(limit)}." if limit else "")
        ),
        what,
        f"response time [{unit}]",
        [Line(name, [(x, h * scale) for x, h in zip(at, heights, strict=True)])],
        [
            Mark(x, text, found.mid * scale, (found.low * scale, found.high * scale))
            if i == 0 and isfinite(found.high)
            else Mark(x, text)
            for i, (x, text) in enumerate(marks)
            if x <= at[-1]  # an overload is beyond the curve
        ],
        (limit * scale, f"target {seconds(limit)}") if limit else None,
        (0.0, most, holds) if most else None,
        top * scale,
    )


def _shown(review: Review) -> tuple[str, Range]:
    """The class whose response time limits the load or misses its target, else the first one."""
    users = [c for c in review.outlook.classes if not c.batch]
    limiting = review.verdict.limited_by.removeprefix("response time of ")
    wanted = most_missed(review.configuration, review.outlook) or limiting
    shown = next((c for c in users if c.name == wanted), users[0])
    return shown.name, shown.response_time


def _end(review: Review) -> float:
    """Where the curve ends: beyond the present load and what would fit."""
    now = review.verdict.load
    ends = [
        1.5 * now, 1.6 * (_most(review.verdict) or 0.0), 1.2 * (_most(review.verdict_after) or 0),
    ]  # fmt: skip
    return min(max(ends), FAR * now)


def _most(verdict: Verdict | None) -> float | None:
    return verdict.most.mid if verdict and verdict.most else None


def _points(review: Review, name: str, end: float) -> tuple[list[float], list[float]]:
    """Loads and response times, up to where there is a steady state. [customers] or [1/s], [s]"""
    from scipy.interpolate import PchipInterpolator

    unit = 1.0 if review.verdict.counted else review.verdict.load / _PARTS
    last = max(LEAST, round(end / unit))
    wanted = [1 + (last - 1) * i / (POINTS - 1) for i in range(POINTS)]
    loads = sorted({round(each) for each in wanted})
    times = [found.time_of(name) for found in middles(review.configuration, loads)]
    known = [(n, time.mid) for n, time in zip(loads, times, strict=False) if time is not None]
    if len(known) < 2:
        return [review.verdict.load], [_shown(review)[1].mid]
    smooth = PchipInterpolator([n for n, _ in known], [time for _, time in known])
    first, last = known[0][0], known[-1][0]
    at = [first + (last - first) * i / (POINTS - 1) for i in range(POINTS)]
    # Where the pass was an approximate one, it goes through the solution of the present load.
    here = float(smooth(min(max(review.verdict.load / unit, first), last)))
    ratio = _shown(review)[1].mid / here if here else 1.0
    ratio = ratio if isfinite(ratio) else 1.0
    return [x * unit for x in at], [float(y) * ratio for y in smooth(at)]


def _top(heights: Sequence[float], found: Range, limit: float | None) -> float:
    """As high as is worth seeing: far beyond saturation nothing is."""
    if not isfinite(found.high):
        return max(1.05 * max(heights), 1.35 * (limit or 0.0)) or nan
    highest = max(*heights, found.high)
    wanted = max(3.0 * limit, 1.3 * found.high) if limit else 5.0 * found.high
    return max(min(1.05 * highest, wanted), 1.35 * (limit or 0.0), 1.2 * found.high) or nan
