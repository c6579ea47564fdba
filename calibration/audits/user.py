"""A user's table as observations: one row is one run."""

from __future__ import annotations

from calibration.audits.contradiction import Place
from calibration.audits.noise import Noise
from calibration.audits.observation import Number, Observation, Series
from calibration.recordings.header import Heading
from calibration.recordings.user_table import Reading, UserTable

_RATES = {"utilization", "volume", "operations"}
_LOADS = {"population", "throughput"}
_BY_CLASS = {"population", "think_time", "throughput", "response_time"}


def user_observations(table: UserTable, noise: Noise) -> tuple[Observation, ...]:
    """All rows of a user's table."""
    return tuple(_observation(table, index, name, noise) for index, name in enumerate(table.rows))


def _observation(table: UserTable, index: int, name: str, noise: Noise) -> Observation:
    cells = [
        (column, _number(table, name, column, cell, noise))
        for column, cell in zip(table.columns, table.readings[index], strict=True)
        if cell is not None
    ]
    by_class = tuple(
        (column.quantity, column.of, number)
        for column, number in cells
        if column.of and column.quantity in _BY_CLASS
    )
    # Another mix of classes is another task as far as laws of whole runs go.
    mix = ", ".join(f"{number.value:g} {c}" for q, c, number in by_class if q in _LOADS)
    scalars = {column.quantity: number for column, number in cells if not column.of}
    return Observation(
        name=name,
        place=Place(table.path, name),
        task=table.words("class")[index] or mix,
        configuration=table.words("configuration")[index],
        population=scalars.get("population"),
        think_time=scalars.get("think_time"),
        throughput=scalars.get("throughput"),
        response_time=scalars.get("response_time"),
        rates=tuple(
            (Series(column.quantity, column.of), number)
            for column, number in cells
            if column.quantity in _RATES
        ),
        servers=tuple(
            (column.of, round(number.value))
            for column, number in cells
            if column.quantity == "servers"
        ),
        capacity=tuple(
            (column.of, number) for column, number in cells if column.quantity == "capacity"
        ),
        shares=tuple(
            (column.of, number.value) for column, number in cells if column.quantity == "share"
        ),
        line=table.lines[index],
        by_class=by_class,
    )


def _number(table: UserTable, row: str, column: Heading, cell: Reading, noise: Noise) -> Number:
    # What is set is exact: "30" s of think time are 30.
    measured = noise.of(column.quantity)
    return Number(
        value=cell.value,
        rounding=cell.half_unit if measured else 0.0,
        noise=measured * cell.value,
        unit=column.unit or "1",
        scale=float(column.factor),
        place=Place(table.path, row, column.text),
    )
