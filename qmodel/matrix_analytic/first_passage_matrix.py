"""The first-passage matrix Phi of the age process, by structure-preserving doubling.

It takes the part that G takes in a QBD.
Theory and sources: `qmodel/matrix_analytic/THEORY.md`, first_passage_matrix.
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
    """The probabilities, one column; None where there are too many states."""
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
