r"""Phase-type distributions by a two-moment fit.

A phase-type distribution is the time to absorption of a Markov chain with the initial distribution
alpha and the subgenerator T; here phases follow one another (Coxian form) and

    alpha_i = start_i,   T_ii = -rate_i,   T_i,i+1 = rate_i (1 - ends_i),   t_i = rate_i ends_i.

Mean and SCV are matched exactly [1]: a mixture of the Erlang distributions E(k-1) and E(k) of the
same rate for an SCV of at most 1, a hyperexponential distribution H2 of balanced means above. The
order is bounded: an SCV below ``1 / MOST`` is replaced by that. At a single server with Poisson
arrivals an SCV of 1/32 makes the mean wait 3 % longer than an SCV of 0.

References
----------
.. [1] H. C. Tijms, "Stochastic Models: An Algorithmic Approach," Wiley, 1994, app. B, pp. 358-360.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import NamedTuple

#: Highest order.
MOST = 32
#: Distance from an integer, or from an SCV of 1, that is rounding.
NEAR = 1e-9


class PhaseType(NamedTuple):
    """A phase-type distribution in Coxian form."""

    #: alpha, the initial distribution. [1]
    start: tuple[float, ...]
    #: Total rate out of each phase. [1/s]
    rate: tuple[float, ...]
    #: Probability of absorption on leaving each phase; otherwise the next phase follows. [1]
    ends: tuple[float, ...]


def fit_phase_type(mean: float, scv: float) -> PhaseType:
    """The phase-type distribution of this mean [s] and squared coefficient of variation.

    Examples
    --------
    >>> fit_phase_type(2.0, 1.0)
    PhaseType(start=(1.0,), rate=(0.5,), ends=(1.0,))
    >>> fit_phase_type(2.0, 0.5)
    PhaseType(start=(1.0, 0.0), rate=(1.0, 1.0), ends=(0.0, 1.0))
    """
    if abs(scv - 1.0) < NEAR:
        return PhaseType((1.0,), (1.0 / mean,), (1.0,))
    if scv > 1.0:
        first = 0.5 * (1.0 + sqrt((scv - 1.0) / (scv + 1.0)))
        second = 1.0 - first
        return PhaseType((first, second), (2.0 * first / mean, 2.0 * second / mean), (1.0, 1.0))
    scv = max(scv, 1.0 / MOST)
    count = max(2, ceil(1.0 / scv - NEAR))
    # With probability ``shorter`` the first of the phases is skipped.
    shorter = (count * scv - sqrt(count * (1.0 + scv) - count * count * scv)) / (1.0 + scv)
    shorter = max(0.0, shorter) if shorter > 1e-12 else 0.0
    rate = (count - shorter) / mean
    start = (1.0 - shorter, shorter, *[0.0] * (count - 2))
    return PhaseType(start, (rate,) * count, (*[0.0] * (count - 1), 1.0))
