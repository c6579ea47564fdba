"""Validation of the arguments of single stations: plain numbers, or a named fault."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from qmodel.errors import InvalidInput, InvalidNetwork, Unstable
from qmodel.model import validation

positive = partial(validation.positive, error=InvalidInput)
not_negative = partial(validation.not_negative, error=InvalidInput)
#: A whole number of at least so many.
count = partial(validation.integer, error=InvalidInput)
_finite = partial(validation.finite, error=InvalidInput)


def moment(value: Any) -> float:
    """``value`` as a finite time, of either sign."""
    return _finite(value, "time")


def share(value: Any) -> float:
    """``value`` as the share of customers of a percentile, 0 <= p < 1."""
    number = _finite(value, "share p of a percentile")
    if not 0.0 <= number < 1.0:
        meant = f"; write {number / 100.0:g} for p{number:g}" if 1.0 < number < 100.0 else ""
        raise InvalidInput(f"share p of a percentile is {number:g}, expected 0 <= p < 1{meant}")
    return number


def shares(values: Any) -> tuple[float, ...]:
    """One share of customers, or a sequence of them, each checked by `share`."""
    if isinstance(values, int | float):
        values = (values,)
    given = entries(values, "shares of percentiles")
    if not given:
        raise InvalidInput("no percentile asked for; expected shares such as 0.95")
    return tuple(share(value) for value in given)


def entries(value: Any, what: str) -> Sequence[Any]:
    """``value`` as a sequence; `InvalidInput` if it is none."""
    try:
        return validation.sequence(value, what)
    except InvalidNetwork as error:
        raise InvalidInput(str(error)) from None


def class_rows(classes: Any, third: str) -> list[Sequence[Any]]:
    """Each class as rate, service time and a ``third`` value; `InvalidInput` if one is not."""
    rows = [entries(each, f"class {i}") for i, each in enumerate(entries(classes, "classes"), 1)]
    for i, row in enumerate(rows, 1):
        if len(row) != 3:
            raise InvalidInput(f"class {i} is {row!r}, expected rate, service time, {third}")
    if not rows:
        raise InvalidInput("no classes, expected at least one")
    return rows


def check_stable(spare: float, arrival_rate: float, load: float, servers: int) -> None:
    """Raise `Unstable` unless there is capacity to spare."""
    if not spare > 0.0:
        raise Unstable(
            f"utilization would be {100.0 * load / servers:.6g} %; unstable. "
            f"Largest stable rate {arrival_rate / load * servers:.3g} /s"
        )
