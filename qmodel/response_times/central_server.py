"""Cycles about a central server that find the same state of the network; see THEORY.md."""

from math import inf

from qmodel.model.visit_routing import ROUNDING, ImpliedRouting

#: Cycles that find the same state, over the mean number of cycles: chosen by
#: `benchmarks.accuracy`.
ALIKE = 2.0
#: Products of power series times their lengths that are affordable.
MOST = 60_000


def cycles_alike(
    rounds: ImpliedRouting, work: int, scv: float = 1.0, *, shared: bool = False
) -> float:
    """How many cycles find the same state; infinite where the central server's alone is the same.

    ``work`` is the length of a power series, ``scv`` that of service at the central server: where
    it is larger, queues change sooner. Of a central server that is ``shared`` the state will do.
    """
    if rounds.central is None:
        return 0
    chances = [p for k, p in enumerate(rounds.earlier) if p and k != rounds.central]
    others = len(chances) + (sum(chances) < 1.0 - ROUNDING)  # or straight back

    def affordable(cycles: int) -> bool:
        products = 2 * (cycles + 1) + max(0, others - 1) * (cycles + 1) * (cycles + 2) // 2
        return products * work <= MOST

    most = round(ALIKE * rounds.passes / max(1.0, scv) ** 2)
    if shared and not affordable(most):
        return inf
    return next(filter(affordable, range(min(most, MOST // (2 * work)), 1, -1)), 1)
