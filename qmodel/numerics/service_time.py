"""A time by its mean and squared coefficient of variation (SCV), with its transforms.

Exponential at SCV 1 and constant at 0; between them it has a gamma distribution (Erlang where
1 / SCV is whole), above 1 a hyperexponential one with balanced means, p / mu_1 = (1 - p) / mu_2,
as in [1].

References
----------
.. [1] W. Whitt, "The queueing network analyzer," Bell System Technical Journal 62(9), 1983,
   pp. 2779-2815: balanced means.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from qmodel.numerics.arrays import Complex

#: SCV below which the waiting time behind such services has a distribution with bends.
NEARLY_CONSTANT = 0.05


@dataclass(frozen=True, slots=True)
class ServiceTime:
    """The sum of ``times`` independent times of one distribution.

    Examples
    --------
    >>> ServiceTime(2.0, scv=1.0).transform(0.5)
    0.5
    """

    #: Of one. [s]
    mean: float
    #: Of one. [1]
    scv: float = 1.0
    #: How many are added up.
    times: int = 1

    @property
    def nearly_constant(self) -> bool:
        """Whether waiting times behind it have a distribution with bends."""
        return self.scv < NEARLY_CONSTANT

    def transform(self, s: Complex) -> Complex:
        """Laplace-Stieltjes transform E exp(-s T)."""
        return self._single(s) if self.times == 1 else self._single(s) ** self.times

    def _single(self, s: Complex) -> Complex:
        x = s * self.mean
        if self.scv == 1.0:
            return 1.0 / (1.0 + x)
        if self.scv < 1e-9:
            return np.exp(-x)
        if self.scv < 1.0:
            return np.exp(np.log1p(x * self.scv) / -self.scv)
        p = 0.5 * (1.0 + sqrt((self.scv - 1.0) / (self.scv + 1.0)))
        first, second = p / (1.0 + x / (2.0 * p)), (1.0 - p) / (1.0 + x / (2.0 * (1.0 - p)))
        return first + second

    def residual_transform(self, s: Complex) -> Complex:
        """The same of the residual time at a random moment, (1 - E exp(-s T)) / (s E T).

        Examples
        --------
        >>> import numpy as np
        >>> constant = ServiceTime(2.0, scv=0.0)  # the residual is uniform on 0 to 2 s
        >>> constant.residual_transform(np.array([0.0, 1.0])).real.round(6)
        array([1.      , 0.432332])
        """
        x = s * self.mean
        near = np.abs(x) < 1e-5  # where the difference below has no digits left
        safe = np.where(near, 1.0, x)
        whole = (1.0 - self._single(np.asarray(safe / self.mean, complex))) / safe
        residual: Complex = np.where(near, 1.0 - 0.5 * (1.0 + self.scv) * x, whole) ** self.times
        return residual
