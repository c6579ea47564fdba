"""Totals and their parts, added up again at printed precision."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from calibration.audits.contradiction import Contradiction, Place, Silence, Suspicion
from calibration.audits.law import Evidence, Law
from calibration.printed_tables.table import Cell, MeasuredTable

#: Occurrences of a sum that must hold before the rest are held against it, and their share.
LEAST, MAJORITY = 4, 2.0 / 3.0

#: Shares that come this close to all of them are meant to be all. [1]
_NEARLY_ALL = 0.05

_EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class _Sum:
    """A total and its parts in one column of one table."""

    table: str
    row: str
    column: str
    total: Cell
    parts: tuple[Cell, ...]

    @property
    def excess(self) -> float:
        """The parts together, less the total."""
        return sum(part.value or 0.0 for part in self.parts) - (self.total.value or 0.0)

    @property
    def slack(self) -> float:
        """How far print rounding alone can bring them apart."""
        return sum(cell.half_unit or 0.0 for cell in (self.total, *self.parts))


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Rows that are a total of others in most columns; shares that should be all."""
    sums: dict[tuple[str, tuple[str, ...]], list[_Sum]] = {}
    for table in evidence.tables:
        for total, parts, one in _sums(table):
            sums.setdefault((total, parts), []).append(one)
        yield from _shares(table)
    for (total, parts), found in sums.items():
        wrong = [each for each in found if abs(each.excess) > each.slack * (1.0 + _EPSILON)]
        right = len(found) - len(wrong)
        if right < LEAST or right < MAJORITY * len(found):
            continue
        for each in wrong:
            yield Suspicion(_contradiction(each, total, parts), exact=True)


def _sums(table: MeasuredTable) -> Iterator[tuple[str, tuple[str, ...], _Sum]]:
    """Every row against the other ones of its quantity, station and unit."""
    kinds: dict[tuple[str, str, str], list[str]] = {}
    for row, measure in zip(table.rows, table.row_measures, strict=False):
        if table.kind == "measured" and measure.station and measure.unit:
            kinds.setdefault((measure.quantity, measure.station, measure.unit), []).append(row)
    for rows in kinds.values():
        if len(rows) < 3:
            continue
        for total in rows:
            parts = tuple(row for row in rows if row != total)
            for column in table.columns[1:]:
                if column.unit != "by row":
                    continue
                cells = [table.cell(row, column.name) for row in (total, *parts)]
                if all(cell.value is not None for cell in cells):
                    found = _Sum(table.name, total, column.name, cells[0], tuple(cells[1:]))
                    yield total, parts, found


def _contradiction(each: _Sum, total: str, parts: tuple[str, ...]) -> Contradiction:
    cells = (each.total, *each.parts)
    error = sqrt(sum((cell.half_unit or 0.0) ** 2 for cell in cells) / 3.0)
    added = " + ".join(part.text for part in each.parts)
    return LAW.contradiction(
        [f"{each.table}: {each.row}"],
        abs(each.excess) / error,
        (Place(each.table, row, each.column) for row in (total, *parts)),
        "totals",
        total=each.total,
        added=added,
    )


def _shares(table: MeasuredTable) -> Iterator[Suspicion]:
    """A column of shares that comes close to all, and misses it by more than rounding."""
    for column in table.columns:
        if column.quantity != "share" or len(table.rows) < 3:
            continue
        cells = [table.cell(row, column.name) for row in table.rows]
        total = sum(cell.value or 0.0 for cell in cells)
        slack = sum(cell.half_unit or 0.0 for cell in cells)
        if slack + _EPSILON < abs(total - 1.0) < _NEARLY_ALL:
            error = sqrt(sum((cell.half_unit or 0.0) ** 2 for cell in cells) / 3.0)
            rows, place = (
                (f"{table.name}: {row}" for row in table.rows),
                Place(table.name, None, column.name),
            )
            found = LAW.contradiction(
                rows,
                abs(total - 1.0) / error,
                [place],
                "shares",
                column=column.name,
                total=total * 100.0,
            )
            yield Suspicion(found, exact=True)


LAW = Law.of(
    __file__,
    suspects=suspects,
    applies=lambda evidence: any(
        any(True for _ in _sums(table)) or any(c.quantity == "share" for c in table.columns)
        for table in evidence.tables
    ),
)
