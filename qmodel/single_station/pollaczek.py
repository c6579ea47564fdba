"""Exact wait at GI/G/1 by Pollaczek's integrals: probability and three moments; see THEORY.md."""

from collections.abc import Sequence
from math import exp, inf, pi, sqrt

import numpy as np

from qmodel.numerics.arrays import Complex
from qmodel.numerics.phase_type import ServiceTime
from qmodel.single_station.wait_moments import WaitMoments

#: 1 - phi(c) below which nothing is left of it but rounding.
FLAT = 1e-9
#: Steps of the integrals, on y = c sinh(u).
FARTHEST, STEPS = 28.0, 1401


def wait(gap: ServiceTime, services: Sequence[tuple[float, ServiceTime]]) -> WaitMoments | None:
    """The wait where arrivals are a renewal process; None so near to saturation that it is lost.

    ``gap`` are the times between arrivals, ``services`` parts of the customers, adding up to 1, and
    the service of each. With Poisson arrivals the mean is Pollaczek's and Khinchin's.

    Examples
    --------
    >>> from qmodel.numerics.phase_type import ServiceTime
    >>> found = wait(ServiceTime(1.0), [(1.0, ServiceTime(0.5, scv=4.0))])
    >>> round(found.probability, 9), round(found.first, 9)  # M/G/1, Pollaczek and Khinchin
    (0.5, 1.25)
    """
    average = squares = 0.0
    for part, service in services:
        average += part * service.mean
        squares += part * (1.0 + service.scv) * service.mean**2
    spread = squares + gap.scv * gap.mean**2 - average**2
    if spread <= 1e-12 * gap.mean**2:
        return WaitMoments(0.0, 0.0, 0.0, 0.0)
    first = min(_pole(service) for _, service in services)
    usual = (gap.mean - average) / spread  # where phi is lowest, if services were normal
    line = np.geomspace(1e-2 * usual, min(0.999 * first, 50.0 * usual, 500.0 / average), 60)
    phi = _both(line.astype(complex), gap, services).real
    c = float(line[int(phi.argmin())])
    if 1.0 - phi.min() < FLAT:
        return None
    u = np.linspace(0.0, FARTHEST, STEPS)
    z = c + 1j * c * np.sinh(u)
    logs = np.log(1.0 - _both(z, gap, services))
    steps = c * np.cosh(u) * (u[1] - u[0]) / pi
    steps[0] *= 0.5
    none = exp(float(((logs / z).real * steps).sum()))
    mean = max(0.0, float(-((logs / z**2).real * steps).sum()))
    if gap.scv == 1.0:  # for the integrals of constant times are less close
        mean = 0.5 * squares / (gap.mean - average)
    variance = max(0.0, float(-2.0 * ((logs / z**3).real * steps).sum()))
    third = float(-6.0 * ((logs / z**4).real * steps).sum())
    return WaitMoments(
        min(1.0, max(0.0, 1.0 - none)), mean, variance + mean**2,
        third + 3.0 * variance * mean + mean**3,
    )  # fmt: skip


def _both(z: Complex, gap: ServiceTime, services: Sequence[tuple[float, ServiceTime]]) -> Complex:
    service = 0.0 * z
    for part, time in services:
        service = service + part * time.transform(-z)
    return np.asarray(gap.transform(z) * service)


def _pole(time: ServiceTime) -> float:
    """Where E exp(z T) ceases to exist. [1/s]"""
    if time.mean == 0.0 or time.scv < 1e-9:
        return inf
    if time.scv <= 1.0:
        return 1.0 / (time.mean * time.scv)
    p = 0.5 * (1.0 - sqrt((time.scv - 1.0) / (time.scv + 1.0)))
    return 2.0 * p / time.mean
