"""Seeks: the time to move the arm over a number of cylinders.

A short seek accelerates all the way and grows with the square root of the distance, a long one
coasts and grows linearly. Source: C. Ruemmler and J. Wilkes, "An introduction to disk drive
modeling," IEEE Computer 27(3), 1994, pp. 17-28, table 2 for the HP C2200A and HP 97560.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from qmodel.devices.ranges import count, not_negative, positive
from qmodel.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class SeekCurve:
    """Seek time by distance: ``short + root sqrt(d)`` up to ``boundary``, then ``long + slope d``.

    Parameters
    ----------
    cylinders : int
        Cylinders of the drive. [cylinders]
    short : float
        Constant part of a short seek. [s]
    root : float
        Growth of a short seek with the square root of the distance. [s]
    boundary : int
        First distance that counts as long. [cylinders]
    long : float
        Constant part of a long seek. [s]
    slope : float
        Growth of a long seek. [s/cylinder]

    Raises
    ------
    InvalidInput
        If a time is negative or there is no cylinder to seek to.

    Examples
    --------
    >>> HP_97560.time(0), round(HP_97560.time(100) * 1000, 2), round(HP_97560.time(1000) * 1000, 2)
    (0.0, 7.24, 16.0)
    """

    cylinders: int
    short: float
    root: float
    boundary: int
    long: float
    slope: float

    def __post_init__(self) -> None:
        count(self.cylinders, "number of cylinders", 2, 10**7)
        count(self.boundary, "first long seek", 1)
        for name in ("short", "root", "long"):
            not_negative(getattr(self, name), f"{name} part of a seek", "s")
        not_negative(self.slope, "slope of a seek", "s/cylinder")

    def time(self, distance: float) -> float:
        """Time of a seek over ``distance`` cylinders; 0 for none. [s]

        Raises
        ------
        InvalidInput
            If the distance is negative or leaves the drive.
        """
        if not 0 <= distance < self.cylinders:
            raise InvalidInput(
                f"seek distance is {distance:g} cylinders, expected 0 to {self.cylinders - 1}"
            )
        if distance == 0:
            return 0.0
        if distance < self.boundary:
            return self.short + self.root * sqrt(distance)
        return self.long + self.slope * distance

    def mean(self, used: float = 1.0) -> float:
        """Mean seek between two places drawn evenly from the used part of the drive. [s]

        Of C cylinders a distance d > 0 has probability ``2 (C - d) / C**2``, no seek ``1 / C``.

        Parameters
        ----------
        used : float
            Share of the cylinders that hold data, over 0 and up to 1. The same files on a larger
            drive need shorter seeks. [1]

        Examples
        --------
        >>> round(HP_97560.mean() * 1000, 1), round(HP_97560.mean(used=0.5) * 1000, 1)
        (12.8, 9.9)
        """
        if not 0 < positive(used, "used share of the cylinders") <= 1:
            raise InvalidInput(f"used share of the cylinders is {used:g}, expected 0 to 1")
        cylinders = max(1, round(self.cylinders * used))
        total = 0.0
        for distance in range(1, cylinders):
            total += 2.0 * (cylinders - distance) * self.time(distance)
        return total / cylinders**2


#: Ruemmler and Wilkes 1994, table 2: 1962 cylinders, 4002 revolutions per minute.
HP_97560 = SeekCurve(1962, 3.24e-3, 0.400e-3, 383, 8.00e-3, 0.008e-3)
#: Ruemmler and Wilkes 1994, table 2: 1449 cylinders, 4002 revolutions per minute.
HP_C2200A = SeekCurve(1449, 3.45e-3, 0.597e-3, 616, 10.8e-3, 0.012e-3)
