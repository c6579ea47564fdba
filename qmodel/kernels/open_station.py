"""How much longer than its demand a visit takes at an open station of product form.

Source: L. Kleinrock, "Queueing Systems, Volume I: Theory," Wiley, 1975, sections 3.2, 3.5: M/M/1,
M/M/m, and birth-death queues of state-dependent service.
"""

from __future__ import annotations

from qmodel.laws.erlang import erlang_c

#: Weights are scaled down by this power of two, exactly, before they overflow.
_LARGE = 2.0**512


def residence_per_demand(station: int | tuple[float, ...], load: float, spare: float) -> float:
    """Residence time of any class over its demand: 1 without waiting. [1]

    ``station`` is its number of equal servers, or its relative rates with 1, 2 ... customers, the
    last going on; ``load`` is that of all classes, ``spare`` the capacity left, > 0. [servers]

    Examples
    --------
    >>> residence_per_demand(1, load=0.75, spare=0.25)
    4.0
    >>> round(residence_per_demand(2, load=1.0, spare=1.0), 12)
    1.333333333333
    """
    if isinstance(station, tuple):
        return _load_dependent(station, load, spare)
    if station == 1:
        return 1.0 / spare
    return 1.0 + erlang_c(station, load, spare) / spare


def _load_dependent(rates: tuple[float, ...], load: float, spare: float) -> float:
    """Sum of n / rate(n) over what an arrival finds, n - 1 customers with probability p(n - 1)."""
    # p(n) / p(0) is the product of load / rate; past the last rate it is a geometric sequence.
    last = rates[-1]
    weight, total, seen = 1.0, 0.0, 0.0
    for n, rate in enumerate(rates[:-1], 1):
        total += weight
        seen += weight * n / rate
        weight *= load / rate
        if weight > _LARGE:
            weight, total, seen = weight / _LARGE, total / _LARGE, seen / _LARGE
    idle = spare / last
    total += weight / idle
    seen += weight * (len(rates) + load / spare) / (last * idle)
    return seen / total
