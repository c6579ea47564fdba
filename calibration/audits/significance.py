"""How large a contradiction must be before it is not chance: it depends on the number of tests."""

from __future__ import annotations

from statistics import NormalDist

#: Probability that a table without any fault raises anything.
LEVEL = 0.005


def threshold(tests: int, level: float = LEVEL) -> float:
    """Size that all of so many tests together exceed with the given probability, by chance.

    Bonferroni's inequality for two-sided tests of normal errors: each test may err with
    probability ``level / tests``. A one-sided test is counted only if its number lies beyond the
    bound at all; a two-sided probability then is the right one for it (Q. Zhao, D. S. Small and
    W. Su, "Multiple testing when many p-values are uniformly conservative," JASA 114, 2019,
    discarding at 1/2).

    Parameters
    ----------
    tests : int
        Tests made on the table, at least 1.
    level : float
        The probability. [1]

    Examples
    --------
    >>> round(threshold(1), 2), round(threshold(30), 2), round(threshold(1000), 2)
    (2.81, 3.76, 4.56)
    """
    return NormalDist().inv_cdf(1.0 - level / (2.0 * max(tests, 1)))
