"""The first-passage matrix Phi of the age process, by structure-preserving doubling.

From level l, Phi(s) has the chances of the states at the first inspection with l ticks left, before
an exponential time of rate s has ended. It is the minimal solution of

    Phi = T (C + nu Phi (P + K Phi)),    T = (s I + nu I - S)^-1,

a nonsymmetric algebraic Riccati equation: S has the changes of service phase, C the completions, P
and K an inspected tick without and with an arrival (`age_process`). It takes the part that G takes
in a QBD and Psi in a fluid queue. With u the values after an inspection and v those on a level,

    u' = P u + K v,    v = T (C u + nu v')

is a recursion over levels; doubling composes it with itself, so that the error is squared at each
step [1, ch. 5].

Stationary distribution of the age process: matrix-geometric over the levels.

    x(l) = x(0) R^l,    R = nu (nu I - S - nu Phi K)^-1,    x(0) = x(m - 1) D_A R / nu,

Phi the first-passage matrix at s = 0 and D_A = nu K the arrivals that seize the last server; the
boundary solves x_B (B + D_A Phi) = 0 and all add up to 1. R is the rate matrix of a process skip-
free to the right (GI/M/1 type), here in closed form by Phi [2].

References
----------
.. [1] D. A. Bini, B. Iannazzo and B. Meini, "Numerical Solution of Algebraic Riccati Equations,"
   SIAM, 2012: chapter 5.
.. [2] G. Latouche and V. Ramaswami, "Introduction to Matrix Analytic Methods in Stochastic
   Modeling," SIAM, 1999.
"""

import numpy as np

from qmodel.matrix_analytic.age_process import AgeProcess, StateVector
from qmodel.numerics.arrays import Array

#: Doublings at most, and the step at which to stop.
DOUBLINGS, LEFT = 60, 1e-14


def first_passage_matrix(age: AgeProcess, s: float) -> Array:
    """Phi(s), shape (n N_m, n N_m-1). For a stable queue the rows of Phi(0) add up to 1.

    Raises `numpy.linalg.LinAlgError` if the doubling does not converge.
    """
    resolvent = (s + age.tick_rate) * np.eye(len(age.service_generator)) - age.service_generator
    phi: Array = np.linalg.solve(resolvent, sum(age.completions))
    rises = age.tick_rate * np.linalg.inv(resolvent)
    falls = age.quiet_tick + age.arrival_tick @ phi
    again = age.arrival_tick @ rises
    identity = np.eye(len(falls))
    for _ in range(DOUBLINGS):
        up, down = rises @ phi, again @ rises
        both = np.linalg.solve(identity - again @ phi, np.hstack([down, falls]))
        back, fallen = both[:, : len(rises)], both[:, len(rises) :]
        step = up @ fallen
        again = again + falls @ back
        rises = rises @ rises + up @ back
        falls = falls @ fallen
        phi = phi + step
        largest = abs(step).max()
        if largest <= LEFT:
            return phi
        if not np.isfinite(largest):
            break
    raise np.linalg.LinAlgError("no first-passage matrix")


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
