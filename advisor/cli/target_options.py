"""Numbers as people write them: ``--response 2s``, ``--utilization 80%``, ``--users 20,40``."""

from __future__ import annotations

from typing import Annotated

import typer

Response = Annotated[
    str | None,
    typer.Option("--response", help='Target, as in "2 s" or 250ms, of the mean of each class.'),
]
Utilization = Annotated[
    str | None, typer.Option("--utilization", help="Target, as in 80%, of each resource.")
]


def time_above_0(text: str | None, option: str = "--response") -> float | None:
    """The time that an option gives. [s]"""
    return None if text is None else _above_0(text, option, "time", float("inf"))


def fraction_above_0(text: str | None, option: str = "--utilization") -> float | None:
    """The fraction that an option gives. [1]"""
    return None if text is None else _above_0(text, option, "fraction", 1.0)


def _above_0(text: str, option: str, dimension: str, most: float) -> float:
    from qmodel.documents.units import quantity
    from qmodel.errors import InvalidInput

    try:
        value = quantity(text, dimension)
    except InvalidInput as error:
        raise InvalidInput(f"{option}: {error}") from None
    if not 0.0 < value <= most:
        up_to = " and up to 100 %" if most == 1.0 else ""
        raise InvalidInput(f"{option}: must be above 0{up_to}, got {text}")
    return value


#: Most numbers of users in one prediction.
MOST = 10_000


def user_counts(text: str) -> tuple[int, ...]:
    """Whole numbers from 1 on, one by one or from a first to a last one with a step.

    Raises
    ------
    qmodel.InvalidInput
        What is wrong and what would be right.

    Examples
    --------
    >>> user_counts("20, 40,100:300:100")
    (20, 40, 100, 200, 300)
    """
    from qmodel.errors import InvalidInput

    found: dict[int, None] = {}
    for part in text.split(","):
        ends = [end.strip() for end in part.split(":")]
        if len(ends) > 3 or not all(e.isdecimal() and len(e) < 10 and int(e) for e in ends):
            raise InvalidInput(
                f"--users: expected whole numbers from 1 on, as in 20,40 or 10:400:10; got {text!r}"
            )
        first, last, step = (*map(int, ends), 1)[:3] if len(ends) > 1 else (int(ends[0]),) * 3
        if last < first:
            raise InvalidInput(f"--users: {last} is below {first}, from which {part} starts")
        if (last - first) // step >= MOST or len(found) >= MOST:
            raise InvalidInput(f"--users: more than {MOST:,} numbers of users")
        found.update(dict.fromkeys(range(first, last + 1, step)))
    return tuple(found)
