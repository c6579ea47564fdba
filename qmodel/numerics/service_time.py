"""A service time by two moments: its Laplace transform and that of its residual."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Complex = NDArray[np.complex128]
    Series = tuple[Complex, Complex]  # head, shape (H, B), and ratio, shape (B,)


#: Service with a smaller SCV than this makes bends in the distribution of who waits for it.
BENDING = 0.05


@dataclass(frozen=True, slots=True)
class ServiceTime:
    """A time by its mean and SCV: exponential where the latter is 1.

    Below, it has a gamma distribution (Erlang where it can). Above, a hyperexponential one of two
    kinds that contribute equally to the mean, as Whitt's network analyzer takes it.

    Examples
    --------
    >>> ServiceTime(2.0, scv=1.0).transform(0.5)
    0.5
    """

    mean: float
    scv: float = 1.0
    times: int = 1

    @property
    def bends(self) -> bool:
        """Whether it hardly varies, so that who waits for some of them has a time with bends."""
        return self.scv < BENDING

    def transform(self, s: Complex) -> Complex:
        """E exp(-s T), for so many such times together."""
        return self._one(s) if self.times == 1 else self._one(s) ** self.times

    def _one(self, s: Complex) -> Complex:
        import numpy as np

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

    def rest(self, s: Complex) -> Complex:
        """The same for what is left of it at a random moment while it lasts.

        Examples
        --------
        >>> import numpy as np
        >>> ServiceTime(2.0, scv=0.0).rest(np.array([0.0, 1.0])).real.round(6)  # uniform to 2 s
        array([1.      , 0.432332])
        """
        import numpy as np

        x = s * self.mean
        near = np.abs(x) < 1e-5  # where the difference below has no digits left
        safe = np.where(near, 1.0, x)
        whole = (1.0 - self._one(np.asarray(safe / self.mean, complex))) / safe
        found: Complex = np.where(near, 1.0 - 0.5 * (1.0 + self.scv) * x, whole) ** self.times
        return found
