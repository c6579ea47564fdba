"""Measured runs of tasks, fitted and held out, against an ensemble's predictions."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.agreements.ensemble import Member
from calibration.agreements.system import Model, Parameter
from calibration.hardware.server import Hardware
from calibration.printed_tables.run import Run


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured run, the task it ran and the hardware it ran on, as far as it is printed."""

    #: Name of the task.
    task: str
    #: The numbers.
    run: Run
    #: What it ran on; the middle of what is possible where something is not printed.
    hardware: Hardware
    #: For each thing that is not printed, the ends of what it may have been.
    unknown: tuple[tuple[Hardware, ...], ...] = ()
    #: In words, what is not printed.
    note: str = ""


def run_cells(each: Measured) -> tuple[str, ...]:
    """Names of the cells of a run."""
    return tuple(
        f"{each.run.table}:{each.run.row}:{column}"
        for column in ("response_time", "cpu", "lan", "disk")
    )


def models_of(
    members: Sequence[Member], fitted_on: dict[str, tuple[str, ...]]
) -> tuple[Model, ...]:
    """Every fitted task of every member as the agreement report describes it."""
    return tuple(
        Model(
            name=f"{member.name}, {task.task.name}",
            description=member.description,
            parameters=tuple(
                Parameter(name.partition(" [")[0], value, name.partition(" [")[2][:-1], error)
                for name, value, error in zip(
                    task.names, task.fit.values, task.fit.standard_errors, strict=True
                )
            ),
            fitted_on=fitted_on[task.task.name],
            degrees_of_freedom=task.fit.degrees_of_freedom,
            chi_square=task.fit.chi_square,
        )
        for member in members
        for task in member.fitted
    )
