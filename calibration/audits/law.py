"""What a law is: a name, a sentence, what it makes of the evidence, and a card; see THEORY.md."""

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.audits.contradiction import Contradiction, Place, Silence, Suspicion
from calibration.audits.group import Group
from calibration.audits.observation import Observation
from calibration.audits.reconciliation import Direction, Shift
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


@dataclass(frozen=True, slots=True)
class Law:
    """A law that measured numbers must obey."""

    name: str
    says: str
    #: What is missing where it cannot speak at all.
    needs: str
    #: Ways in which it can be broken within a group, tested together with those of other laws.
    directions: Callable[[Group], Iterable[Direction]] = lambda _: ()
    #: Contradictions it tests by itself, and what it must be silent on.
    suspects: Callable[[Evidence], Iterable[Suspicion | Silence]] = lambda _: ()
    #: Whether there is anything for `suspects` to look at.
    applies: Callable[[Evidence], bool] = lambda _: False
    #: What it finds, as its card has it, and what else stands there.
    found: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, file: str, **more: Any) -> "Law":
        """The law of a module, with the words of the card beside it."""
        card = tomllib.loads(Path(file).with_suffix(".toml").read_text(encoding="utf-8"))
        name, says, needs = (card.pop(each) for each in ("name", "says", "needs"))
        return cls(name, says, needs, found=card, **more)

    def contradiction(
        self, rows: Iterable[str], size: float, places: Iterable[Place], found: str = "found", /,
        **words: object,
    ) -> Contradiction:  # fmt: skip
        """One of the things that it finds, in the card's words."""
        said = self.found[found]
        return Contradiction(
            self.name, tuple(rows), size, said["message"].format(**words), said["resolves"],
            places=tuple(places),
        )  # fmt: skip

    def broken(
        self, shift: Shift, places: Iterable[Place] | None = None,
        rows: Iterable[str] | None = None, **words: object,
    ) -> Contradiction:  # fmt: skip
        """What a shift shows, of all rows that it concerns and cannot tell apart unless given."""
        concerned = (shift.group.runs[run].name for run in shift.runs)
        where = shift.places if places is None else places
        return self.contradiction(rows or concerned, shift.size, where, "found", **words)
