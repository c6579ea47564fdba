"""Gunther's universal scalability law, fitted to throughputs alone: a baseline; see THEORY.md."""

from collections.abc import Callable, Sequence


def fitted_law(users: Sequence[int], throughput: Sequence[float]) -> Callable[[float], float]:
    """Throughput with any number of users, by the measured ones. [1/s]

    Of N / X = (1 + s (N - 1) + c N (N - 1)) / l the right side is linear in its coefficients,
    which are kept from falling below nothing.

    Examples
    --------
    >>> law = fitted_law([1, 2, 4], [10.0, 18.0, 28.0])
    >>> round(law(2), 1), round(law(8), 1)
    (18.0, 32.7)
    """
    import numpy as np
    from scipy.optimize import nnls

    n = np.array(users, dtype=np.float64)
    scaled = n / np.array(throughput)
    terms = np.column_stack([np.ones_like(n), n - 1.0, n * (n - 1.0)]) / scaled[:, None]
    found, _ = nnls(terms, np.ones_like(n))

    def law(count: float) -> float:
        below = found[0] + found[1] * (count - 1.0) + found[2] * count * (count - 1.0)
        return float(count / below)

    return law
