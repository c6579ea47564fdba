"""Columns exchanged: the numbers of two stations, each right for the other one."""

from collections.abc import Sequence
from itertools import combinations
from math import log, sqrt

from calibration.audits.contradiction import Contradiction
from calibration.audits.group import Group
from calibration.audits.law import Law
from calibration.audits.observation import Number
from calibration.audits.reconciliation import Shift


def _has_two_stations(group: Group) -> bool:
    quantities = [series.quantity for series in group.series]
    return len(group.runs) > 1 and len(quantities) > len(set(quantities))


def merge(shifts: Sequence[Shift]) -> tuple[list[Contradiction], list[Shift]]:
    """Pairs of wrong numbers in one row, or column, that are right once exchanged; and the rest."""
    found, rest = [], list(shifts)
    for one, other in combinations(shifts, 2):
        if one in rest and other in rest and _exchanged(one, other):
            rest.remove(one)
            rest.remove(other)
            found.append(_of_rates(one, other))
    return found, rest


def _rates(shift: Shift) -> list[Number] | None:
    """The rates that a shift concerns, None if it concerns something else."""
    if shift.direction.systematic or shift.column >= len(shift.group.series):
        return None
    numbers = [shift.group.number(run, s) for run, s, _ in shift.direction.entries]
    return [number for number in numbers if number is not None]


def _exchanged(one: Shift, other: Shift) -> bool:
    series = one.group.series
    mine, yours = _rates(one), _rates(other)
    if not mine or not yours or one.runs != other.runs:
        return False
    if series[one.column].quantity != series[other.column].quantity:
        return False
    slack = 3.0 * sqrt(one.deviation**2 + other.deviation**2)
    fits = [
        abs(log(b.value) + one.value - log(a.value)) < slack
        and abs(log(a.value) + other.value - log(b.value)) < slack
        for a, b in zip(mine, yours, strict=True)
    ]
    return len(mine) == len(yours) and all(fits)


def _of_rates(one: Shift, other: Shift) -> Contradiction:
    series, run = one.group.series, one.run
    first, second = _rates(one), _rates(other)
    assert first
    assert second
    return LAW.contradiction(
        (one.group.runs[each].name for each in one.runs), max(one.size, other.size),
        (number.place for number in (*first, *second)), "columns", first=series[one.column].title,
        is_first=first[0].show(), implied_first=first[0].show(one.expected[run, one.column]),
        second=series[other.column].title, is_second=second[0].show(),
        implied_second=second[0].show(other.expected[run, other.column]),
    )  # fmt: skip


LAW = Law.of(__file__, applies=lambda evidence: any(map(_has_two_stations, evidence.groups)))
