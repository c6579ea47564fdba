"""Stationary distribution of the age process: matrix-geometric over the levels.

    x(l) = x(0) R^l,    R = nu (nu I - S - nu Phi K)^-1,    x(0) = x(m - 1) D_A R / nu,

Phi the first-passage matrix at s = 0 and D_A = nu K the arrivals that seize the last server; the
boundary solves x_B (B + D_A Phi) = 0 and all add up to 1. R is the rate matrix of a process skip-
free to the right (GI/M/1 type), here in closed form by Phi [1].

References
----------
.. [1] G. Latouche and V. Ramaswami, "Introduction to Matrix Analytic Methods in Stochastic
   Modeling," SIAM, 1999.
"""

from __future__ import annotations

import numpy as np

from qmodel.matrix_analytic.age_process import AgeProcess
from qmodel.matrix_analytic.first_passage_matrix import first_passage_matrix
from qmodel.matrix_analytic.state_vector import StateVector

#: Probability above the last level that is kept, and states at most.
LEFT, MOST = 1e-10, 4_000_000


def stationary_distribution(age: AgeProcess) -> StateVector | None:
    """The probabilities, one column; None where there are too many states.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import fit_phase_type
    >>> from qmodel.matrix_analytic.marked_arrival_process import renewal_process
    >>> from qmodel.matrix_analytic.server_phases import server_phases
    >>> from qmodel.matrix_analytic.age_process import AgeProcess
    >>> service = server_phases({0: fit_phase_type(0.5, 1.0)}, 1, 1)
    >>> x = stationary_distribution(AgeProcess(renewal_process(1.0, 1.0, 0, 1), service))
    >>> x.boundary.round(8).tolist(), round(float(x.levels.sum()), 8)
    ([[0.5]], 0.5)
    """
    size, nu, last = len(age.service_generator), age.tick_rate, age.slices[-1]
    phi = first_passage_matrix(age, 0.0)
    r = nu * np.linalg.inv(nu * np.eye(size) - age.service_generator - nu * phi @ age.arrival_tick)
    first = age.seize_last_server @ r / nu
    total = np.linalg.solve(np.eye(size) - r, np.ones(size))
    rates = age.boundary_generator.copy()
    rates[last, last] += age.seize_last_server @ phi
    weights = np.ones(len(rates))
    weights[last] += first @ total
    rates[:, 0] = weights
    normalised = np.zeros(len(rates))
    normalised[0] = 1.0
    boundary = np.linalg.solve(rates.T, normalised)
    levels = [boundary[last] @ first]
    while abs(float(levels[-1] @ total)) > LEFT:
        if (len(levels) + 1) * size > MOST or not np.isfinite(levels[-1]).all():
            return None
        levels.append(levels[-1] @ r)
    return StateVector(boundary[:, None], np.array(levels)[:, :, None])
