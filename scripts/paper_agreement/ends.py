"""Variants of an ensemble with what else is not known about a published system."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from calibration.agreements.ensemble import Variant

T = TypeVar("T")


def with_ends(
    ways: Sequence[Variant], middle: T, *unknown: Sequence[T]
) -> tuple[tuple[Variant, T], ...]:
    """Each variant with what is known, and for each thing that is not one more axis to its ends."""
    last = max(way.axis for way in ways)
    return (
        *((way, middle) for way in ways),
        *(
            (replace(way, axis=last + 1 + i), end)
            for way in ways
            if way.axis == 0
            for i, ends in enumerate(unknown)
            for end in ends
        ),
    )
