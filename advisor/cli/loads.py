"""Loads as people write them: ``20,40`` or ``10:400:10``, of users or of requests per second."""

from math import floor

from qmodel.errors import InvalidInput

#: Most loads in one prediction.
MOST = 10_000


def user_counts(text: str) -> tuple[int, ...]:
    """Whole numbers from 1 on, one by one or from a first to a last one with a step."""
    found = _loads(text, "--users", 1.0, "whole numbers from 1 on, as in 20,40 or 10:400:10")
    return tuple([int(each) for each in found])


def rates(text: str) -> tuple[float, ...]:
    """Requests per second, one by one or from a first to a last one with a step."""
    return _loads(text, "--rate", 0.0, "requests per second, as in 20,40 or 100:600:100")


def _loads(text: str, option: str, whole: float, expected: str) -> tuple[float, ...]:
    """The loads of an option: multiples of ``whole``, which is also the step if none is given."""
    found: dict[float, None] = {}
    for part in text.split(","):
        try:
            ends = [float(end) for end in part.split(":")]
        except ValueError:
            ends = []
        steps = ends[2:] or [whole or 1.0]
        sound = [0.0 < n < 1e9 and (not whole or n == int(n)) for n in (*ends, *steps)]
        if not 1 <= len(ends) <= 3 or not all(sound):
            raise InvalidInput(f"{option}: expected {expected}; got {text!r}")
        first, last, step = ends[0], ends[-1] if len(ends) == 1 else ends[1], steps[0]
        if last < first:
            raise InvalidInput(f"{option}: {last:g} is below {first:g}, from which {part} starts")
        count = floor((last - first) / step * (1.0 + 1e-12)) + 1
        if count + len(found) > MOST:
            raise InvalidInput(f"{option}: more than {MOST:,} loads; take longer steps")
        found.update(dict.fromkeys([first + step * i for i in range(count)]))
    return tuple(found)
