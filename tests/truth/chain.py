"""Markov chains written out state by state: the states reached, how often, and for how long."""

from collections.abc import Callable, Hashable, Iterable, Sequence

import numpy as np
from scipy.sparse import coo_matrix, identity
from scipy.sparse.linalg import splu
from scipy.special import gammaln


def explored(
    first: Iterable[Hashable], moves: Callable[..., Iterable[tuple]], most: int = 10**6
) -> tuple[dict[Hashable, int], list[tuple]]:
    """All states that are reached, numbered, and each move: from, to, rate, what else it tells.

    ``moves`` yields (state after, rate, ...) for a state; None is the end of a passage.
    """
    numbers = {state: i for i, state in enumerate(first)}
    found = []
    waiting = list(numbers)
    while waiting:
        state = waiting.pop()
        for after, *rest in moves(state):
            if after is not None and after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
                assert len(numbers) <= most, "too many states"
            found.append((numbers[state], None if after is None else numbers[after], *rest))
    return numbers, found


def stationary(size: int, moves: Sequence[tuple]) -> np.ndarray:
    """The probabilities p with p Q = 0 and sum 1, by a direct solve and one refinement."""
    if size == 1:
        return np.ones(1)
    rows = [move[1] for move in moves] + [move[0] for move in moves]
    columns = [move[0] for move in moves] * 2
    rates = [move[2] for move in moves] + [-move[2] for move in moves]
    flow = coo_matrix((rates, (rows, columns)), shape=(size, size)).tocsc()
    # Some states may be left for good: the first one may be one of those, a later one is not.
    keep = size - 1
    factors = splu(flow[:keep, :keep])
    right = -np.asarray(flow[:keep, [keep]].todense()).ravel()
    found = factors.solve(right)
    found += factors.solve(right - flow[:keep, :keep] @ found)
    found = np.append(found, 1.0)
    return found / found.sum()


class Ending:
    """The time until a chain ends, by uniformization, which adds positive numbers only.

    Of the probabilities of its states at first, and the matrix of one event of a rate, from column
    to row: what a column lacks is the probability of the end.
    """

    def __init__(self, begun: np.ndarray, events, rate: float) -> None:
        self.begun, self.events, self.rate = begun, events, rate
        self._v, self._left = begun, []

    def mean(self) -> float:
        """E T, by a linear system."""
        inside = (identity(len(self.begun)) - self.events).tocsc()
        return float(splu(inside).solve(self.begun).sum() / self.rate)

    def tails(self, times: Sequence[float]) -> list[float]:
        """P(T > t) for each time."""
        last = max(times) * self.rate
        most = int(last + 12 * last**0.5 + 60)
        while len(self._left) <= most:
            self._left.append(self._v.sum())
            self._v = self.events @ self._v
        numbers, left = np.arange(most + 1), np.array(self._left[: most + 1])
        logs = gammaln(numbers + 1.0)
        x = [t * self.rate for t in times]
        return [float(np.exp(numbers * np.log(each) - logs - each) @ left) for each in x]

    def percentile(self, share: float) -> float:
        """The time within which it has ended with a probability, to 8 digits."""
        low, high = 0.0, self.mean()
        while self.tails([high])[0] > 1 - share:
            low, high = high, 2 * high
        while high - low > 1e-9 * high:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.tails([middle])[0] > 1 - share else (low, middle)
        return high
