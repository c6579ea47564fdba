"""Ten drives as one array, two or five: response times by users (Study Two); see THEORY.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf, sqrt

from calibration.agreements.fitted_formula import FittedLaw, Law, Point, fit_law
from calibration.agreements.published import published
from calibration.agreements.system import Model
from calibration.printed_tables.run import REPLICATE_DIFFERENCE
from calibration.printed_tables.table import load_table

DRIVES = 10

#: Relative standard deviation of a ratio of two response times. [1]
NOISE = REPLICATE_DIFFERENCE["response_time"] * sqrt(2.0)

_TABLE = "domino5_raid/table_2"
_COLUMNS = {"two_arrays": 2, "five_arrays": 5}
_FITTED, _HELD_OUT = ("2,000", "3,000"), "4,000"
_CAPACITY = ("users that one array of ten drives carries", "users", 5000.0)


@dataclass(frozen=True, slots=True)
class Split:
    """Users on ten drives in so many arrays."""

    users: float
    arrays: int

    @property
    def drives(self) -> float:
        """Drives of one array."""
        return DRIVES / self.arrays


def busy(split: Split, capacity: float) -> float:
    """How much of its time each array is busy, for one array of ten drives that carries so many."""
    return split.users / (capacity * sqrt(split.arrays))


def response(split: Split, capacity: float, growth: Callable[[float], float]) -> float:
    """Response time in units of an idle drive's; infinite where an array is overrun. [1]"""
    free = 1.0 - busy(split, capacity)
    return growth(split.drives) / free if free > 0.0 else inf


def slowest(count: float) -> float:
    """The mean of the slowest of ``count`` equal exponential times, for any count."""
    from scipy.special import digamma

    return float(digamma(count + 1.0) - digamma(1.0))


def _ratio(split: Split, capacity: float, growth: Callable[[float], float]) -> float:
    one = replace(split, arrays=1)
    above, below = response(split, capacity, growth), response(one, capacity, growth)
    return above / below if below < inf else 0.0


WORK: Law[Split] = Law(
    "more drives, more work",
    "an array carries the square root of its drives; no operation waits for another",
    lambda values, split: _ratio(split, values[0], lambda _: 1.0), (_CAPACITY,),
)  # fmt: skip
WAIT: Law[Split] = Law(
    "slowest of root k drives",
    "an array carries the square root of its drives, since every operation waits for that many",
    lambda values, split: _ratio(split, values[0], lambda drives: slowest(sqrt(drives))),
    (_CAPACITY,),
)
FREE: Law[Split] = Law(
    "free power of the drives",
    "an operation takes longer by a power of the drives, which is fitted",
    lambda values, split: _ratio(
        split, values[0], lambda drives: float(drives ** (values[1] - 1.0))
    ),
    (_CAPACITY, ("1 + power", "1", 1.1)),
)

ENDS = (WORK, WAIT)


@cache
def calibrated(law: Law[Split]) -> FittedLaw[Split]:
    """A law fitted to 2,000 and 3,000 users."""
    return fit_law(law, points())


def models() -> tuple[Model, ...]:
    """The two ends and what lies between."""
    return tuple(calibrated(law).model() for law in (*ENDS, FREE))


def points(rows: Sequence[str] = _FITTED) -> tuple[Point[Split], ...]:
    """Response times relative to one array."""
    table = load_table(_TABLE)
    return tuple(
        Point(
            published(table, row, column).converted("1", lambda percent: 1.0 - percent / 100.0),
            Split(table.value(row, "users"), arrays), NOISE,
        )
        for row in rows
        for column, arrays in _COLUMNS.items()
    )  # fmt: skip
