"""Columns or captions exchanged: the numbers of two stations, each right for the other one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import log, sqrt
from statistics import median

from calibration.audits.contradiction import Contradiction, Place, Silence, Suspicion
from calibration.audits.group import Group
from calibration.audits.law import Evidence, Law
from calibration.audits.observation import Number, Observation, Series
from calibration.audits.reconciliation import Shift

#: How well one measurement of a task foretells another, of another statistic and configuration:
#: to a factor of two, as a standard deviation of logarithms. [1]
FORETELLS = log(2.0)

#: Tasks that two tables must share before they can be two halves of one.
LEAST_TASKS = 3

_Key = tuple[str, float]
_Half = dict[_Key, Observation]


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Pairs of tables that hold one station each, against runs of the same tasks elsewhere."""
    for pair, shared in _pairs(evidence):
        series = [next(iter(half.values())).rates[0][0] for half in pair]
        elsewhere = [run for run in evidence.runs if run.place.table not in _tables(pair)]
        told = {key: _told(elsewhere, key, series) for key in shared}
        known = [key for key in shared if told[key]]
        if not known:
            reason = f"no other run of their tasks gives {' or '.join(s.title for s in series)}"
            yield Silence(LAW.name, " and ".join(_tables(pair)), reason)
            continue
        yield Suspicion(_contradiction(pair, {key: told[key] for key in known}))


def _pairs(evidence: Evidence) -> Iterator[tuple[tuple[_Half, _Half], list[_Key]]]:
    """Tables of one quantity at two stations, and the tasks that both list."""
    halves: dict[tuple[str, Series], _Half] = {}
    for run in evidence.runs:
        if len(run.rates) == 1 and run.population is not None:
            half = halves.setdefault((run.place.table, run.rates[0][0]), {})
            half[run.task, run.population.value] = run
    for (one, first), (other, second) in combinations(halves, 2):
        if first.quantity == second.quantity and first.station != second.station and one != other:
            pair = (halves[one, first], halves[other, second])
            shared = [key for key in pair[0] if key in pair[1]]
            if len(shared) >= LEAST_TASKS:
                yield pair, shared


def _has_two_stations(group: Group) -> bool:
    quantities = [series.quantity for series in group.series]
    return len(group.runs) > 1 and len(quantities) > len(set(quantities))


def _told(runs: Sequence[Observation], key: _Key, series: Sequence[Series]) -> dict[int, float]:
    """What other runs of a task, with as many users, give for each of two series (0 and 1)."""
    found = {}
    for index, each in enumerate(series):
        numbers = [
            number.value
            for run in runs
            if run.population is not None and (run.task, run.population.value) == key
            if (number := run.rate(each)) is not None and number.value > 0.0
        ]
        if numbers:
            found[index] = median(numbers)
    return found


def _contradiction(pair: tuple[_Half, _Half], told: dict[_Key, dict[int, float]]) -> Contradiction:
    """How much better the numbers agree with those elsewhere once exchanged; below 0: worse."""
    gain, terms = 0.0, 0
    for key, values in told.items():
        numbers = [half[key].rates[0][1].value for half in pair]
        for index, value in values.items():
            if min(numbers) > 0.0:
                gain += abs(log(value / numbers[index])) - abs(log(value / numbers[1 - index]))
                terms += 1
    key = next(iter(told))
    shown = [half[key].rates[0] for half in pair]
    agreed = " and ".join(
        f"{shown[index][0].station} {shown[index][1].show(value)}"
        for index, value in told[key].items()
    )
    here = " and ".join(f"{series.station} {number.show()}" for series, number in shown)
    found = LAW.contradiction(
        (half[key].name for half in pair for key in told),
        gain / (FORETELLS * sqrt(max(terms, 1))),
        (
            Place(table, None, next(iter(half.values())).rates[0][1].place.column)
            for table, half in zip(_tables(pair), pair, strict=True)
        ),
        "captions",
        task=key[0].partition(" ")[2],
        here=here,
        agreed=agreed,
    )
    return replace(found, resolves=f"{found.resolves} {' and '.join(_tables(pair))}")


def _tables(pair: tuple[_Half, _Half]) -> list[str]:
    return [next(iter(half.values())).place.table for half in pair]


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
        (one.group.runs[each].name for each in one.runs),
        max(one.size, other.size),
        (number.place for number in (*first, *second)),
        "columns",
        first=series[one.column].title,
        is_first=first[0].show(),
        implied_first=first[0].show(one.expected[run, one.column]),
        second=series[other.column].title,
        is_second=second[0].show(),
        implied_second=second[0].show(other.expected[run, other.column]),
    )


LAW = Law.of(
    __file__,
    suspects=suspects,
    applies=lambda evidence: (
        any(_has_two_stations(group) for group in evidence.groups)
        or any(True for _ in _pairs(evidence))
    ),
)
