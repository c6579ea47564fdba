"""Validation of arguments: plain numbers, or an error that names what is wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from math import inf, isfinite
from typing import Any
from warnings import warn

from qmodel.errors import InvalidInput, InvalidNetwork, hidden_character

#: The largest whole number; floats end a little beyond.
LARGEST = 10**300
#: What is raised: of a network, or of another argument.
Refusal = type[InvalidNetwork | InvalidInput]
#: Smaller numbers than this are no measurement, and their products leave the range of floats.
LEAST = 1e-100


def assign(record: object, **values: object) -> None:
    """Set fields of a frozen record, while it is made."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def integer(
    value: Any, what: str, least: int = -LARGEST, most: int = LARGEST,
    error: Refusal = InvalidNetwork,
) -> int:  # fmt: skip
    """``value`` as an int, a whole number from ``least`` to ``most``; otherwise an error."""
    if type(value) is int and least <= value <= most:
        return value  # the common case first: a sweep builds very many networks
    number = finite(value, what, "a whole number", error)
    if number != int(number):
        raise error(f"{what} is {value!r}, expected a whole number")
    if number < least:
        raise error(f"{what} is {value}, expected >= {least}")
    if number > most:
        raise error(f"{what} is {value:.6g}, expected <= {most:.6g}")
    return int(value)


def finite(
    value: Any, what: str, expected: str = "a finite number", error: Refusal = InvalidNetwork
) -> float:
    """``value`` as a float; raises an error unless it is a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = inf
    if isinstance(value, bool | str | bytes) or not isfinite(number):
        raise error(f"{what} is {value!r}, expected {expected}")
    return number


def not_negative(
    value: Any, what: str, unit: str = "", error: Refusal = InvalidNetwork, sign: str = ">="
) -> float:
    """``value`` as a finite float of at least 0; otherwise an error."""
    if type(value) is float and 0.0 < value < inf:
        return value
    number = finite(value, what, error=error)
    if number < 0.0 or (sign == ">" and number == 0.0):
        of = f" {unit}" if unit else ""
        raise error(f"{what} is {number:g}{of}, expected {sign} 0{of}")
    return number


def positive(value: Any, what: str, unit: str = "", error: Refusal = InvalidNetwork) -> float:
    """``value`` as a finite float above 0; otherwise an error."""
    return not_negative(value, what, unit, error, ">")


class Renamed:
    """The old name of an attribute, for one release; the new one is in the warning.

    Examples
    --------
    >>> import warnings
    >>> from qmodel import QueueingStation
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     QueueingStation("cpu", 2).capacity
    2.0
    >>> str(caught[0].message)
    'QueueingStation.capacity is now max_rate; the old name goes with the next release'
    """

    def __init__(self, new: str) -> None:
        self.new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self.old = name

    def __get__(self, record: object, owner: type) -> Any:
        if record is None:
            return self
        warn_renamed(f"{owner.__name__}.{self.old}", self.new)
        return getattr(record, self.new)


def warn_renamed(old: str, new: str, depth: int = 3) -> None:
    """Warn that a name was changed; ``depth`` frames up stands who used it."""
    text = f"{old} is now {new}; the old name goes with the next release"
    warn(text, FutureWarning, stacklevel=depth)


def check_name(name: Any, what: str) -> None:
    """Raise `InvalidNetwork` unless ``name`` is text on one line with something in it."""
    if not isinstance(name, str) or not name.strip():
        raise InvalidNetwork(f"name of a {what} is {name!r}, expected text")
    if hidden_character(name):
        raise InvalidNetwork(f"name of a {what} is {name!r}, expected text that can be printed")


class Shown:
    """A record that shows as Python: its first fields, and of the others what is no default."""

    __slots__ = ()
    #: Fields that are shown whatever they are.
    _always = 1

    def __repr__(self) -> str:
        record: Any = self
        pairs = [(field, getattr(record, field.name)) for field in fields(record)]
        text = ", ".join(
            f"{field.name}={value!r}"
            for i, (field, value) in enumerate(pairs)
            if field.init and (i < self._always or value != field.default)
        )
        return f"{type(self).__name__}({text})"


def sequence(value: Any, what: str) -> Sequence[Any]:
    """A list or tuple of what an array, a list or any other iterable holds."""
    if isinstance(value, list | tuple):
        return value
    tolist = getattr(value, "tolist", None)  # NumPy arrays and pandas columns
    converted = tolist() if tolist else value
    if isinstance(converted, str | bytes | dict) or not isinstance(converted, Iterable):
        raise InvalidNetwork(f"{what} is {value!r}, expected a sequence")
    return list(converted)


def unique_members(values: Any, kind: Any, what: str) -> tuple[Any, ...]:
    """A tuple of at least one ``kind``, no name used twice."""
    members = tuple(sequence(values, f"list of {what}s"))
    if not members:
        raise InvalidNetwork(f"a network needs at least one {what}")
    names: set[str] = set()
    for member in members:
        if not isinstance(member, kind):
            raise InvalidNetwork(f"{member!r} is not a {what}, as expected")
        if member.name in names:
            raise InvalidNetwork(f"{what} name {member.name!r} is used twice")
        names.add(member.name)
    return members


def matrix(
    values: Any, class_names: Sequence[str], station_names: Sequence[str], what: str
) -> tuple[tuple[float, ...], ...]:
    """Numbers >= 0 of shape (C, K) as tuples; one class may leave out the outer brackets."""
    rows = sequence(values, what)
    if len(class_names) == 1 and rows and isinstance(rows[0], int | float):
        rows = [rows]
    if len(rows) != len(class_names):
        raise InvalidNetwork(
            f"{what} has {len(rows)} rows, expected one per class: {len(class_names)}"
        )
    checked = []
    for class_name, row in zip(class_names, rows, strict=True):
        numbers = sequence(row, f"{what} of class {class_name!r}")
        if len(numbers) != len(station_names):
            raise InvalidNetwork(
                f"{what} of class {class_name!r} has {len(numbers)} values, "
                f"expected one per station: {len(station_names)}"
            )
        # The common case first: a sweep builds very many networks.
        checked.append(
            tuple(
                n if type(n) is float and LEAST <= n < inf else _entry(n, what, class_name, station)
                for station, n in zip(station_names, numbers, strict=True)
            )
        )
    return tuple(checked)


def check_visits(
    visits: Sequence[Sequence[float]], demand: Sequence[Sequence[float]],
    class_names: Sequence[str], station_names: Sequence[str],
) -> None:  # fmt: skip
    """Raise `InvalidNetwork` where there is a demand and no visit."""
    for class_name, row, demands in zip(class_names, visits, demand, strict=True):
        for station_name, ratio, time in zip(station_names, row, demands, strict=True):
            if time and not ratio:
                raise InvalidNetwork(
                    f"visit ratio of class {class_name!r} at station {station_name!r} is 0, its "
                    f"demand there {time:g} s; expected visits"
                )


def _entry(value: Any, what: str, class_name: str, station_name: str) -> float:
    where = f"{what} of class {class_name!r} at station {station_name!r}"
    number = finite(value, where)
    if number < 0:
        raise InvalidNetwork(f"{where} is {number:g}, expected >= 0")
    if 0 < number < LEAST:
        raise InvalidNetwork(f"{where} is {number:g}, expected 0 or at least {LEAST:g}")
    return number
