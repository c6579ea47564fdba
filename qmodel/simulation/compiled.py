"""The engine, written once: compiled by numba if installed, else plain Python; see THEORY.md."""

from collections.abc import Callable
from heapq import heappop, heappush
from math import inf
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

try:
    import numba

    COMPILED = not numba.config.DISABLE_JIT
except ImportError:
    COMPILED = False


def compiled(function: F) -> F:
    """The function, compiled when it is first called, if numba is there."""
    if not COMPILED:
        return function
    fast: F = numba.njit(cache=True, nogil=True)(function)
    return fast


def sequence(values: Any, kind: type) -> Any:
    """Numbers as the engine takes them: a list, or an array where it is compiled."""
    array = np.array(values, dtype=np.float64 if kind is float else np.int64)
    return array if COMPILED else array.tolist()


def longer(values: Any, more: int) -> Any:
    """The same with zeros behind."""
    if COMPILED:
        return np.concatenate([values, np.zeros(more, values.dtype)])
    return values + [type(values[0])(0)] * more


def new_heaps(heaps: int, room: int) -> Any:
    """Empty heaps of pairs of a key and a number, each with room for so many."""
    if COMPILED:
        return np.zeros((heaps, room)), np.zeros((heaps, room), np.int64), np.zeros(heaps, np.int64)
    return [[] for _ in range(heaps)]


def roomier(heaps: Any, more: int) -> Any:
    """The same heaps with room for more."""
    if not COMPILED:
        return heaps
    keys, numbers, sizes = heaps
    wide = ((0, 0), (0, more))
    return np.pad(keys, wide), np.pad(numbers, wide), sizes


if COMPILED:

    @compiled
    def least(heaps: Any, h: int) -> float:
        """The least key of heap ``h``; infinite if it is empty."""
        return heaps[0][h, 0] if heaps[2][h] else inf

    @compiled
    def push(heaps: Any, h: int, key: float, number: int) -> None:
        """Add a pair to heap ``h``."""
        keys, numbers, sizes = heaps
        at = sizes[h]
        sizes[h] = at + 1
        while at:
            above = (at - 1) >> 1
            if keys[h, above] < key or (keys[h, above] == key and numbers[h, above] < number):
                break
            keys[h, at], numbers[h, at] = keys[h, above], numbers[h, above]
            at = above
        keys[h, at], numbers[h, at] = key, number

    @compiled
    def pop(heaps: Any, h: int) -> int:
        """Remove the pair of the least key from heap ``h``; its number."""
        keys, numbers, sizes = heaps
        first = numbers[h, 0]
        size = sizes[h] - 1
        sizes[h] = size
        key, number, at = keys[h, size], numbers[h, size], 0
        while True:
            low = 2 * at + 1
            if low >= size:
                break
            other = low + 1
            if other < size and (
                keys[h, other] < keys[h, low]
                or (keys[h, other] == keys[h, low] and numbers[h, other] < numbers[h, low])
            ):
                low = other
            if key < keys[h, low] or (key == keys[h, low] and number < numbers[h, low]):
                break
            keys[h, at], numbers[h, at] = keys[h, low], numbers[h, low]
            at = low
        keys[h, at], numbers[h, at] = key, number
        return first  # type: ignore[no-any-return]

else:

    def least(heaps: Any, h: int) -> float:
        """The least key of heap ``h``; infinite if it is empty."""
        return heaps[h][0][0] if heaps[h] else inf

    def push(heaps: Any, h: int, key: float, number: int) -> None:
        """Add a pair to heap ``h``."""
        heappush(heaps[h], (key, number))

    def pop(heaps: Any, h: int) -> int:
        """Remove the pair of the least key from heap ``h``; its number."""
        return heappop(heaps[h])[1]  # type: ignore[no-any-return]
