"""Units off by 8, 1000 or 60, and units that do not measure the quantity at all."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from math import inf, log

from calibration.audits.contradiction import Contradiction, Place, Silence, Suspicion
from calibration.audits.group import Group
from calibration.audits.law import Evidence, Law
from calibration.audits.laws.utilization_law import explain
from calibration.audits.measurements import little_column, throughput_column
from calibration.audits.reconciliation import Direction, Shift
from calibration.printed_tables.card import base_unit
from calibration.printed_tables.table import MeasuredTable

#: Other slack of a factor than noise: 1000 may stand for 1024. [1]
_SLACK = 0.03
#: Of percentages the highest, from which on they are taken for fractions if none is above 1: a
#: convention, as a load test that keeps every station idle tells nothing. [%]
_FRACTIONS = 0.2


def directions(group: Group) -> Iterator[Direction]:
    """All numbers of a column, for each table that is one of several of its task."""
    for table in group.tables if len(group.tables) > 1 else ():
        for s in range(len(group.series)):
            runs = [
                run
                for run, observation in enumerate(group.runs)
                if observation.place.table == table and group.number(run, s) is not None
            ]
            if len(runs) > 1:
                entries = tuple((run, s, 1.0) for run in runs)
                busy = group.series[s].quantity == "utilization"
                law = "utilization law" if busy else "forced flow"
                yield Direction(law, entries, partial(explain, law))


def as_slip(shift: Shift, found: Contradiction) -> Contradiction:
    """The contradiction as one of units, if a slip of units explains its size."""
    if shift.direction.systematic:
        return found
    kind, sizes = "rate", [(shift.value, shift.deviation)]
    if shift.column in {little_column(shift.group), throughput_column(shift.group)}:
        kind = "time"
    if shift.column == little_column(shift.group):  # of the throughput, or the response time alone
        sizes.append(_of_response_time(shift))
    for (value, deviation), (factor, slip) in product(sizes, LAW.found["slips"][kind]):
        if abs(abs(value) - log(factor)) < 3.0 * deviation + _SLACK:
            off = "too large" if value > 0.0 else "too small"
            return replace(
                found,
                law=LAW.name,
                message=f"{found.message}; about {factor:.0f} times {off}: {slip}?",
                resolves="check the unit: the number agrees in another one",
            )
    return found


def _of_response_time(shift: Shift) -> tuple[float, float]:
    """The shift as one of the response time alone, N and Z being right; (0, 0) if it cannot be."""
    run = shift.group.runs[shift.run]
    if run.population is None or run.response_time is None:
        return 0.0, 0.0
    cycle = run.population.value / shift.expected[shift.run, shift.column]
    think = run.think_time.value if run.think_time is not None else shift.group.think_time or 0.0
    implied = cycle - (0.0 if run.whole_cycle else think)
    if implied <= 0.0:
        return 0.0, 0.0
    return log(run.response_time.value / implied), shift.deviation * cycle / implied


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Numbers printed in a unit that does not measure their quantity; fractions in percent."""
    runs = () if evidence.tables else evidence.runs
    busy = [(n, s.station) for r in runs for s, n in r.rates if s.quantity == "utilization"]
    most, station = max(busy, key=lambda each: each[0].value, default=(None, ""))
    if most and _FRACTIONS < 100.0 * most.value <= 1.0 and {n.scale for n, _ in busy} == {0.01}:
        rows = dict.fromkeys(number.place.row or "" for number, _ in busy)
        words = {"most": most.show(), "station": station}
        yield Suspicion(LAW.contradiction(rows, inf, [most.place], "fractions", **words), True)
    for table in evidence.tables:
        for row, column, quantity, unit in _measures(table):
            allowed = LAW.found["measures"].get(quantity)
            if allowed is not None and base_unit(unit)[0] not in allowed:
                wanted = " or ".join("%" if each == "1" else each for each in sorted(allowed))
                found = LAW.contradiction(
                    [f"{table.name}: {row or column}"], inf, [Place(table.name, row, column)],
                    quantity=quantity, unit=unit, wanted=wanted,
                )  # fmt: skip
                yield Suspicion(found, exact=True)


def _measures(table: MeasuredTable) -> Iterator[tuple[str | None, str | None, str, str]]:
    """Rows or columns that have a unit, with what they measure."""
    for column in table.columns:
        if column.unit and column.unit != "by row":
            yield None, column.name, column.quantity, column.unit
    for row, measure in zip(table.rows, table.row_measures, strict=False):
        if measure.unit:
            yield row, None, measure.quantity, measure.unit


LAW = Law.of(
    __file__, directions=directions, suspects=suspects,
    applies=lambda found: any(len(g.runs) > 1 for g in found.groups) or bool(found.tables),
)  # fmt: skip
