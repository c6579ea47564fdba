"""Percentages, recomputed from the numbers beside them at printed precision."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt

from calibration.audits.contradiction import Contradiction, Place, Silence, Suspicion
from calibration.audits.law import Evidence, Law
from calibration.printed_tables.table import Cell, Column, MeasuredTable

#: Share of cells that a formula must reproduce before the others are held against it. [1]
MAJORITY = 2.0 / 3.0

#: A percentage said of one more of something is the step from the row before.
_STEP = re.compile(r"\b(?:per additional|each additional|for one \w+ more)\b", re.IGNORECASE)

#: Slack for decimal fractions in binary. [1]
_EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class _Recomputed:
    """A printed cell, what it should be, and how far that may go through print rounding."""

    row: str
    column: str
    cell: Cell
    printed: float
    half_unit: float
    value: float
    low: float
    high: float

    @property
    def agrees(self) -> bool:
        """Whether it rounds to what is printed."""
        return abs(self.value - self.printed) <= self.half_unit + _EPSILON


def _recomputed(
    row: str, column: Column, cell: Cell, value: float, low: float, high: float
) -> Iterator[_Recomputed]:
    """Nothing where the cell is no number."""
    if cell.value is not None and cell.half_unit is not None:
        yield _Recomputed(row, column.name, cell, cell.value, cell.half_unit, value, low, high)


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Columns of changes and of steps."""
    for table in evidence.tables:
        yield from _changes(table)
        yield from _steps(table)


def _changes(table: MeasuredTable) -> Iterator[Suspicion | Silence]:
    """A column of changes beside two columns of numbers: the second over the first, less one."""
    sides = [column for column in table.columns[1:] if column.unit == "by row"]
    changes = [column for column in table.columns if column.quantity == "change"]
    if len(sides) != 2 or len(changes) != 1 or table.kind != "measured":
        return
    found: list[_Recomputed] = []
    for row in table.rows:
        old, new, cell = (table.cell(row, each.name) for each in (*sides, *changes))
        if not old.value or old.half_unit is None or new.value is None or new.half_unit is None:
            continue
        ratio = new.value / old.value
        low = (new.value - new.half_unit) / (old.value + old.half_unit)
        high = (new.value + new.half_unit) / (old.value - old.half_unit)
        found += _recomputed(row, changes[0], cell, ratio - 1.0, low - 1.0, high - 1.0)
    yield from _judge(table, found, "the change from the first number to the second")


def _steps(table: MeasuredTable) -> Iterator[Suspicion | Silence]:
    """A percentage per additional something is the step from the row before, not a mean."""
    for column in table.columns:
        if column.quantity != "change" or not _STEP.search(f"{column.heading} {column.meaning}"):
            continue
        counts = [each for each in table.columns if each.quantity == "count"]
        amounts = [each for each in table.columns if each.quantity in {"users", "population"}]
        if not counts or not amounts:
            yield Silence(
                LAW.name, f"{table.name}: {column.name}", "the number it is a step of is missing"
            )
            continue
        steps = _since(table, column, counts[0], amounts[0], lambda index: index - 1)
        means = _since(table, column, counts[0], amounts[0], lambda _: 0)
        if wrong := [step for step in steps if not step.agrees]:
            yield Suspicion(
                _not_a_step(table, wrong, is_mean=all(mean.agrees for mean in means)), exact=True
            )


def _since(
    table: MeasuredTable, column: Column, count: Column, amount: Column, base: Callable[[int], int]
) -> list[_Recomputed]:
    """The increase per count since another row, for each row that has a percentage."""
    found: list[_Recomputed] = []
    for index, row in enumerate(table.rows[1:], 1):
        numbers = [
            table.cell(table.rows[at], each.name).value
            for at in (base(index), index)
            for each in (count, amount)
        ]
        before, less, after, more = (float(number or 0.0) for number in numbers)
        increase = (more / less - 1.0) / (after - before)
        cell = table.cell(row, column.name)
        found += _recomputed(row, column, cell, increase, increase, increase)
    return found


def _not_a_step(table: MeasuredTable, wrong: list[_Recomputed], *, is_mean: bool) -> Contradiction:
    said = ", ".join(each.cell.text for each in wrong)
    steps = ", ".join(f"{each.value * 100.0:.1f}" for each in wrong)
    instead = "; the cells are the mean increase since the first row" if is_mean else ""
    return LAW.contradiction(
        (f"{table.name}: {each.row}" for each in wrong), max(_size(each) for each in wrong),
        (Place(table.name, each.row, each.column) for each in wrong), "steps", steps=steps,
        said=said, instead=instead,
    )  # fmt: skip


def _judge(
    table: MeasuredTable, found: list[_Recomputed], formula: str
) -> Iterator[Suspicion | Silence]:
    wrong = [each for each in found if not each.agrees]
    if len(found) - len(wrong) < MAJORITY * len(found):
        yield Silence(LAW.name, table.name, f"most cells are not {formula}")
        return
    for each in wrong:
        scale, unit = (100.0, " %") if each.cell.unit == "%" else (1.0, "")
        contradiction = LAW.contradiction(
            [f"{table.name}: {each.row}"], _size(each), [Place(table.name, each.row, each.column)],
            "changes", printed=each.cell.text, value=f"{each.value * scale:.2f}{unit}",
            formula=formula, rounding=_before_rounding(each, scale),
        )  # fmt: skip
        yield Suspicion(contradiction, exact=True)


def _before_rounding(each: _Recomputed, scale: float) -> str:
    """Whether numbers that were rounded only for print could have given the cell."""
    if each.high <= each.low:
        return ""
    reach = f"{each.low * scale:.1f} to {each.high * scale:.1f}"
    could = each.low <= each.printed + each.half_unit
    could &= each.high >= each.printed - each.half_unit
    if could:
        return f"; it can be right only if computed before rounding, {reach}"
    return f"; before rounding it was {reach}"


def _size(each: _Recomputed) -> float:
    """Distance in standard deviations of uniform roundings."""
    error = sqrt(each.half_unit**2 + ((each.high - each.low) / 2.0) ** 2) / sqrt(3.0)
    return abs(each.value - each.printed) / error


LAW = Law.of(
    __file__,
    suspects=suspects,
    applies=lambda evidence: any(
        column.quantity == "change" for table in evidence.tables for column in table.columns
    ),
)
