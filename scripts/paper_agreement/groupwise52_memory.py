"""What the models of groupwise52 say of published numbers: memory."""

from collections.abc import Iterator, Sequence
from functools import partial

from calibration.agreements.comparison import Comparison, Status, for_one_more
from calibration.agreements.ensemble import widest
from calibration.agreements.fitted_formula import FittedLaw, Point
from calibration.estimation.interval import Range
from calibration.systems.groupwise52.memory import (
    CONTRADICTORY,
    EXTRAPOLATED,
    FITTED,
    _point,
    calibrated,
    rule_of_thumb,
    threads,
)


def compare() -> Iterator[Comparison]:
    """Memory by number of users."""
    fitted = calibrated()
    for users in FITTED:
        point = _point(users)
        yield _comparison(users, "left out", [_rule_range(point)])
        yield _comparison(users, "fitted", [fitted.predict(point)], fitted)
    for users in (EXTRAPOLATED, CONTRADICTORY):
        point = _point(users)
        yield _comparison(users, "held out", [_rule_range(point), fitted.predict(point)], fitted)


def _comparison(
    users: str, status: Status, ranges: Sequence[Range], fitted: FittedLaw[int] | None = None
) -> Comparison:
    point = _point(users)
    beside = () if fitted is None else (("connection fitted", fitted.value(point.at)),)
    number = partial(
        Comparison,
        published=point.published,
        subject="memory",
        metric="memory at peak",
        case=f"{users} users",
        status=status,
        model="rule of thumb"
        if fitted is None
        else "connection fitted"
        if status == "fitted"
        else "rule of thumb and connection fitted",
        predicted=widest(ranges),
        fitted_on=() if fitted is None else fitted.cells,
        by_model=(("rule of thumb", _rule_range(point).mid), *beside),
        baselines=(("mean of 250 and 500 users", _mean()),),
    )
    if users == CONTRADICTORY:
        return number(
            extrapolated="fewer users than were fitted",
            known_failure="42 MB would need 14.5 threads where the tests ran 42; the row or the "
            "rule is wrong (E-G97-01)",
        )
    return number(extrapolated="twice the users fitted" if users == EXTRAPOLATED else "")


def _rule_range(point: Point[int]) -> Range:
    """What the rule of thumb says; its noise is that of one measurement."""
    need = rule_of_thumb().need({"thread": threads(), "connection": point.at}) / 1e6
    return for_one_more(Range(need, need, need), point.deviation(need))


def _mean() -> float:
    return sum(_point(users).published.value for users in FITTED) / len(FITTED)
