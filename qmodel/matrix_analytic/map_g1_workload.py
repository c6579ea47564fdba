"""Waits by class at one server where each class is a process with phases of its own.

Each class brings its own services, so that bursts of a class with long services are felt as such.
The work V that an arrival finds has, by phase of the arrivals, the transform [1]

    v(s) (s I + D0 + sum of D_c b_c(s)) = s y,    y = (1 - rho) k,    k Q = 0,
    Q = D0 + sum of D_c integral of exp(Q x) dB_c(x),

D0 and D_c being the matrices of the process, B_c the service of class c, b_c its transform, and y
the probabilities of the phases while there is no work. With the powers of s compared, the moments
follow one from the other.

References
----------
.. [1] T. Takine and T. Hasegawa, "The workload in the MAP/G/1 queue with state-dependent services:
   its application to a queue with preemptive resume priority," Stochastic Models 10(1), 1994,
   pp. 183-204.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from qmodel.matrix_analytic.rational_arrival_process import ArrivalsInPhases, balanced, side_by_side
from qmodel.matrix_analytic.waiting_time import WaitMoments

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.numerics.phase_type import PhaseType

    Array = NDArray[np.floating[Any]]

#: Rounds for Q at most, and its change at which it is found, over the rates in it.
ROUNDS, CHANGE = 1000, 1e-11
#: How little the factor by which changes shrink may change, of what it is less than 1.
ALIKE = 0.01


def class_waits(
    classes: Sequence[tuple[ArrivalsInPhases, PhaseType]],
) -> tuple[WaitMoments, ...] | None:
    """Waits of the customers of each class.

    Parameters
    ----------
    classes : sequence of (ArrivalsInPhases, PhaseType)
        Independent flows and their services.

    Returns
    -------
    tuple of WaitMoments, or None
        None where the server is never idle or too seldom.

    Examples
    --------
    >>> from qmodel.matrix_analytic.rational_arrival_process import renewals
    >>> from qmodel.numerics.phase_type import fit_phase_type
    >>> one = class_waits([(renewals(1.0, 1.0), fit_phase_type(0.5, 4.0))])[0]
    >>> round(one.probability, 9), round(one.first, 9)  # M/G/1, Pollaczek and Khinchin
    (0.5, 1.25)
    """
    import numpy as np

    without, arrivals = side_by_side([flow for flow, _ in classes])
    services = [service for _, service in classes]
    moments = [_moments(service) for service in services]
    whole = without + sum(arrivals)
    phase = balanced(whole)
    used = sum(
        float((phase @ arrival).sum()) * moment[0]
        for arrival, moment in zip(arrivals, moments, strict=True)
    )
    idle = _idle(without, arrivals, services) if used < 1.0 else None
    if idle is None:
        return None
    powers = [whole, np.eye(len(whole)), *(np.zeros_like(whole) for _ in range(3))]
    for arrival, moment in zip(arrivals, moments, strict=True):
        for k in range(1, 5):
            powers[k] = powers[k] + (-1.0) ** k * moment[k - 1] * arrival
    start = (1.0 - used) * idle
    found = _powers_of_work(phase, powers, start)
    result = []
    for arrival in arrivals:
        seen = arrival.sum(axis=1)
        rate = float(phase @ seen)
        first, second, third = (float(v @ seen) / rate for v in found[1:])
        probability = 1.0 - float(start @ seen) / rate
        result.append(WaitMoments(probability, -first, 2.0 * second, -6.0 * third))
    return tuple(result)


def _powers_of_work(phase: Array, powers: Sequence[Array], start: Array) -> list[Array]:
    """Coefficients of s^0 to s^3 in v(s)."""
    import numpy as np

    found = [phase]
    fixed = np.column_stack([powers[0][:, 1:], np.ones(len(phase))])
    drift = float((phase @ powers[1]).sum())
    for k in range(1, 4):
        wanted = start.copy() if k == 1 else np.zeros(len(phase))
        for i in range(1, k + 1):
            wanted -= found[k - i] @ powers[i]
        # Up to a multiple of the phases' probabilities, which the next power gives.
        one = np.linalg.solve(fixed.T, np.concatenate([wanted[1:], [0.0]]))
        over = float((one @ powers[1]).sum())
        for i in range(2, k + 2):
            over += float((found[k + 1 - i] @ powers[i]).sum())
        found.append(one - over / drift * phase)
    return found


def _idle(without: Array, arrivals: Sequence[Array], services: Sequence[PhaseType]) -> Array | None:
    """Probabilities of the phases while there is no work."""
    passes: Array = without
    before, last = without, 0.0
    for _ in range(ROUNDS):
        new: Array = without.copy()
        for arrival, service in zip(arrivals, services, strict=True):
            new += arrival @ _during(service, passes)
        step = new - passes
        passes = new
        if abs(step).max() < CHANGE * abs(without).max():
            return balanced(passes)
        factor = float((step * before).sum() / (before * before).sum())
        if abs(factor - last) < ALIKE * (1.0 - factor):
            # Steps shrink by the same factor: all that are to come at once.
            passes = passes + step * (factor / (1.0 - factor))
            factor = 0.0
        before, last = step, factor
    return None


def _during(service: PhaseType, passes: Array) -> Array:
    """Integral of exp(Q x) over the time x that a service lasts."""
    import numpy as np

    one = np.eye(len(passes))
    found: Array = np.zeros_like(passes)
    if service.ends[0] == 1.0:
        for start, rate in zip(service.start, service.rate, strict=True):
            found = found + start * rate * np.linalg.inv(rate * one - passes)
        return found
    # Phases of one rate in a row, of which the first may be left out.
    rate, count = service.rate[0], len(service.rate)
    each = rate * np.linalg.inv(rate * one - passes)
    fewer: Array = np.linalg.matrix_power(each, count - 1)
    return (service.start[0] * each + service.start[1] * one) @ fewer


def _moments(service: PhaseType) -> list[float]:
    """E S^k / k! for k = 1 to 4."""
    # A phase's own time has the powers 1 / rate^k; what follows is convolved with it.
    after, total = [1.0, 0.0, 0.0, 0.0, 0.0], [0.0] * 5
    for start, rate, end in reversed(
        list(zip(service.start, service.rate, service.ends, strict=True))
    ):
        rest = [(1.0 - end) * value + (end if k == 0 else 0.0) for k, value in enumerate(after)]
        after = [sum(rest[i] / rate ** (k - i) for i in range(k + 1)) for k in range(5)]
        total = [value + start * new for value, new in zip(total, after, strict=True)]
    return total[1:]
