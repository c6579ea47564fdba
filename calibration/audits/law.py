"""What a law is: a name, a sentence, and what it makes of the evidence."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from calibration.audits.contradiction import Silence, Suspicion
from calibration.audits.group import Group
from calibration.audits.observation import Observation
from calibration.audits.reconciliation import Direction
from calibration.printed_tables.table import MeasuredTable


@dataclass(frozen=True, slots=True)
class Evidence:
    """What laws may look at; errata are not among it."""

    #: All measured runs, each once.
    runs: tuple[Observation, ...]
    #: Those of one task together.
    groups: tuple[Group, ...]
    #: The papers' tables themselves; empty for a user's table.
    tables: tuple[MeasuredTable, ...] = ()


def nothing(_: Evidence) -> Iterable[Suspicion | Silence]:
    """For a law that works through directions alone."""
    return ()


def never(_: Evidence) -> bool:
    """For a law that has nothing to look at but its directions."""
    return False


def no_directions(_: Group) -> Iterable[Direction]:
    """For a law that looks at the evidence itself."""
    return ()


@dataclass(frozen=True, slots=True)
class Law:
    """A law that measured numbers must obey."""

    name: str
    says: str
    #: What is missing where it cannot speak at all.
    needs: str
    #: Ways in which it can be broken within a group, tested together with those of other laws.
    directions: Callable[[Group], Iterable[Direction]] = no_directions
    #: Contradictions it tests by itself, and what it must be silent on.
    suspects: Callable[[Evidence], Iterable[Suspicion | Silence]] = nothing
    #: Whether there is anything for `suspects` to look at.
    applies: Callable[[Evidence], bool] = never
