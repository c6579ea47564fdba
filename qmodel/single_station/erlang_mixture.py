"""Validation of mixtures of Erlang distributions, the simplest phase-type distributions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from qmodel.errors import InvalidInput, InvalidNetwork
from qmodel.model.validation import sequence
from qmodel.single_station.arguments import at_least_zero, count, positive

#: Kinds of times, each with its probability [1], number of phases [1] and mean [s].
Phases = tuple[tuple[float, int, float], ...]


def checked(kinds: Iterable[tuple[float, int, float]], what: str, least: int) -> Phases:
    """``kinds`` as plain numbers, of at least so many phases, with probabilities that add up to 1.

    Raises `InvalidInput` if a value is out of range; the text names it.

    Examples
    --------
    >>> checked([(0.9, 2, 0.5), (0.1, 1, 5.5)], "phases", 1)
    ((0.9, 2, 0.5), (0.1, 1, 5.5))
    """
    mixture = []
    total = 0.0
    for i, entry in enumerate(entries(kinds, what), 1):
        parts = entries(entry, f"entry {i} of {what}")
        if len(parts) != 3:
            raise InvalidInput(
                f"entry {i} of {what} is {entry!r}, expected probability, number, mean"
            )
        weight = at_least_zero(parts[0], f"probability {i} of {what}", "")
        number = count(parts[1], f"number {i} of {what}", least)
        mixture.append((weight, number, positive(parts[2], f"mean {i} of {what}", "s")))
        total += weight
    if not abs(total - 1.0) <= 1e-9:
        raise InvalidInput(f"probabilities of {what} add up to {total:.12g}, expected 1")
    return tuple(mixture)


def entries(value: Any, what: str) -> Sequence[Any]:
    """``value`` as a sequence; `InvalidInput` if it is none."""
    try:
        return sequence(value, what)
    except InvalidNetwork as error:
        raise InvalidInput(str(error)) from None
