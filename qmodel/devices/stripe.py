"""Stripes and blocks: how many pieces a request falls into, and how many drives it needs.

A request of ``b`` bytes that starts anywhere meets ``1 + (b - 1) / s`` units of ``s`` bytes on
average. Source: P. M. Chen and D. A. Patterson, "Maximizing performance in a striped disk
array," ISCA 1990, pp. 322-331, which weighs pieces in parallel against drives held.
"""

from math import ceil

from qmodel.devices.ranges import not_negative, positive


def pieces(size: float, unit: float, *, aligned: bool = False) -> float:
    """Mean number of stripe units that a request meets. [1]

    ``size`` is that of the request, ``unit`` the contiguous bytes on one drive [bytes]; ``aligned``
    is whether requests start where a unit does.

    Examples
    --------
    >>> pieces(16384, 16384, aligned=True), round(pieces(16384, 16384), 2), pieces(1, 16384)
    (1.0, 2.0, 1.0)
    """
    positive(unit, "stripe unit", "bytes")
    positive(size, "size", "bytes")
    if aligned:
        return float(ceil(size / unit))
    return 1.0 + max(0.0, size - 1.0) / unit


def operations(volume: float, block: float, unit: float | None = None) -> float:
    """Operations at drives that a volume takes: in blocks, cut where a stripe unit ends. [1]

    ``volume`` are the bytes moved in all, ``block`` those of one logical operation, ``unit`` those
    of a stripe unit: a block that is longer is cut into pieces of it.

    Examples
    --------
    >>> operations(1e6, 4000.0), operations(1e6, 40000.0, unit=10000.0)
    (250.0, 100.0)
    """
    piece = positive(block, "block", "bytes")
    if unit is not None:
        piece = min(piece, positive(unit, "stripe unit", "bytes"))
    return not_negative(volume, "volume", "bytes") / piece
