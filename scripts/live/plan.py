"""What is measured of each system: how many clients, how often, how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

#: Users at which a system is to saturate: their think time is chosen for it.
SATURATION = 80


@dataclass(frozen=True, slots=True)
class Run:
    """One run: a variant of the system by its position, clients, and which of its rounds."""

    variant: int
    users: int
    round: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A recording.

    Parameters
    ----------
    levels : tuple of int
        Users of each run of a round: four up to a quarter of saturation, which are calibrated.
    rounds : int
        How often they are all run. The machine itself is faster at one time than at another; all
        levels in turn, and again, share its moods, and how much the runs of one level differ says
        how far one of them can be trusted.
    after, rounds_after : tuple of int, int
        The same after a change.
    seconds, warm_up : float
        The part of a run that is counted, and the part before it. [s]
    longer : float
        How many times longer a run is that is to be calibrated: what is known of the server is
        known from those, and few clients ask seldom. [1]
    probing : float
        Length of the runs in which saturation is found. [s]
    """

    levels: tuple[int, ...] = (5, 10, 15, 20, 32, 48, 64, 80, 104)
    rounds: int = 5
    after: tuple[int, ...] = (16, 40, 72)
    rounds_after: int = 3
    seconds: float = 6.0
    longer: float = 2.0
    warm_up: float = 1.0
    probing: float = 3.0

    def runs(self, variants: int) -> tuple[Run, ...]:
        """In order; upwards, downwards, and so on, so that a trend of the machine cancels."""
        return tuple(
            chain(
                _rounds(0, self.levels, self.rounds),
                *(_rounds(v, self.after, self.rounds_after) for v in range(1, variants)),
            )
        )

    def counted(self, run: Run) -> float:
        """The part of a run that is counted. [s]"""
        calibrated = not run.variant and run.users <= SATURATION // 4
        return self.seconds * (self.longer if calibrated else 1.0)

    def duration(self, runs: Sequence[Run]) -> float:
        """How long these runs take. [s]"""
        return sum(self.counted(run) + self.warm_up + 0.5 for run in runs)


#: Shows that everything works, and measures nothing.
BRIEF = Plan((4, 16, 64), 1, (16,), 1, seconds=2.0, longer=1.0, warm_up=1.0, probing=2.0)


def _rounds(variant: int, levels: tuple[int, ...], rounds: int) -> list[Run]:
    return [
        Run(variant, users, number)
        for number in range(1, rounds + 1)
        for users in (levels if number % 2 else reversed(levels))
    ]
