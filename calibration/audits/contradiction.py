"""What an audit finds: contradictions, and laws that stay silent, with their reasons."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number stands: a table, or a row, a column, a cell or a condition of it."""

    table: str
    row: str | None = None
    column: str | None = None
    condition: str | None = None


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Numbers that a law does not allow together."""

    law: str
    #: The rows that break it; several where the law cannot tell them apart.
    rows: tuple[str, ...]
    #: How far, in units of its own uncertainty (print rounding and replicate noise). [1]
    size: float
    #: What is wrong, with the numbers.
    message: str
    #: What would settle it.
    resolves: str
    #: Published errata at the same place, found afterwards; no law reads them.
    errata: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    #: Lines of the rows in a user's file.
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A contradiction that is one if it is larger than chance makes it.

    An `exact` one is arithmetic on printed numbers and does not depend on noise. For the others
    the contradiction's size is compared with the threshold for all tests of the audit. A
    `consequence` is dropped if another law has named one of its rows already.
    """

    contradiction: Contradiction
    exact: bool = False
    consequence: bool = False


@dataclass(frozen=True, slots=True)
class Silence:
    """A law that says nothing about some numbers, because one of its assumptions fails."""

    law: str
    what: str
    reason: str
