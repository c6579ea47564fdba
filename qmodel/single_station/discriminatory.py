"""Discriminatory processor sharing: classes share one server by weights; see THEORY.md."""

from collections.abc import Iterable

from qmodel.numerics.residual_capacity import spare_capacity
from qmodel.single_station.arguments import check_stable, class_rows, not_negative, positive


def discriminatory_sharing(classes: Iterable[tuple[float, float, float]]) -> tuple[float, ...]:
    """Mean time at the station of each class [s], by the linear equations of [1].

    Classes are arrival rate [1/s] of a Poisson process, mean of an exponential service time [s] and
    weight g; beside n_j customers of class j, one of class k is served at g_k / sum_j n_j g_j.
    Raises `InvalidInput` if a value is out of range, `Unstable` if more arrives than can be served.

    Examples
    --------
    >>> [round(t, 4) for t in discriminatory_sharing([(0.4, 1.0, 2.0), (0.4, 1.0, 1.0)])]
    [3.8889, 6.1111]
    """
    import numpy as np

    every = [
        (not_negative(rate, "arrival rate", "/s"), positive(time, "service time", "s"),
         positive(weight, "weight", ""))
        for rate, time, weight in class_rows(classes, "weight")
    ]  # fmt: skip
    load = sum(rate * time for rate, time, _ in every)
    spare = spare_capacity(1, [(rate, time) for rate, time, _ in every])
    check_stable(spare, sum(rate for rate, _, _ in every), load, 1)
    # T_k (1 - sum_j a_kj) - sum_j a_kj T_j = 1 / mu_k, a_kj = lambda_j g_j / (mu_j g_j + mu_k g_k)
    a = np.array([[rate * g / (g / time + own / mine) for rate, time, g in every]
                  for _, mine, own in every])  # fmt: skip
    found: list[float] = np.linalg.solve(
        np.diag(1.0 - a.sum(axis=1)) - a, [time for _, time, _ in every]
    ).tolist()
    return tuple(found)
