"""The ranges that figures of devices may lie in, and what is said of one that does not."""

from math import isfinite

from qmodel.errors import InvalidInput

#: Parts of one kind that a server may have, such as drives: more are a slip of the pen.
MOST_PARTS = 100_000


def positive(value: float, what: str, unit: str = "") -> float:
    """``value`` if it is over 0 and finite, else `InvalidInput`.

    Examples
    --------
    >>> positive(0.0, "rotation time", "s")
    Traceback (most recent call last):
    ...
    qmodel.errors.InvalidInput: rotation time is 0 s, expected > 0
    """
    if not (value > 0 and isfinite(value)):
        raise InvalidInput(f"{what} is {_shown(value, unit)}, expected > 0")
    return value


def not_negative(value: float, what: str, unit: str = "") -> float:
    """``value`` if it is 0 or more and finite, else `InvalidInput`."""
    if not (value >= 0 and isfinite(value)):
        raise InvalidInput(f"{what} is {_shown(value, unit)}, expected >= 0")
    return value


def share(value: float, what: str) -> float:
    """``value`` if it is from 0 to 1, else `InvalidInput`."""
    if not 0 <= value <= 1:
        raise InvalidInput(f"{what} is {value:g}, expected 0 to 1")
    return value


def count(value: int, what: str, least: int = 1, most: int = 10**12) -> int:
    """``value`` if it is a whole number from ``least`` to ``most``, else `InvalidInput`."""
    if isinstance(value, bool) or not isfinite(value) or value != int(value):
        raise InvalidInput(f"{what} is {value}, expected a whole number")
    if value < least:
        raise InvalidInput(f"{what} is {value}, expected >= {least}")
    if value > most:
        raise InvalidInput(f"{what} is {value:g}, expected <= {most}")
    return int(value)


def _shown(value: float, unit: str) -> str:
    return f"{value:g} {unit}".rstrip()
