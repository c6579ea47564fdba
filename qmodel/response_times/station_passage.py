"""One station as an arriving customer passes it: state on arrival, sojourn time; see THEORY.md."""

from dataclasses import dataclass, replace
from math import exp, lgamma, log
from typing import Protocol, Self

import numpy as np

from qmodel.numerics.arrays import Complex
from qmodel.numerics.phase_type import ServiceTime

#: A power series in n: head, shape (H, B), and the ratio of all later terms, shape (B,).
Series = tuple[Complex, Complex]


class StationPassage(Protocol):
    """A station, for one class."""

    @property
    def service(self) -> ServiceTime:
        """Service of the arriving customer."""

    @property
    def exponential_phases(self) -> bool:
        """Whether the sojourn time is a sum of exponential times, given the state on arrival."""

    def weighted_transforms(self, s: Complex) -> Series:
        """The products w(n) phi(n, s)."""

    def repeated(self, visits: int) -> Self:
        """The passage of several visits that find the same state."""


@dataclass(frozen=True, slots=True)
class FcfsPassage:
    """First come, first served."""

    #: Of the arriving customer. [s]
    service: ServiceTime
    #: Of a customer found there, of whatever class. [s]
    others_service: ServiceTime
    #: Load of the closed classes, throughput times demand. [servers]
    closed_load: float
    #: Load of the open classes, below ``servers``. [servers]
    open_load: float = 0.0
    servers: int = 1

    @property
    def exponential_phases(self) -> bool:
        """True at one server where all service is exponential of the same mean."""
        same = self.service == self.others_service
        return self.servers == 1 and same and self.service.scv == 1.0

    def repeated(self, visits: int) -> Self:
        """Several visits that find the same number, with services of their own."""
        return replace(
            self,
            service=replace(self.service, times=visits),
            others_service=replace(self.others_service, times=visits),
        )

    def weighted_transforms(self, s: Complex) -> Series:
        """The products w(n) phi(n, s)."""
        m, r, a = self.servers, self.closed_load, self.open_load
        phase = replace(self.others_service, mean=self.others_service.mean / m).transform(s)
        service = self.service.transform(s)
        x = a / m * phase
        rest = 1.0 / (1.0 - x)
        ratio = r / m * phase * rest
        if m == 1 and self.others_service.scv == 1.0:
            return (service * rest)[None, :], ratio
        if m == 1:
            residual = self.others_service.residual_transform(s)
            first = service * (1.0 + a * residual * rest)
            return np.array([first, service * r * residual * rest * rest]), ratio
        closed, opened = poisson_weights(r, m), poisson_weights(a, m)
        served_at_once = np.cumsum(opened)
        head = np.empty((m + 1, len(s)), service.dtype)
        # The sum over m + i customers of binomial(m + i, n) / binomial(m, n) x^i, by Pascal's rule.
        many = rest
        for n in range(m + 1):
            if n:
                many = (1.0 + n / (m - n + 1.0) * x * many) * rest
            head[n] = closed[n] * service * (opened[m - n] * phase * many)
            if n < m:
                head[n] += closed[n] * service * served_at_once[m - n - 1]
        return head, ratio


@dataclass(frozen=True, slots=True)
class DelayPassage:
    """A delay station, where no state matters; its weights are in the delay of the network."""

    service: ServiceTime
    exponential_phases: bool = False

    def repeated(self, visits: int) -> Self:
        """Several visits."""
        return replace(self, service=replace(self.service, times=visits))

    def weighted_transforms(self, s: Complex) -> Series:
        """The transform of the delay."""
        service = self.service.transform(s)
        return service[None, :], np.zeros_like(service)


def poisson_weights(load: float, most: int, first: int = 0) -> list[float]:
    """exp(-load) load^n / n! for n = ``first`` ... ``most``, without overflow."""
    if load == 0.0:
        return [float(n == 0) for n in range(first, most + 1)]
    numbers = range(first, most + 1)
    return [exp(n * log(load) - lgamma(n + 1.0) - load) for n in numbers]
