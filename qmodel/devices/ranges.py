"""The ranges that figures of devices may lie in, and what is said of one that does not."""

from functools import partial

from qmodel.errors import InvalidInput
from qmodel.model import validation

#: Parts of one kind that a server may have, such as drives: more are a slip of the pen.
MOST_PARTS = 100_000

positive = partial(validation.positive, error=InvalidInput)
not_negative = partial(validation.not_negative, error=InvalidInput)


def share(value: float, what: str) -> float:
    """``value`` if it is from 0 to 1, else `InvalidInput`."""
    if not 0 <= value <= 1:
        raise InvalidInput(f"{what} is {value:g}, expected 0 to 1")
    return value


def count(value: int, what: str, least: int = 1, most: int = 10**12) -> int:
    """``value`` if it is a whole number from ``least`` to ``most``, else `InvalidInput`."""
    return validation.integer(value, what, least, most, InvalidInput)
