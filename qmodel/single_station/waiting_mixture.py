"""A station of G/G/m by moments of the wait: none or one of given distribution; see THEORY.md."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from qmodel.numerics.arrays import Complex
from qmodel.numerics.phase_type import ServiceTime


@dataclass(frozen=True, slots=True)
class WaitingMixture:
    """First come, first served, by moments of the wait."""

    #: Of the arriving customer. [s]
    service: ServiceTime
    #: Of all classes together, for Poisson arrivals. [s]
    others_service: ServiceTime
    #: Probability of waiting; for Poisson arrivals at one server the utilization. [1]
    waits: float
    #: Mean wait of all customers. [s]
    wait: float
    #: SCV of the wait, given that it is positive. [1]
    spread: float
    #: True for Poisson arrivals at one server: the wait of M/G/1 [2].
    poisson: bool = False
    #: Probabilities and means of a hyperexponential time of mean 1, the shape of a positive wait;
    #: else a gamma or hyperexponential one of SCV ``spread``.
    shape: tuple[tuple[float, float], ...] | None = None
    exponential_phases: bool = False
    #: Parts of the utilization and services of the classes, for Poisson arrivals; else all alike.
    by_class: tuple[tuple[float, ServiceTime], ...] = ()

    def waiting(self, s: Complex) -> Complex:
        """Transform of the wait."""
        if self.poisson:
            each = self.by_class or ((1.0, self.others_service),)
            residual = sum(part * service.residual_transform(s) for part, service in each)
            return np.asarray((1.0 - self.waits) / (1.0 - self.waits * residual))
        if self.wait == 0.0 or self.waits == 0.0:
            return np.ones_like(s)
        if self.shape is not None:
            x = s * (self.wait / self.waits)
            shaped: Complex = 1.0 - self.waits + 0.0 * x
            for part, time in self.shape:
                shaped = shaped + self.waits * part / (1.0 + time * x)
            return shaped
        positive = ServiceTime(self.wait / self.waits, self.spread)
        return np.asarray(1.0 - self.waits + self.waits * positive.transform(s))

    def repeated(self, visits: int) -> Self:
        """The same: successive visits are independent in a decomposition."""
        del visits
        return self

    def weighted_transforms(self, s: Complex) -> tuple[Complex, Complex]:
        """The transform of the sojourn time, whatever the state of the network."""
        return (self.waiting(s) * self.service.transform(s))[None, :], np.zeros_like(s)
