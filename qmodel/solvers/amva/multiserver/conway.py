"""Marginal probabilities at the population that an arrival sees, one customer less of its class.

p(i) in proportion to L^i / (r(1) ... r(i)): de Souza e Silva and Muntz (1987), Conway (1989).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, amva/multiserver/conway.
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
