"""Stationary distribution of a birth-death process, by products of rate ratios; see THEORY.md."""

from collections.abc import Sequence
from math import exp, fsum, log


def birth_death(births: Sequence[float], deaths: Sequence[float]) -> tuple[float, ...]:
    """Probabilities of the states 0 to n [1], from n rates of state i to i + 1, and back. [1/s]"""
    logs = [0.0]
    for birth, death in zip(births, deaths, strict=True):
        if not birth:
            break
        logs.append(logs[-1] + log(birth / death))
    top = max(logs)
    weights = [exp(each - top) for each in logs]
    total = fsum(weights)
    return tuple([each / total for each in weights])
