"""Marginal probabilities at the population that an arrival sees, one customer less of its class.

With relative rates r(1) ... r(M), the last and highest going on, the arrival theorem is [1]

    R' = D / r(M) (1 + A + sum over i < M - 1 of (i + 1) (r(M) / r(i + 1) - 1) p(i)),

A the mean number and p(i) the probability of i customers that an arrival sees; for m servers the
sum is that of (m - 1 - i) p(i). The exact recursion
p(i | N) = sum of X_c D_c / r(i) p(i - 1 | N - e_c) is closed by taking the probabilities at one
customer less for those at N [2, 3], which makes them those of an open station of the same load L,
p(i) proportional to L^i / (r(1) ... r(i)). The idle part of the station fixes the constant:
sum over i < M of (r(M) - r(i)) p(i) = r(M) - L. All terms are positive, where the recursion as
published finds p(0) by subtraction and may end below zero.

The load is that of the populations with one customer less where a method solves them, Linearizer
and AQL; in Bard-Schweitzer the arrival's own share is left out of it.

References
----------
.. [1] M. Reiser and S. S. Lavenberg, "Mean-value analysis of closed multichain queuing
   networks," Journal of the ACM 27(2), 1980, pp. 313-322.
.. [2] E. de Souza e Silva and R. R. Muntz, "Approximate solutions for a class of non-product form
   queueing network models," Performance Evaluation 7(3), 1987, pp. 221-242.
.. [3] A. E. Conway, "Fast approximate solution of queueing networks with multi-server
   chain-dependent FCFS queues," Modeling Techniques and Tools for Computer Performance
   Evaluation, Plenum, 1989, pp. 385-396.
"""

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.solvers.amva.multiserver.law import Law, Values


def at(load: Array, rates: Array) -> Values:
    """The a and f of `Law`, with their slopes by the load; f is 1."""
    full = rates[-1]
    inside = np.clip(load, 1e-12 * full, full * (1.0 - 1e-12))
    below = rates[:-1]
    before = np.concatenate([np.zeros_like(rates[:1]), below])
    lost = np.arange(1.0, len(rates) + 1.0)[:, None] * (full / rates - 1.0)
    # Weights L^i / (r(1) ... r(i)), i < M, in units of the largest.
    order = np.arange(len(rates))[:, None, None]
    past = np.concatenate([np.zeros_like(rates[:1]), np.cumsum(np.log(below), axis=0)])
    logs = order * np.log(inside) - past[:, None]
    weights = np.exp(logs - logs.max(axis=0))
    waits = weights * lost[:, None]
    rest = weights * (full - before)[:, None]
    above, under = waits.sum(axis=0), rest.sum(axis=0)
    spare = full - inside
    idle = spare * above / under
    bend = (order * waits).sum(axis=0) / inside * under - above * (order * rest).sum(
        axis=0
    ) / inside
    slope = -above / under + spare * bend / under**2
    return 1.0 + idle, 1.0, np.where(load < full, slope, 0.0), 0.0


LAW = Law("conway", at, any_rates=True)
