"""Measured tables as observations: what each row, or each column, of a paper's table measured."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from calibration.audits.contradiction import Place
from calibration.audits.noise import Noise
from calibration.audits.observation import Number, Observation, Series
from calibration.printed_tables.card import base_unit
from calibration.printed_tables.table import Cell, Column, MeasuredTable
from calibration.recordings.header import PERCENTILES, Heading
from calibration.recordings.reader import moment
from calibration.recordings.user_table import Reading, UserTable

#: Quantities of cards that an interaction adds to, and what the laws call them.
RATES = {"utilization": "utilization", "volume_rate": "volume", "operations_rate": "operations"}

_SCALARS = {"population", "throughput", "response_time"}

#: What a card calls a time that a whole interaction takes, thinking included.
_WHOLE_CYCLE = "completion time"


def observations(tables: Sequence[MeasuredTable], noise: Noise) -> tuple[Observation, ...]:
    """All runs that tables measured."""
    tasks = glossary(tables)
    return tuple(
        observation
        for table in tables
        if table.kind == "measured"
        for observation in _runs(table, tasks, noise)
    )


def glossary(tables: Iterable[MeasuredTable]) -> dict[str, str]:
    """Short name of each task by its full name in small letters, where a table explains them."""
    return {
        table.texts[index][1].lower(): key
        for table in tables
        if table.kind == "specification"
        and table.columns[0].name == "task"
        and len(table.columns) > 1
        for index, key in enumerate(table.rows)
    }


def short_task(name: str, tasks: dict[str, str]) -> str:
    """The short name of a task, where one full name alone begins with the words given."""
    if not name:
        return ""
    lowered = name.lower()
    hits = {short for full, short in tasks.items() if full.startswith(lowered)}
    return hits.pop() if len(hits) == 1 else name


def number_of(
    cell: Cell, measure: Column, table: MeasuredTable, place: Place, noise: Noise
) -> Number | None:
    """A printed cell as a number with its uncertainty; None where nothing is printed."""
    if cell.value is None or cell.half_unit is None:
        return None
    _, numerator, denominator = base_unit(cell.unit, table.source.kilo)
    quantity = RATES.get(measure.quantity, measure.quantity)
    spread = noise.of(quantity) * cell.value
    if quantity == "volume":
        spread = float((spread**2 + noise.chatter**2) ** 0.5)
    return Number(
        cell.value, cell.half_unit, spread, cell.unit, float(numerator / denominator), place
    )


def _runs(table: MeasuredTable, tasks: dict[str, str], noise: Noise) -> Iterator[Observation]:
    if table.row_measures:
        for side in [column.name for column in table.columns[1:] if column.unit == "by row"]:
            cells = [
                (measure, table.cell(row, side), Place(table.name, row, side))
                for row, measure in zip(table.rows, table.row_measures, strict=True)
            ]
            yield _run(table, side, Place(table.name, None, side), cells, "", noise)
        return
    by_task = table.columns[0].name == "task"
    for row in table.rows:
        task = row if by_task else short_task(str(table.conditions.get("task", "")), tasks)
        cells = [
            (column, table.cell(row, column.name), Place(table.name, row, column.name))
            for column in table.columns
        ]
        yield _run(table, row, Place(table.name, row), cells, task, noise)


def _run(
    table: MeasuredTable, name: str, place: Place, cells: Sequence[tuple[Column, Cell, Place]],
    task: str, noise: Noise,
) -> Observation:  # fmt: skip
    numbers = [(m, number_of(cell, m, table, where, noise)) for m, cell, where in cells]
    measured = [(m, number) for m, number in numbers if number is not None]
    scalars: dict[str, Number | None] = {
        m.quantity: number for m, number in measured if m.quantity in _SCALARS
    }
    settings = [cell.text for m, cell, _ in cells if m.quantity == "setting"]
    by_load = "population" in scalars and not table.row_measures  # the load tells rows apart
    if "population" not in scalars and "workstations" in table.conditions:
        scalars["population"] = _stated(table)
    rates: dict[Series, Number] = {}
    for m, number in measured:
        if m.quantity in RATES and m.station:
            series = Series(RATES[m.quantity], m.station)
            rates[series if series not in rates else Series(series.quantity, m.name)] = number
    return Observation(
        name=f"{table.name}: {name}",
        place=place,
        task=" ".join([table.source.name, task or table.name.partition("/")[2], *settings])
        if not table.row_measures
        else " ".join([table.source.name, *settings]),
        configuration=None if by_load else name,
        population=scalars.get("population"),
        throughput=scalars.get("throughput"),
        response_time=scalars.get("response_time"),
        whole_cycle=any(
            m.quantity == "response_time" and _WHOLE_CYCLE in m.meaning for m, _ in measured
        ),
        rates=tuple(rates.items()),
        capacity=tuple(
            (m.station, number)
            for m, number in measured
            if m.quantity == "setting" and m.station and base_unit(m.unit)[0] == "bytes/s"
        ),
        shares=tuple((m.name, number.value) for m, number in measured if m.quantity == "share"),
    )


def _stated(table: MeasuredTable) -> Number | None:
    """The population that the table's conditions state."""
    workstations = table.conditions["workstations"]
    if not isinstance(workstations, int):
        return None
    place = Place(table.name, condition="workstations")
    return Number(float(workstations), 0.0, 0.0, "1", 1.0, place)


