"""A measured system: its reference hardware, its calibrations, and what was held out."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.ensemble import Member
from calibration.run import Run
from calibration.server import Hardware


@dataclass(frozen=True, slots=True)
class Figure:
    """A number taken over from a source, with the reference to it."""

    value: float
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class Measured:
    """A measured run, the task it ran and the hardware it ran on, as far as it is printed."""

    task: str
    run: Run
    hardware: Hardware
    note: str = ""


@dataclass(frozen=True, slots=True)
class System:
    """A measured system.

    Parameters
    ----------
    name, title, source : str
        What a configuration writes, what a person reads, and the reference.
    reference : Hardware
        The hardware the demands refer to.
    members : tuple of Member
        The admissible calibrations, side by side.
    processors : dict of str to Figure
        Speed of each processor relative to the reference processor.
    memory_need : Figure
        Memory below which the source saw failures. [bytes]
    fitted, held_out : tuple of Measured
        Runs that were fitted and runs that were not, by task.
    notes : tuple of str
        What the data cannot tell.
    """

    name: str
    title: str
    source: str
    reference: Hardware
    members: tuple[Member, ...]
    processors: dict[str, Figure]
    memory_need: Figure
    fitted: tuple[Measured, ...]
    held_out: tuple[Measured, ...]
    notes: tuple[str, ...]

    @property
    def task_names(self) -> tuple[str, ...]:
        """Tasks that every member knows."""
        return tuple(self.members[0].tasks())
