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

References
----------
.. [1] D. A. Bini, B. Iannazzo and B. Meini, "Numerical Solution of Algebraic Riccati Equations,"
   SIAM, 2012: chapter 5.
"""

from __future__ import annotations

import numpy as np

from qmodel.matrix_analytic.age_process import AgeProcess
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
