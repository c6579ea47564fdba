"""Rounds about a central server: how many find the same.

Customers who come back to a central server a little later find much the same others there: these
come and go more slowly. Taken as independent, the rounds would add up to a time with too short a
tail. So several rounds in turn find the same, and then all is drawn anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qmodel.model.visit_routing import ImpliedRouting

#: Rounds about a central server one after the other that find the same customers, as others come
#: and go more slowly, over the mean number of rounds: chosen by `benchmarks.accuracy`.
ALIKE = 2.0
#: Products of power series times their lengths that are affordable.
MOST = 60_000


def alike(rounds: ImpliedRouting, work: int, scv: float = 1.0) -> int:
    """How many rounds find the same: so many, or fewer where that takes too long.

    Parameters
    ----------
    rounds : ImpliedRouting
        The rounds.
    work : int
        Length of a power series.
    scv : float
        Of service at the central server: where it varies more, queues change sooner. [1]

    Examples
    --------
    >>> from qmodel.model.visit_routing import ImpliedRouting
    >>> rounds = ImpliedRouting.of([4.0, 2.0, 1.0])
    >>> alike(rounds, 100), alike(rounds, 1000)
    (8, 7)
    """
    if rounds.central is None:
        return 0
    others = sum(1 for k, p in enumerate(rounds.earlier) if p and k != rounds.central)
    most = (
        max(2, round(ALIKE * rounds.passes))
        if scv <= 1.0
        else round(ALIKE * rounds.passes / scv**2)
    )
    for found in range(most, 1, -1):
        if products(found, others) * work <= MOST:
            return found
    return 1


def products(alike: int, others: int) -> int:
    """About how many products of power series so many rounds to so many others take."""
    return 2 * (alike + 1) + max(0, others - 1) * (alike + 1) * (alike + 2) // 2
