"""Variants of two predictions, each with its like.

A change of hardware leaves the variants as they are; one of tasks may bring uncertain parameters
or take some away.
"""

from __future__ import annotations

from collections.abc import Sequence

from calibration.agreements.ensemble import Variant
from qmodel.errors import InvalidInput

#: A variant and where it stands among those before and among those after.
Pairs = Sequence[tuple[Variant, int, int]]


def variant_pairs(before: Sequence[Variant], after: Sequence[Variant]) -> Pairs:
    """Variants of both, each with its like; one without is held against its member itself.

    Raises
    ------
    qmodel.InvalidInput
        If the two do not have the same members.
    """
    if {w.member for w in before} != {w.member for w in after}:
        raise InvalidInput(
            "an alternative with other demands has no difference that a calibration could tell; "
            "advise it on its own"
        )
    old, new = _places(before), _places(after)
    found = []
    for key in dict.fromkeys((*old, *new)):
        centre = (key[0], 0, 0)
        i, j = old.get(key, old[centre]), new.get(key, new[centre])
        found.append((before[i] if key in old else after[j], i, j))
    return found


def _places(ways: Sequence[Variant]) -> dict[tuple[str, int, int], int]:
    found: dict[tuple[str, int, int], int] = {}
    for i, way in enumerate(ways):
        side = (way.member, way.axis, 0)
        found[side if side not in found else (way.member, way.axis, 1)] = i
    return found
