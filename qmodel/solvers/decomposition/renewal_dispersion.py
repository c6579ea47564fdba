"""How unevenly a renewal process counts: its index of dispersion as a function of time.

With N(t) the events in a time t that begins at any moment, and rate 1,

    I(t) = var N(t) / E N(t),    I(0) = 1,    I(infinity) = SCV of the times between events.

The times between events are those of the whole library by their SCV: gamma below 1, exponential
at 1, of two balanced exponential kinds above. For the latter the rate of events a time u after one
is 1 + B exp(-g u) with B = (SCV - 1) / (SCV + 1) and g = 2 / (SCV + 1), so that I is known in
closed form; for the gamma distribution the transform of the variance [1, 4.5],

    V(s) = 1 / s^2 + 2 / s^2 f(s) / (1 - f(s)) - 2 / s^3,

is inverted.

References
----------
.. [1] D. R. Cox, "Renewal Theory," Methuen, 1962: chapter 4, the variance of an equilibrium
   renewal process and its asymptote.
.. [2] J. Abate and W. Whitt, "Numerical inversion of Laplace transforms of probability
   distributions," ORSA Journal on Computing 7(1), 1995, pp. 36-43: the algorithm EULER.
"""

from __future__ import annotations

from math import comb, exp, pi
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Times = NDArray[np.float64]

#: Below this SCV the times between events are equal.
CONSTANT = 1e-3
#: Mean numbers of events from which on the asymptote holds, to 1e-4.
MANY = 30.0
#: Of the inversion [2].
DECAY, AVERAGED, TERMS = 18.4, 11, 38


def renewal_dispersion(times: Times, scv: float) -> Times:
    """Index of dispersion for counts of a stationary renewal process of rate 1.

    Parameters
    ----------
    times : array of float
        Lengths t > 0, in mean times between events. [1]
    scv : float
        Of the times between events. [1]

    Examples
    --------
    >>> import numpy as np
    >>> renewal_dispersion(np.array([0.5, 1e9]), 4.0).round(3).tolist()
    [1.281, 4.0]
    >>> renewal_dispersion(np.array([0.5, 1.0]), 0.0).tolist()  # one or none, then always one
    [0.5, 0.0]
    """
    import numpy as np

    if scv == 1.0:
        return np.ones_like(times)
    if scv > 1.0:
        x = 2.0 * times / (scv + 1.0)
        return 1.0 + (scv - 1.0) * (1.0 + np.expm1(-x) / x)
    if scv < CONSTANT:
        part = times - np.floor(times)
        return np.asarray(part * (1.0 - part) / times)
    found = scv + (1.0 / 6.0 + 0.5 * scv * scv - 2.0 / 3.0 * scv * scv) / times
    early = times <= MANY
    if early.any():
        found[early] = _variance(times[early], scv) / times[early]
    return np.maximum(found, 0.0)


def _variance(times: Times, scv: float) -> Times:
    """The variance of the count, by inversion of its transform."""
    import numpy as np

    k = np.arange(TERMS + AVERAGED + 1)
    s = (DECAY + 2j * pi * k[None, :]) / (2.0 * times[:, None])
    event = np.exp(-np.log1p(scv * s) / scv)
    transform = 1.0 / s**2 + 2.0 / s**2 * event / (1.0 - event) - 2.0 / s**3
    terms = exp(0.5 * DECAY) / times[:, None] * transform.real * (-1.0) ** k
    terms[:, 0] *= 0.5
    sums = np.cumsum(terms, axis=1)[:, TERMS:]
    weights = np.array([comb(AVERAGED, j) for j in range(AVERAGED + 1)]) / 2.0**AVERAGED
    return np.asarray(sums @ weights)
