"""What is known of few visits in progress at a fork corrects what is found about all of them.

A chain that tells more of the visits in progress is small enough if no more than some of them may
be there, those that would come then being lost. One that tells less is solved so as well, and the
ratio of what they find, by the numbers of each class in progress, corrects the one of all visits.
Where more are in progress it is the mean over as many visits drawn from these, each with the same
probability:

    g(n) = sum over c of n_c / |n| g(n - 1_c),    g the logarithm of the ratio.

Both lose the same visits, so that where a fork is busy what is wrong about that cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Probabilities below that tell no ratio.
RARE = 1e-10


def few(
    population: Sequence[int], size: Callable[[Sequence[int], int], float], largest: float
) -> int:
    """How many visits in progress a chain has few enough states for.

    Examples
    --------
    >>> few([8, 16, 4], lambda population, most: (most + 1.0) ** 3, 100.0)
    3
    """
    most = 1
    while most < sum(population) and size(population, most + 1) <= largest:
        most += 1
    return most


def within(rates: Array, most: int) -> Array:
    """Rates of arrival by fewer visits in progress: none where so many of all classes are there.

    Examples
    --------
    >>> import numpy as np
    >>> within(np.ones((1, 5)), 2).tolist()
    [[1.0, 1.0, 0.0]]
    """
    import numpy as np

    found = rates[(slice(None), *(slice(0, most + 1) for _ in rates.shape[1:]))].copy()
    found[:, np.indices(found.shape[1:]).sum(axis=0) >= most] = 0.0
    return found


def corrected(probability: Array, better: Array, same: Array) -> Array:
    """Probabilities of the visits in progress, corrected where few of them are.

    Parameters
    ----------
    probability : array, shape (N_1 + 1, ... N_C + 1)
        Of all visits.
    better, same : array
        Of fewer of them, by what tells more and by what the probabilities are found by.

    Examples
    --------
    >>> import numpy as np
    >>> corrected(np.array([0.4, 0.4, 0.2]), np.array([0.6, 0.4]), np.array([0.5, 0.5])).round(3)
    array([0.5  , 0.333, 0.167])
    """
    import numpy as np

    ratio = np.full(probability.shape, np.nan)
    told = (better > RARE) & (same > RARE)
    few = tuple(slice(0, n) for n in same.shape)
    ratio[few] = np.log(np.divide(better, same, out=np.full(same.shape, np.nan), where=told))
    found = probability * np.exp(drawn(ratio))
    return np.asarray(found / found.sum())


def drawn(known: Array) -> Array:
    """Numbers by how many there are; where they are not known, the mean with one less at random.

    Examples
    --------
    >>> import numpy as np
    >>> drawn(np.array([[0.0, 1.0], [4.0, np.nan], [np.nan, np.nan]])).tolist()
    [[0.0, 1.0], [4.0, 2.5], [4.0, 3.0]]
    """
    import numpy as np

    there = np.indices(known.shape)
    total = there.sum(axis=0)
    found = np.nan_to_num(known)
    asked = np.isnan(known)
    for visits in range(1, int(total.max()) + 1):
        here = np.nonzero(asked & (total == visits))
        mean = np.zeros(len(here[0]))
        for c, axis in enumerate(here):
            less = tuple(at - (i == c) for i, at in enumerate(here))
            mean += axis / visits * np.where(axis > 0, found[less], 0.0)
        found[here] = mean
    return found
