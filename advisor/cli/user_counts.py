"""Numbers of users as people write them: ``20,40`` or ``10:400:10``."""

from __future__ import annotations

from qmodel.errors import InvalidInput

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
