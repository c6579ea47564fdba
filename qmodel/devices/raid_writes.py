"""Physical operations of a write under parity, by how much of a stripe it covers.

A stripe is one unit on every drive, ``d`` of data and ``p`` of parity. A write of ``k`` of its
units may read the old units and parity (read-modify-write), read the other data instead
(reconstruct), or need no read at all (full stripe). Source: P. M. Chen, E. K. Lee, G. A. Gibson,
R. H. Katz and D. A. Patterson, "RAID: high-performance, reliable secondary storage," ACM
Computing Surveys 26(2), 1994, pp. 145-185, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from qmodel.devices.ranges import count
from qmodel.errors import InvalidInput

Way = Literal["read-modify-write", "reconstruct", "least"]


@dataclass(frozen=True, slots=True)
class StripeWrite:
    """Units read and written for one write within a stripe.

    Parameters
    ----------
    reads, writes : int
        Units read before, and units written after. [operations]
    """

    reads: int
    writes: int

    @property
    def operations(self) -> int:
        """All of them."""
        return self.reads + self.writes

    @property
    def phases(self) -> int:
        """Steps one after the other: the writes wait for the reads, which go to other drives."""
        return 2 if self.reads else 1


def stripe_write(units: int, data: int, parity: int, way: Way = "least") -> StripeWrite:
    """Operations to write ``units`` of the ``data`` units of a stripe.

    Parameters
    ----------
    units : int
        Data units written, 1 to ``data``.
    data, parity : int
        Units of data and of parity in a stripe; ``parity`` may be 0.
    way : {"read-modify-write", "reconstruct", "least"}
        What the controller does with a part of a stripe; "least" takes the fewer operations.

    Raises
    ------
    InvalidInput
        If there are not so many units, or no such way.

    Examples
    --------
    A small write under RAID 5 on 5 drives, and one of the whole stripe:

    >>> stripe_write(1, data=4, parity=1).operations, stripe_write(4, data=4, parity=1).operations
    (4, 5)

    On three drives it is cheaper to read the one other unit:

    >>> stripe_write(1, data=2, parity=1)
    StripeWrite(reads=1, writes=2)
    """
    data, parity = count(data, "data units"), count(parity, "parity units", 0)
    units = count(units, "units written")
    if units > data:
        raise InvalidInput(f"units written are {units}, a stripe has {data}")
    written = units + parity
    modify = StripeWrite(written if parity else 0, written)
    reconstruct = StripeWrite(data - units if parity else 0, written)
    if units == data:
        return StripeWrite(0, written)
    if way == "read-modify-write":
        return modify
    if way == "reconstruct":
        return reconstruct
    if way == "least":
        return min(reconstruct, modify, key=lambda each: each.operations)
    raise InvalidInput(f"no way {way!r} to write; there is read-modify-write, reconstruct, least")


def full_stripe_factor(data: int, parity: int) -> float:
    """Physical operations for each unit written where whole stripes are: ``(d + p) / d``. [1]

    Examples
    --------
    >>> full_stripe_factor(data=4, parity=1)
    1.25
    """
    return 1.0 + count(parity, "parity units", 0) / count(data, "data units")
