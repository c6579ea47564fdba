"""Published numbers: one cell of a measured table as a prediction is held against it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Self

from calibration.printed_tables.card import base_unit, half_unit, printed_number
from calibration.printed_tables.table import Cell, MeasuredTable, load_table

#: What stands for a limit in the column ``relation`` of tables of claims.
_UPPER = ("<", "<=")
_LOWER = (">", ">=")


@dataclass(frozen=True, slots=True)
class Published:
    """A number as a paper prints it."""

    #: Its place.
    table: str
    row: str
    column: str
    #: The reference to it.
    source: str
    #: Unit of the numbers below, as printed or as converted.
    unit: str
    #: Equal for a plain number, the two ends of a printed range; an infinite end makes a limit,
    #: such as "under 21 %".
    low: float
    high: float
    #: Print rounding.
    half_unit: float

    @property
    def cell(self) -> str:
        """Name of the cell, as in ``groupwise52/table_1:1000:memory``."""
        return f"{self.table}:{self.row}:{self.column}"

    @property
    def is_limit(self) -> bool:
        """Whether only a limit is printed."""
        return not (isfinite(self.low) and isfinite(self.high))

    @property
    def value(self) -> float:
        """The number: the middle of a range, the finite end of a limit."""
        if self.is_limit:
            return self.low if isfinite(self.low) else self.high
        return (self.low + self.high) / 2.0

    def nearest(self, predicted: float) -> float:
        """The printed number that a prediction is nearest to: itself within a printed range."""
        return min(max(predicted, self.low), self.high)

    def converted(self, unit: str, change: Callable[[float], float]) -> Self:
        """The same number on another scale, such as a saving of 15 % as a ratio of 0.85.

        ``change`` is monotone, from the printed scale to the new one.
        """
        ends = sorted((change(self.low), change(self.high)))
        at = self.value
        half = abs(change(at + self.half_unit) - change(at - self.half_unit)) / 2.0
        return replace(self, unit=unit, low=ends[0], high=ends[1], half_unit=round(half, 12))


def published(
    table: str | MeasuredTable, row: str, column: str, unit: str | None = None
) -> Published:
    """Read one cell, with the relation and the upper end printed beside it if there are any.

    In the corrected view of the table, and the printed unit or another one. TableError if there is
    no such cell, ValueError if no number stands there.
    """
    found = load_table(table) if isinstance(table, str) else table
    cell = found.cell(row, column)
    if cell.value is None:
        raise ValueError(f"{found.name}: row {row!r}, column {column!r} holds no number")
    low = high = _number(cell)
    names = [each.name for each in found.columns]
    relation = found.cell(row, "relation").text if "relation" in names else ""
    if "to" in names and found.cell(row, "to").value is not None:
        high = _number(found.cell(row, "to"))
    printed = Published(
        table=found.name, row=row, column=column, source=found.cite(row, column), unit=cell.unit,
        low=-inf if relation in _UPPER else low, high=inf if relation in _LOWER else high,
        half_unit=half_unit(cell.text, cell.unit) or 0.0,
    )  # fmt: skip
    if unit is None or unit == cell.unit:
        return printed
    (_, up, down), (_, up_to, down_to) = (
        base_unit(each, found.source.kilo) for each in (cell.unit, unit)
    )
    factor = float(up * down_to / (down * up_to))
    return printed.converted(unit, lambda value: value * factor)


def _number(cell: Cell) -> float:
    return float(printed_number(cell.text, cell.unit) or 0)
