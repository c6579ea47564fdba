"""One array or several, evenly loaded or not: what the busiest drive gets.

One array spreads every file over all drives. Several arrays keep the files of some users each, so
the load follows the users: the busiest array has more than its share. The 2000 study of mail
servers saw file growth differ by 24 to 29 % between five arrays of two drives, by 3 to 6 % between
two of five.
"""

from __future__ import annotations

from collections.abc import Sequence

from qmodel.devices.ranges import MOST_PARTS, count, not_negative, share
from qmodel.errors import InvalidInput


def array_shares(arrays: int, spread: float = 0.0) -> tuple[float, ...]:
    """Share of the operations that goes to each array, from even to uneven. [1]

    Shares fall in equal steps; ``spread`` is how much the highest exceeds the lowest, as a share
    of the lowest.

    Parameters
    ----------
    arrays : int
        Number of arrays.
    spread : float
        Highest over lowest, less 1; 0 where the load is even. [1]

    Examples
    --------
    >>> array_shares(2), [round(each, 3) for each in array_shares(5, spread=0.29)]
    ((0.5, 0.5), [0.225, 0.213, 0.2, 0.187, 0.175])
    """
    arrays = count(arrays, "number of arrays", most=MOST_PARTS)
    not_negative(spread, "spread of the load")
    if arrays == 1:
        return (1.0,)
    steps = [1.0 + spread * (arrays - 1 - i) / (arrays - 1) for i in range(arrays)]
    total = sum(steps)
    return tuple(step / total for step in steps)


def drive_operations(
    each_array: Sequence[Sequence[float]], shares: Sequence[float]
) -> tuple[float, ...]:
    """Operations at every drive of several arrays.

    Parameters
    ----------
    each_array : sequence of sequences
        For each array, the operations at its drives if it had all of the load.
    shares : sequence of float
        Share of the load at each array; they add up to 1.

    Examples
    --------
    >>> drive_operations([(50.0, 50.0), (50.0, 50.0)], (0.75, 0.25))
    (37.5, 37.5, 12.5, 12.5)
    """
    if len(each_array) != len(shares):
        raise InvalidInput(f"{len(shares)} shares given, expected one per array: {len(each_array)}")
    if abs(sum(shares) - 1.0) > 1e-9:
        raise InvalidInput(f"shares of the arrays add up to {sum(shares):g}, expected 1")
    return tuple(
        not_negative(n, "operations at a drive") * share(part, "share of an array")
        for drives, part in zip(each_array, shares, strict=True)
        for n in drives
    )
