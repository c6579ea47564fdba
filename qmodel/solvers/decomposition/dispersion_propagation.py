"""The flows between the stations of an open network, by variances of counts over any time.

A(c, t) customers of class c arrive at a station in a time t. C(t) is the covariance matrix of these
counts over the classes, divided by t; a = C 1 its sums, p the parts of the classes in the rate L of
all, w(t) a weight between 0 and 1. Then

- merging flows: their matrices are added, as if they were independent;
- splitting, with the probability q_c of the way: q_c q_c' C_cc', and q_c (1 - q_c) L_c more on the
  diagonal, which is exact where the choice is independent;
- departing: D being the variance of all departures divided by t, a class counts its part of them,
  p, and what it deviates from that, A_c - p A, which the queue hardly changes but for what it has
  to do with all:  p p' D + w (p (a - p 1'a)' + (a - p 1'a) p') + C - p a' - a p' + p p' 1'a.

D is found by a queue with phases (`qmodel.solvers.decomposition.station_map_queue`): exactly where
all come from outside, else for the renewal process with the same variance of counts. Where that has
too many phases it is the index of dispersion I_d = w I_a + (1 - w) I_s of [1, 2]: over short times
the departures are those of a server always busy and over long times the arrivals. I_s is that of
the services one after the other, taken nearer to 1 by the root of the number of servers, as [3] has
it. The weight is that of reflected Brownian motion [1],

    w(t) = 1 - (1 - r(x)) / (2 x),    x = (1 - rho)^2 L t / (rho c^2),
    r(x) = 2 (1 - 2 x - x^2) N(-x^(1/2)) + 2 x^(1/2) n(x^(1/2)) (1 + x),

N and n the normal distribution. For c^2, which in heavy traffic is the sum of the SCVs of arrivals
and service, here stands rho I_a(infinity) + (2 - rho) c_s^2, chosen by simulations of 70 networks:
bursts pass a station that is little used quicker than [1] has it.

With Poisson arrivals and exponential service C is diagonal and remains so: all flows are Poisson.

References
----------
.. [1] W. Whitt and W. You, "A robust queueing network analyzer based on indices of dispersion,"
   Naval Research Logistics 69(1), 2022, pp. 36-56 (arXiv:2003.11174).
.. [2] W. Whitt and W. You, "Heavy-traffic limit of the GI/GI/1 stationary departure process and its
   variance function," Stochastic Systems 8(2), 2018, pp. 143-165.
.. [3] W. Whitt, "The queueing network analyzer," Bell System Technical Journal 62(9), 1983,
   pp. 2779-2815: (30), departures from several servers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, pi, sqrt
from typing import TYPE_CHECKING

from qmodel.matrix_analytic.departure_dispersion import departures_in_phases
from qmodel.matrix_analytic.rational_arrival_process import forgets
from qmodel.solvers.decomposition.renewal_dispersion import renewal_dispersion
from qmodel.solvers.decomposition.station_map_queue import station_queue
from qmodel.solvers.decomposition.traffic_equations import Traffic, busy_time

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qmodel.solvers.decomposition.station_map_queue import StationQueue

    Array = NDArray[np.float64]

#: Arguments of the weight beyond which its asymptote holds.
FAR = 200.0
#: How much slower than its x (see above) a queue forgets.
SLOW = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Flows:
    """What arrives at the stations.

    Parameters
    ----------
    matrices : array, shape (K, C, C, T)
        C(t) at each station. [1/s]
    queues : tuple of StationQueue or None, length K
        The queues that they make where customers go on to others, as far as phases tell.
    """

    matrices: Array
    queues: tuple[StationQueue | None, ...]


def flow_dispersion(traffic: Traffic, times: Array) -> Flows:
    """The matrices C(t) of the arrivals at each station, and the queues that they have passed."""
    import numpy as np

    classes, stations = traffic.flow.shape
    found = np.zeros((stations, classes, classes, len(times)))
    passed = np.zeros_like(found)
    queues: list[StationQueue | None] = []
    for c, rate in enumerate(traffic.rate):
        if rate:
            index = renewal_dispersion(rate * times, float(traffic.arrival_scv[c]))
            for k, p in enumerate(traffic.entry[c]):
                found[k, c, c] = rate * p * (p * index + 1.0 - p)
    every = range(classes)
    for j in range(stations):
        for i in range(j):
            q = traffic.ways[:, i, j]
            if q.any():
                found[j] += (q[:, None] * q[None, :])[:, :, None] * passed[i]
                found[j, every, every] += (q * (1.0 - q) * traffic.flow[:, i])[:, None]
        whole = float(traffic.flow[:, j].sum())
        queues.append(None)
        if whole and traffic.ways[:, j].any():
            index = found[j].sum(axis=(0, 1)) / whole
            queues[j] = station_queue(traffic, j, index, times)
            passed[j] = _departures(found[j], traffic, j, times, queues[j])
    return Flows(found, tuple(queues))


def _departures(
    arriving: Array, traffic: Traffic, k: int, times: Array, queue: StationQueue | None
) -> Array:
    """The matrix of what leaves a station."""
    flow = traffic.flow[:, k]
    whole = flow.sum()
    if traffic.servers[k] == inf:
        return arriving
    sums = arriving.sum(axis=1)
    every = sums.sum(axis=0)
    mean, scv = busy_time(traffic, k)
    used = whole * mean / traffic.servers[k]
    varied = used * every[-1] / whole + (2.0 - used) * scv
    rate = (1.0 - used) ** 2 / max(used * varied, 1e-300)
    kept = weight(times * rate * whole)
    part, index = flow / whole, every / whole
    leaving = None
    if queue is not None:
        slowest = min(forgets(times * whole, index), SLOW * rate)
        leaving = departures_in_phases(queue.queue, times * whole, float(index[-1]), slowest)
    if leaving is None:
        served = _service_dispersion(traffic, k, times)
        leaving = kept * index + (1.0 - kept) * served
    # What a class deviates from its part of all, alone and together with all.
    apart = sums - part[:, None] * every
    mixed = part[:, None, None] * (kept * apart - sums)[None, :, :]
    both = (part[:, None] * part[None, :])[:, :, None] * (whole * leaving + every)
    found: Array = arriving + both + mixed + mixed.transpose(1, 0, 2)
    return found


def _service_dispersion(traffic: Traffic, k: int, times: Array) -> Array:
    """Index of dispersion of the services of a station always busy, at its rate of arrivals."""
    servers = traffic.servers[k]
    one = renewal_dispersion(traffic.flow[:, k].sum() * times / servers, busy_time(traffic, k)[1])
    return 1.0 + (one - 1.0) / sqrt(servers)


def weight(x: Array) -> Array:
    """Part of the arrivals' variance that is left in the departures, w(x) [1].

    Examples
    --------
    >>> import numpy as np
    >>> weight(np.array([1e-9, 1.0, 1e9])).round(3).tolist()
    [0.0, 0.667, 1.0]
    """
    import numpy as np

    inside = np.clip(x, 1e-12, FAR)
    root = np.sqrt(inside)
    density = np.exp(-0.5 * inside) / sqrt(2.0 * pi)
    tail = _normal_tail(root)
    kept = 2.0 * (1.0 - 2.0 * inside - inside**2) * tail + 2.0 * root * density * (1.0 + inside)
    found = np.where(x > FAR, 1.0 - 0.5 / np.maximum(x, FAR), 1.0 - (1.0 - kept) / (2.0 * inside))
    # Near 0 the difference has no digits; the first term of its series has.
    near = np.where(x < 1e-6, 8.0 / (3.0 * sqrt(2.0 * pi)) * np.sqrt(np.maximum(x, 0.0)), found)
    return np.clip(near, 0.0, 1.0)


def _normal_tail(x: Array) -> Array:
    """Probability that a standard normal variable exceeds x >= 0."""
    from math import erfc

    import numpy as np

    return np.array([0.5 * erfc(value / sqrt(2.0)) for value in x])
