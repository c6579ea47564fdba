"""Units off by 8, 1000 or 60, and units that do not measure the quantity at all."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import inf, log
from statistics import median

from calibration.audits.contradiction import Contradiction, Place, Silence, Suspicion
from calibration.audits.group import Group
from calibration.audits.law import Evidence, Law
from calibration.audits.laws.utilization_law import explain
from calibration.audits.measurements import little_column
from calibration.audits.observation import Number, Observation
from calibration.audits.reconciliation import Direction, Shift
from calibration.printed_tables.card import base_unit
from calibration.printed_tables.table import MeasuredTable

#: Other slack of a factor than noise: 1000 may stand for 1024. [1]
_SLACK = 0.03
#: Of percentages the highest, from which on they are taken for fractions if none is above 1: a
#: convention, as a load test that keeps every station idle tells nothing. [%]
_FRACTIONS = 0.2
#: Response times are tried in a shorter unit if all rows have more than so many times their users
#: inside, at loads so far apart; it is the right one if no row is off by more than this part. [1]
_INSIDE, _APART, _NEAR = 2.0, 1.5, 0.1
#: A thousandth of a unit, by the unit's size. [s]
_SHORTER = {1.0: "ms", 0.001: "us"}


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
    kind, sizes = "time", [(shift.value, shift.deviation)]
    if shift.column < len(shift.group.series):
        kind = shift.group.series[shift.column].quantity
    if shift.column == little_column(shift.group):  # of the throughput, or the response time alone
        sizes.append(_of_response_time(shift))
    for (value, deviation), (factor, slip) in product(sizes, LAW.found["slips"][kind]):
        if abs(abs(value) - log(factor)) < 3.0 * deviation + _SLACK:
            off = "too large" if value > 0.0 else "too small"
            return replace(
                found, law=LAW.name,
                message=f"{found.message}; about {factor:.0f} times {off}: {slip}?",
                resolves="check the unit: the number agrees in another one",
            )  # fmt: skip
    return found


def _of_response_time(shift: Shift) -> tuple[float, float]:
    """The shift as one of the response time alone, N and Z being right; (0, 0) if it cannot be."""
    run = shift.group.runs[shift.run]
    n, r, measured = run.population, run.response_time, run.cycle(shift.group.think_time or 0.0)
    if n is None or r is None or measured is None:
        return 0.0, 0.0
    cycle = n.value / shift.expected[shift.run, shift.column]
    implied = cycle - (measured - r.value)
    return (
        (log(r.value / implied), shift.deviation * cycle / implied) if implied > 0.0 else (0.0, 0.0)
    )


def reread(runs: Sequence[Observation]) -> tuple[Observation, ...]:
    """Runs, with response times in the unit that their users say they are in."""
    slipped = _another_unit(runs) is not None
    return tuple(
        _thousandth(run, r) if slipped and (r := run.response_time) else run for run in runs
    )


def _thousandth(run: Observation, r: Number) -> Observation:
    value, rounding, noise, scale = (n / 1000.0 for n in (r.value, r.rounding, r.noise, r.scale))
    time = Number(value, rounding, noise, _SHORTER[r.scale], scale, r.place)
    return replace(run, response_time=time)


def _another_unit(runs: Sequence[Observation]) -> Contradiction | None:
    """That all response times are a thousand times too long, if users and throughputs say so."""
    timed = [
        (n.value / x.value, n.value, r, run.think_time)
        for run in runs
        if (n := run.population) and (x := run.throughput) and (r := run.response_time) and x.value
    ]
    times = [r.value / cycle for cycle, _, r, _ in timed]
    loads = [n for _, n, *_ in timed]
    if min(times, default=0.0) <= _INSIDE or max(loads) < _APART * min(loads):
        return None
    if all(abs(each / 60.0 - 1.0) < _NEAR for each in times):  # a throughput by the minute
        return None
    think = max(0.0, median(cycle - r.value / 1000.0 for cycle, _, r, _ in timed))
    off = [((z.value if z else think) + r.value / 1000.0) / cycle - 1.0 for cycle, _, r, z in timed]
    unit, places = timed[0][2], [r.place for _, _, r, _ in timed]
    if unit.scale not in _SHORTER or max(map(abs, off)) > _NEAR:
        return None
    words = {"meant": _SHORTER[unit.scale], "unit": unit.unit, "times": min(times), "think": think}
    return LAW.contradiction([p.row or "" for p in places], inf, places, "another", **words)


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Numbers printed in a unit that does not measure their quantity; fractions in percent."""
    runs = () if evidence.tables else evidence.runs
    if slip := _another_unit(runs):
        yield Suspicion(slip, exact=True)
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
