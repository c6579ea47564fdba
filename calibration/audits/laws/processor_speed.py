"""Two processors differ by one speed, whatever the task: (T_old / T_new) / (U_new / U_old).

By the utilization law D = U X with X = N / T, so that quoted gains in time and in utilization give
the ratio of demands. A task that keeps the processor busy all the time gives it by time alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log, sqrt

from calibration.audits.contradiction import Contradiction, Place, Silence, Suspicion
from calibration.audits.law import Evidence, Law
from calibration.audits.noise import SHIPPED
from calibration.audits.observation import Observation, Series
from calibration.audits.shipped import glossary, short_task
from calibration.printed_tables.table import Cell, MeasuredTable

#: A processor this busy has no time to spare: a faster one shortens the task in proportion. [1]
SATURATED = 0.99

_CPU = Series("utilization", "cpu")


@dataclass(frozen=True, slots=True)
class _Pair:
    """A quoted comparison of two processors and the speed ratio it implies."""

    row: str
    task: str
    processors: tuple[str, str]
    speed: float
    error: float
    cells: tuple[Cell, ...]
    places: tuple[Place, ...]


def suspects(evidence: Evidence) -> Iterator[Suspicion | Silence]:
    """Comparisons of the same two processors by different tasks."""
    tasks = glossary(evidence.tables)
    for table in evidence.tables:
        pairs = list(_pairs(table, tasks, evidence.runs))
        for one, other in combinations(pairs, 2):
            if one.processors == other.processors:
                # The one that rests on two numbers is the one that can disagree in itself.
                first, second = sorted((one, other), key=lambda pair: len(pair.cells))
                yield Suspicion(_contradiction(table, first, second))


def _pairs(
    table: MeasuredTable, tasks: dict[str, str], runs: Sequence[Observation]
) -> Iterator[_Pair]:
    names = {column.name: column for column in table.columns}
    faster, lower = names.get("faster_response"), names.get("cpu_reduction")
    if not {"old_cpu", "new_cpu", "task"} <= names.keys() or faster is None or lower is None:
        return
    for row in table.rows:
        time, busy = table.cell(row, faster.name), table.cell(row, lower.name)
        if time.value is None or time.half_unit is None:
            continue
        task = short_task(table.cell(row, "task").text, tasks)
        ratio = 1.0 + time.value
        error = (time.half_unit / ratio) ** 2 / 3.0 + 2.0 * SHIPPED.response_time**2
        speed = ratio
        cells: tuple[Cell, ...] = (time,)
        places: tuple[Place, ...] = (Place(table.name, row, faster.name),)
        if busy.value is not None and busy.half_unit is not None:
            left = 1.0 - busy.value
            speed = ratio / left
            error += (busy.half_unit / left) ** 2 / 3.0 + 2.0 * SHIPPED.utilization**2
            cells, places = (time, busy), (*places, Place(table.name, row, lower.name))
        elif not _saturates(task, runs):
            continue
        old, new = (_model(table.cell(row, name).text) for name in ("old_cpu", "new_cpu"))
        yield _Pair(row, task, (old, new), speed, sqrt(error), cells, places)


def _saturates(task: str, runs: Sequence[Observation]) -> bool:
    """Whether some table measured a task to keep the processor busy all the time."""
    busy = [run.rate(_CPU) for run in runs if run.task.endswith(f" {task}")]
    return any(number is not None and number.value >= SATURATED for number in busy)


def _model(name: str) -> str:
    """A processor's name without the letters behind its number: 486DX/50 is a 486/50."""
    return re.sub(r"(?<=\d)[A-Za-z]+", "", name)


def _contradiction(table: MeasuredTable, known: _Pair, doubted: _Pair) -> Contradiction:
    said = " and ".join(cell.text.rstrip("%") + " %" for cell in doubted.cells)
    return LAW.contradiction(
        [f"{table.name}: {doubted.row}"],
        abs(log(doubted.speed / known.speed)) / sqrt(doubted.error**2 + known.error**2),
        doubted.places,
        processors=" to ".join(doubted.processors),
        said=said,
        doubted=doubted,
        known=known,
    )


LAW = Law.of(
    __file__,
    suspects=suspects,
    applies=lambda evidence: any(
        True
        for table in evidence.tables
        for _ in _pairs(table, glossary(evidence.tables), evidence.runs)
    ),
)
