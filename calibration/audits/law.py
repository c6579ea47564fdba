"""What a law is: a name, a sentence, and what it makes of the evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from calibration.audits.contradiction import Silence, Suspicion
from calibration.audits.group import Group
from calibration.audits.observation import Observation
from calibration.audits.reconciliation import Direction
from calibration.printed_tables.table import MeasuredTable


@dataclass(frozen=True, slots=True)
class Evidence:
    """What laws may look at; errata are not among it.

    Parameters
    ----------
    runs : tuple of Observation
        All measured runs, each once.
    groups : tuple of Group
        Those of one task together.
    tables : tuple of MeasuredTable
        The papers' tables themselves; empty for a user's table.
    """

    runs: tuple[Observation, ...]
    groups: tuple[Group, ...]
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
    """A law that measured numbers must obey.

    Parameters
    ----------
    name : str
        As reports print it.
    says : str
        The law in one sentence.
    needs : str
        What is missing where it cannot speak at all.
    directions : callable
        Ways in which it can be broken within a group, tested together with those of other laws.
    suspects : callable
        Contradictions it tests by itself, and what it must be silent on.
    applies : callable
        Whether there is anything for `suspects` to look at.
    """

    name: str
    says: str
    needs: str
    directions: Callable[[Group], Iterable[Direction]] = no_directions
    suspects: Callable[[Evidence], Iterable[Suspicion | Silence]] = nothing
    applies: Callable[[Evidence], bool] = never
