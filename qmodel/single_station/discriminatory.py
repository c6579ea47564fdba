"""Discriminatory processor sharing: classes share one server by weights.

References
----------
.. [1] G. Fayolle, I. Mitrani and R. Iasnogorodski, "Sharing a processor among many job classes,"
   Journal of the ACM 27(3), 1980, pp. 519-532.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from qmodel.model.validation import assign
from qmodel.numerics.residual_capacity import spare_capacity
from qmodel.single_station.arguments import check_stable, not_negative, positive


@dataclass(frozen=True, slots=True)
class WeightedClass:
    """One class: Poisson arrivals [1/s], exponential service [s], and its weight."""

    arrival_rate: float
    service_time: float
    weight: float = 1.0

    def __post_init__(self) -> None:
        assign(
            self,
            arrival_rate=not_negative(self.arrival_rate, "arrival rate", "/s"),
            service_time=positive(self.service_time, "service time", "s"),
            weight=positive(self.weight, "weight", ""),
        )


def discriminatory_sharing(classes: Sequence[WeightedClass]) -> tuple[float, ...]:
    """Mean time at the station of each class [s], by the linear equations of [1].

    With n_j customers of class j a customer of class k is served at the rate g_k / sum_j n_j g_j.
    Raises `Unstable` if more arrives than can be served.

    Examples
    --------
    >>> times = discriminatory_sharing([WeightedClass(0.4, 1.0, 2.0), WeightedClass(0.4, 1.0, 1.0)])
    >>> [round(t, 4) for t in times]
    [3.8889, 6.1111]
    """
    import numpy as np

    load = sum(c.arrival_rate * c.service_time for c in classes)
    spare = spare_capacity(1, [(c.arrival_rate, c.service_time) for c in classes])
    check_stable(spare, sum(c.arrival_rate for c in classes), load, 1)
    # T_k (1 - sum_j a_kj) - sum_j a_kj T_j = 1 / mu_k, a_kj = lambda_j g_j / (mu_j g_j + mu_k g_k)
    a = np.array([
        [j.arrival_rate * j.weight / (j.weight / j.service_time + k.weight / k.service_time)
         for j in classes] for k in classes
    ])  # fmt: skip
    left = np.diag(1.0 - a.sum(axis=1)) - a
    found: list[float] = np.linalg.solve(left, [c.service_time for c in classes]).tolist()
    return tuple(found)