_RATES = {"utilization", "volume", "operations"}
_LOADS = {"population", "throughput"}
_BY_CLASS = {"population", "think_time", "throughput", "response_time"}


def user_observations(table: UserTable, noise: Noise) -> tuple[Observation, ...]:
    """All rows of a user's table."""
    return tuple(_observation(table, index, name, noise) for index, name in enumerate(table.rows))


def _observation(table: UserTable, index: int, name: str, noise: Noise) -> Observation:
    read = [(c, cell) for c, cell in zip(table.columns, table.readings[index], strict=True) if cell]
    errors = {column.of: cell.value for column, cell in read if column.quantity == "error"}
    cells = [(c, _number(table, index, c, cell, noise, errors)) for c, cell in read]

    def of(*quantities: str) -> list[tuple[Heading, Number]]:
        return [(column, number) for column, number in cells if column.quantity in quantities]

    by_class = tuple((column.quantity, column.of, n) for column, n in of(*_BY_CLASS) if column.of)
    # Another mix of classes is another task as far as laws of whole runs go.
    mix = ", ".join(f"{number.value:g} {c}" for q, c, number in by_class if q in _LOADS)
    scalars = {column.quantity: number for column, number in cells if not column.of}
    return Observation(
        name=name, place=Place(table.path, name), task=table.words("class")[index] or mix,
        configuration=table.words("configuration")[index], population=scalars.get("population"),
        think_time=scalars.get("think_time"), throughput=scalars.get("throughput"),
        response_time=scalars.get("response_time"),
        rates=tuple((Series(column.quantity, column.of), n) for column, n in of(*_RATES)),
        servers=tuple((column.of, round(n.value)) for column, n in of("servers")),
        pools=tuple((column.of, round(n.value)) for column, n in of("pool")),
        pool_use=tuple((column.of, n) for column, n in of("pool_use")),
        capacity=tuple((column.of, n) for column, n in of("capacity")),
        shares=tuple((column.of, n.value) for column, n in of("share")), line=table.lines[index],
        length=_length(table.words("start")[index], table.words("end")[index]), by_class=by_class,
        percentiles=tuple((c.of, PERCENTILES[c.quantity], n) for c, n in of(*PERCENTILES)),
    )  # fmt: skip


def with_classes(runs: Iterable[Observation]) -> Iterator[Observation]:
    """Runs, and each class of one as a run of its own, which is compared with no other."""
    for run in runs:
        yield run
        for name in dict.fromkeys(of for _, of, _ in run.by_class):
            own: dict[str, Any] = {"think_time": run.think_time}
            own |= {quantity: number for quantity, of, number in run.by_class if of == name}
            said = f"{run.name}, {name}"
            yield Observation(said, run.place, said, line=run.line, length=run.length, **own)


def _length(start: str | None, end: str | None) -> float | None:
    """How long a run was, of a day at most; None if that is not said. [s]"""
    with suppress(ValueError):
        if start and end:
            times = (moment("2000-01-01 " * (t[2:3] == ":") + t)[0] for t in (end, start))
            return (next(times) - next(times)) % 86400.0 or None
    return None


def _number(
    table: UserTable, row: int, column: Heading, cell: Reading, noise: Noise,
    errors: Mapping[str, float],
) -> Number:  # fmt: skip
    # What is set is exact: "30" s of think time are 30.
    quantity = "response_time" if column.quantity in PERCENTILES else column.quantity
    measured, part = noise.of(quantity, column.of), 1.0
    if measured and (not column.of or quantity in {"utilization", "throughput"}):
        measured = max(measured, errors.get(column.of or column.quantity, 0.0))
    if column.quantity == "pool_use" and column.unit != "%":
        part = 1.0 / table.pool_sizes(column.of)[row]
    return Number(
        value=cell.value * part, rounding=cell.half_unit * part if measured else 0.0,
        noise=measured * cell.value * part, unit=column.unit.removesuffix(" idle") or "1",
        scale=float(column.factor) * part, place=Place(table.path, table.rows[row], column.text),
    )  # fmt: skip
