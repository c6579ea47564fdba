"""Concentrated matrix-exponential distributions: least variable, few dimensions; see THEORY.md."""

from functools import lru_cache
from math import pi
from typing import NamedTuple, Self

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.numerics.phase_type import MOST, PhaseType, fit_phase_type

#: By order: omega, and the middle and width of the window without zeros, on the scale omega t.
ORDERS = {
    3: (1.03593, 3.47863, 1.23409), 5: (0.948111, 3.78032, 4.57779),
    7: (0.890626, 4.02694, 4.06040), 9: (0.851007, 4.22260, 3.68406),
    11: (0.821462, 4.37936, 3.39686), 13: (0.798000, 4.50769, 3.16789),
    15: (0.778590, 4.61513, 2.97887), 17: (0.762099, 4.70684, 2.81862),
    19: (0.747822, 4.78641, 2.68003), 21: (0.735284, 4.85637, 2.55833),
    23: (0.724141, 4.91853, 2.45018), 25: (0.714143, 4.97428, 2.35314),
    27: (0.705090, 5.02464, 2.26537), 29: (0.696841, 5.07045, 2.18544),
    31: (0.689282, 5.11235, 2.11223),
}  # fmt: skip
#: Times at which the inner product is integrated, and the last of them over the decay time.
STEPS, LAST = 8000, 45.0


class MatrixExponential(NamedTuple):
    """ME(start, generator): S(t) = start exp(t generator) 1."""

    #: The initial vector, shape (N,). [1]
    start: Array
    #: T, shape (N, N). [1/s]
    generator: Array
    #: Whether coordinates are phases.
    phases: bool = False

    def in_time(self, mean: float) -> Self:
        """The same, so many times as long."""
        return self._replace(generator=self.generator / mean)

    @property
    def moments(self) -> tuple[float, float]:
        """Mean and SCV. [s, 1]"""
        once = np.linalg.solve(-self.generator, np.ones(len(self.start)))
        mean = float(self.start @ once)
        second = 2.0 * float(self.start @ np.linalg.solve(-self.generator, once))
        return mean, second / mean**2 - 1.0


def distribution(mean: float, scv: float, largest: int = MOST) -> MatrixExponential:
    """A time of this mean and SCV [s, 1], in at most so many dimensions.

    Two moments are met by phases as far as those are not too many, else the order with the nearest
    SCV is taken.
    """
    if scv * largest >= 1.0:
        return as_matrices(fit_phase_type(mean, scv))
    orders = [order for order in ORDERS if order <= largest]
    return concentrated(min(orders, key=lambda order: abs(_scv(order) - scv))).in_time(mean)


def as_matrices(time: PhaseType) -> MatrixExponential:
    """A phase-type distribution by its generator."""
    return MatrixExponential(np.array(time.start), np.array(time.generator), True)


@lru_cache(maxsize=len(ORDERS))
def concentrated(order: int) -> MatrixExponential:
    """The distribution of an odd order, its mean 1."""
    omega, middle, width = ORDERS[order]
    n = (order - 1) // 2
    zeros = middle + 0.5 * width + (np.arange(n) + 0.5) * (2.0 * pi - width) / n
    series = np.ones(1, dtype=complex)
    for zero in np.exp(-1j * zeros):
        series = np.convolve(series, [-0.25 * zero.conj(), 0.5, -0.25 * zero])
    waves = series[n + 1 :]
    density = np.r_[series[n].real, np.column_stack([2.0 * waves.real, -2.0 * waves.imag]).ravel()]
    generator = -np.eye(order)
    for k in range(1, n + 1):
        generator[2 * k - 1, 2 * k] = k * omega
        generator[2 * k, 2 * k - 1] = -k * omega
    start = np.r_[1.0, np.tile([1.0, 0.0], n)]
    closing = np.linalg.solve(-generator, density)
    closing /= start @ closing
    into = _orthonormal(omega, n, closing)
    generator = into @ generator @ np.linalg.inv(into)
    start = np.linalg.solve(into.T, start)
    mean = MatrixExponential(start, generator).moments[0]
    return MatrixExponential(start, mean * generator)


@lru_cache(maxsize=len(ORDERS))
def _scv(order: int) -> float:
    return concentrated(order).moments[1]


def _orthonormal(omega: float, n: int, closing: Array) -> Array:
    """The change of coordinates by the inner product, which makes the closing vector ones."""
    t = np.linspace(0.0, LAST, STEPS)[:, None]
    angles = omega * t * np.arange(1, n + 1)
    waves = np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(STEPS, 2 * n)
    states = np.exp(-t) * np.column_stack([np.ones(STEPS), waves])
    root = np.linalg.cholesky(states.T @ (states / (states @ closing)[:, None])).T
    one = root @ closing
    size = np.linalg.norm(one)
    turn = one / size - 1.0 / np.sqrt(len(one))
    mirror = np.eye(len(one)) - 2.0 * np.outer(turn, turn) / (turn @ turn)
    columns: Array = np.sqrt(len(one)) / size * mirror @ root
    return columns
