"""Unequal growth of mail files between arrays, against mail dealt at random; see THEORY.md."""

from dataclasses import dataclass
from functools import cache
from math import sqrt

from calibration.agreements.fitted_formula import FittedLaw, Law, Point, fit_law
from calibration.agreements.published import published
from calibration.agreements.system import Model
from calibration.printed_tables.table import load_table

_TABLE = "domino5_raid/file_growth"
_FITTED, _HELD_OUT = ("5x2_3000", "2x5_3000"), ("5x2_4000", "2x5_4000")

#: Mean and standard deviation of the range of m normal values.
_RANGE = {2: (1.128, 0.853), 5: (2.326, 0.864)}


@dataclass(frozen=True, slots=True)
class Dealt:
    """Users whose mail falls on so many arrays."""

    users: float
    arrays: int


def difference(dealt: Dealt, deliveries: float) -> float:
    """Growth of the fastest array over the slowest, for so many deliveries to each user. [%]"""
    share = _RANGE[dealt.arrays][0] * sqrt(dealt.arrays / (dealt.users * deliveries))
    return share / (1.0 - share / 2.0) * 100.0


LAW: Law[Dealt] = Law(
    "mail dealt at random", "deliveries fall on the arrays at random",
    lambda values, dealt: difference(dealt, values[0]),
    (("independent deliveries for each user", "1", 1.0),),
)  # fmt: skip


@cache
def calibrated() -> FittedLaw[Dealt]:
    """The law fitted to both organizations at 3,000 users."""
    return fit_law(LAW, [_point(row) for row in _FITTED])


def models() -> tuple[Model, ...]:
    """The law."""
    return (calibrated().model(),)


def _point(row: str) -> Point[Dealt]:
    table = load_table(_TABLE)
    arrays = int(row.partition("x")[0])
    mean, deviation = _RANGE[arrays]
    return Point(
        published(table, row, "difference"), Dealt(table.value(row, "users"), arrays),
        deviation / mean,
    )  # fmt: skip
