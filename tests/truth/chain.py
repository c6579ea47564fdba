"""Markov chains written out state by state: the states reached, and how often each is held."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import splu


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
