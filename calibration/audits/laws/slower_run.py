"""A claimed saving of a processor that is only a slower run: U = X D with the same D.

A change of utilization says something of a configuration only at equal throughput. Where a text
claims a saving, the runs it is taken from are looked for and compared at equal throughput.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import log, sqrt

from calibration.audits.contradiction import Contradiction, Place, Silence, Suspicion
from calibration.audits.law import Evidence, Law
from calibration.audits.observation import Number, Observation, Series
from calibration.audits.shipped import glossary, short_task
from calibration.printed_tables.table import MeasuredTable

#: A saving is a slower run if at most this share of it is left at equal throughput. [1]
LEFT = 0.5


@dataclass(frozen=True, slots=True)
class _Claim:
    """A quoted change of a station's utilization."""

    place: Place
    text: str
    task: str
    station: str
    value: float
    half_unit: float


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Claimed changes of utilization, each against the runs that show just that change."""
    found: dict[tuple[str, str], tuple[Contradiction, list[_Claim]]] = {}
    for claim in _claims(evidence.tables):
        series = Series("utilization", claim.station)
        for one, other in combinations(evidence.runs, 2):
            if one.place.table != other.place.table or not _of_task(claim, one, other):
                continue
            if not _shows(claim, one.rate(series), other.rate(series)):
                continue
            if _throughput(one) is None or _throughput(other) is None:
                continue
            if one.task != other.task:
                what = f"{one.name} and {other.name}"
                yield Silence(LAW.name, what, "the runs differ in more than their configuration")
                continue
            contradiction = _compare(claim, series, one, other)
            if contradiction is not None:
                _, claims = found.setdefault((one.name, other.name), (contradiction, []))
                claims.append(claim)
    for contradiction, claims in found.values():
        yield Suspicion(_with_claims(contradiction, claims))


def _claims(tables: Sequence[MeasuredTable]) -> Iterator[_Claim]:
    tasks = glossary(tables)
    for table in tables:
        labels = [column.name for column in table.columns if column.name == "task"]
        for row, measure in zip(table.rows, table.row_measures, strict=False):
            if table.kind != "text" or measure.quantity != "change" or not measure.station:
                continue
            for column in table.columns:
                if column.unit != "by row" or column.name == "to":
                    continue
                cell = table.cell(row, column.name)
                if cell.value is not None and cell.half_unit is not None and cell.unit == "%":
                    task = table.cell(row, labels[0]).text if labels else ""
                    yield _Claim(
                        Place(table.name, row, column.name),
                        cell.text.rstrip("%") + " %",
                        short_task(task, tasks),
                        measure.station,
                        abs(cell.value),
                        cell.half_unit,
                    )


def _of_task(claim: _Claim, one: Observation, other: Observation) -> bool:
    """Whether two runs are of the task the claim is made of, at one load."""
    if claim.task and not (one.task.endswith(f" {claim.task}")):
        return False
    if one.population is None or other.population is None:
        return False
    return one.population.value == other.population.value


def _shows(claim: _Claim, one: Number | None, other: Number | None) -> bool:
    """Whether two utilizations differ by what is claimed, as far as they are printed."""
    if one is None or other is None or min(one.value, other.value) <= 0.0:
        return False
    low, high = sorted((one, other), key=lambda number: number.value)
    for base in (low, high):  # a rise is told of the lower one, a saving of the higher one
        change = (high.value - low.value) / base.value
        slack = (low.rounding + high.rounding) / base.value + claim.half_unit
        if abs(change - claim.value) <= slack and change > slack:
            return True
    return False


def _compare(
    claim: _Claim, series: Series, one: Observation, other: Observation
) -> Contradiction | None:
    """The two runs at equal throughput; None if the saving stands."""
    known = [(_throughput(run), run, run.rate(series)) for run in (one, other)]
    (first, _, busy), (second, _, busier) = known
    if first is None or second is None or busy is None or busier is None:
        return None
    faster = log(first[0] / second[0])
    used = log(busy.value / busier.value)
    if faster * used <= 0.0 or abs(used - faster) > LEFT * abs(used):
        return None
    demands = [
        number.value / throughput[0]
        for throughput, _, number in known
        if throughput is not None and number is not None
    ]
    error = sqrt(first[1] ** 2 + second[1] ** 2)
    response = [run.response_time for run in (one, other)]
    return LAW.contradiction(
        (one.name, other.name),
        abs(faster) / error,
        (number.place for number in (busy, busier, *response) if number is not None),
        claim=claim,
        busy=busy.show(),
        busier=busier.show(),
        faster=abs(faster) * 100.0,
        demands=demands,
        left=abs(used - faster) * 100.0,
    )


def _throughput(run: Observation) -> tuple[float, float] | None:
    """Throughput and its relative standard deviation."""
    if run.throughput is not None:
        return run.throughput.value, run.throughput.relative
    if run.throughput_by_little is not None and run.response_time is not None:
        return run.throughput_by_little, run.response_time.relative
    return None


def _with_claims(found: Contradiction, claims: Sequence[_Claim]) -> Contradiction:
    return replace(found, places=(*found.places, *(claim.place for claim in claims)))


LAW = Law.of(
    __file__,
    suspects=suspects,
    applies=lambda evidence: any(True for _ in _claims(evidence.tables)),
)
