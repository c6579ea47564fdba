"""What a change does to the targets: which missed ones it ends, and which it causes.

A target is met, may be missed (the upper end of the interval is beyond it) or is missed for certain
(all of the interval is), as the targets of a review are told. One that is missed less certainly is
served; one that is missed more certainly is caused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.findings.records import Missed

#: How many targets are or may be missed, and how many of them for certain: fewer is better.
Graveness = tuple[int, int]
#: Every target is met.
MET: Graveness = (0, 0)


@dataclass(frozen=True, slots=True)
class Served:
    """What a change does to the targets."""

    #: Missed without it, and no longer or less certainly with it.
    ended: tuple[Missed, ...] = ()
    #: Missed with it, and not or less certainly without it.
    caused: tuple[Missed, ...] = ()
    #: Whether fewer are missed with it, all told.
    fewer: bool = False

    @property
    def serves(self) -> bool:
        """Whether it ends a missed target and causes no new one."""
        return bool(self.ended) and not self.caused


#: What is done where there is no target to serve.
NO_TARGET = Served()


def served(before: Sequence[Missed], after: Sequence[Missed]) -> Served:
    """What a change does to the targets that are missed without and with it."""
    return Served(
        _graver(before, after), _graver(after, before), graveness(after) < graveness(before)
    )


def graveness(missed: Sequence[Missed]) -> Graveness:
    """How many targets are or may be missed, and how many of them for certain."""
    return len(missed), sum(each.certain for each in missed)


def _graver(these: Sequence[Missed], than: Sequence[Missed]) -> tuple[Missed, ...]:
    """Those of some that are missed more certainly than among others."""
    others = {each.what: each.certain for each in than}
    return tuple(m for m in these if m.what not in others or m.certain > others[m.what])
