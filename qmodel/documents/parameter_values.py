"""Values of a parameter as people write them: ``1:2000``, ``0.1s:0.3s:0.05s``, ``1,2,5``."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from qmodel.documents.units import quantity
from qmodel.documents.wording import show_text
from qmodel.errors import InvalidInput

#: What each kind of parameter is measured in; None is a whole number.
DIMENSIONS = {
    "users": None, "population": None, "servers": None, "customers": None,
    "demand": "time", "think_time": "time", "arrival_rate": "rate",
}  # fmt: skip
#: Values of one parameter at most.
MOST = 10**7


def parse_vary(texts: Iterable[str]) -> dict[str, Any]:
    """Parameters and their values, each written as ``name=values``; as `qmodel.sweep` takes them.

    Values go from a first to a last one, ``1:2000`` or with a step ``0.1s:0.3s:0.05s``, the last
    one included; or stand one by one, ``0.1s,0.2s``. Times and rates have units.
    """
    values_by_name: dict[str, Any] = {}
    for text in texts:
        name, sign, values = text.partition("=")
        name = name.strip()
        if not sign or not name or not values.strip():
            raise InvalidInput(f"--vary {text}: expected NAME=VALUES, as in users=1:200")
        if name in values_by_name:
            raise InvalidInput(f"--vary {name} is given twice; give it once")
        kind = name.partition(".")[0]
        if kind not in DIMENSIONS:
            raise InvalidInput(
                f"--vary {name}: no parameter {show_text(kind)}; there is {', '.join(DIMENSIONS)}"
            )
        try:
            values_by_name[name] = _values(values, DIMENSIONS[kind])
        except InvalidInput as error:
            raise InvalidInput(f"--vary {name}: {error}") from None
    return values_by_name


def _values(text: str, dimension: str | None) -> Any:
    if ":" not in text:
        return [_value(one, dimension) for one in text.split(",")]
    ends = [_value(one, dimension) for one in text.split(":")]
    if len(ends) > 3 or (len(ends) == 2 and dimension is not None):
        example = "1:200 or 1:200:10" if dimension is None else "0.1s:0.3s:0.05s"
        raise InvalidInput(f"expected first:last:step as in {example}, got {show_text(text)}")
    first, last, step = (*ends, 1)[:3]
    # In decimals, so that 0.1 and two steps of 0.1 are 0.3.
    low, high, by = (Fraction(repr(end)) for end in (first, last, step))
    if by == 0 or (high - low) / by < 0:
        raise InvalidInput(f"no step of {step:g} leads from {first:g} to {last:g}; give another")
    count = (high - low) // by + 1
    if count > MOST:
        raise InvalidInput(f"{count} values, at most {MOST:.0e}")
    if dimension is None:
        return range(int(first), int(first) + count * int(step), int(step))
    return [float(low + i * by) for i in range(count)]


def _value(text: str, dimension: str | None) -> float | int:
    stripped = text.strip()
    if dimension is not None:
        return quantity(stripped, dimension)
    if not stripped.removeprefix("-").isdecimal() or len(stripped) > 18:
        raise InvalidInput(f"expected a whole number, got {show_text(stripped)}")
    return int(stripped)
