"""The distribution of the time to absorption of a Markov chain.

By uniformization; or, where that takes many steps because some transitions are fast beside the time
to absorption and the chain is not large, by a chain reduced to a Krylov subspace. Original.
"""

from math import log
from typing import Protocol

from qmodel.numerics.arrays import Array
from qmodel.numerics.krylov_reduction import krylov_reduced
from qmodel.numerics.uniformization import AbsorbingChain, uniformized

#: Up to so many events uniformization is preferred; a chain of up to so many states is reduced.
FEW, STATES = 2_000.0, 1_500


class AbsorptionTime(Protocol):
    """The distribution of a time to absorption."""

    @property
    def error(self) -> float:
        """Estimated error of the tail. [1]"""

    def tail(self, times: Array) -> Array:
        """P(T > t)."""

    def moments(self) -> tuple[float, float]:
        """Mean, and squared coefficient of variation. [s, 1]"""


def uniformized_events(fastest: float, mean: float, negligible: float) -> float:
    """About how many events at the rate ``fastest`` until the tail is ``negligible``."""
    return fastest * mean * log(1.0 / negligible)


def absorption_time(chain: AbsorbingChain, negligible: float) -> AbsorptionTime:
    """The time to absorption.

    ``negligible`` is the probability at which the tail, or its change, is so. [1]
    """
    events = uniformized_events(float(chain.exit_rate.max()), chain.mean, negligible)
    if events > FEW and len(chain.start) <= STATES:
        return krylov_reduced(chain)
    return uniformized(chain, negligible)
