"""Markov routing of a tagged customer and of all others; see THEORY.md."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from qmodel.model.visit_routing import ImpliedRouting
from qmodel.numerics.arrays import Array

#: Probabilities that differ by less are equal; smaller ones are rounding.
ROUNDING = 1e-12


class MarkovRouting(NamedTuple):
    """A route as an absorbing Markov chain."""

    #: Of each state.
    station: tuple[int, ...]
    #: Initial distribution, shape (P,); what it lacks of 1 visits no station.
    entry: Array
    #: Transition probabilities, shape (P, P); what a row lacks of 1 leaves the network.
    onward: Array

    def exits(self) -> Array:
        """Probability to leave the network from each state."""
        left = 1.0 - self.onward.sum(axis=1)
        return np.where(left > ROUNDING, left, 0.0)


def others_routing(rounds: ImpliedRouting, visits: Sequence[float]) -> MarkovRouting:
    """From station to station, with the mean frequencies of the cycles."""
    entry, moves = rounds.transitions()
    visited = [k for k, v in enumerate(visits) if v]
    onward = np.array([[moves[i][j] / visits[i] for j in visited] for i in visited])
    return MarkovRouting(tuple(visited), np.array([entry[k] for k in visited]), onward)


def tagged_routing(rounds: ImpliedRouting, visits: Sequence[float]) -> MarkovRouting:
    """Of one customer, with states for each station of a cycle before the last and of the last."""
    if rounds.central is not None or rounds.passes == 1.0:
        return others_routing(rounds, visits)
    stays = 1.0 - 1.0 / rounds.passes
    visit = (rounds.earlier, rounds.last)
    states = [(kind, k) for kind in (0, 1) for k, p in enumerate(visit[kind]) if p]
    entry = np.zeros(len(states))
    for kind, weight in enumerate((stays, 1.0 - stays)):
        going = weight
        for i, (other, k) in enumerate(states):
            if other == kind:
                entry[i] = going * visit[kind][k]
                going *= 1.0 - visit[kind][k]
    onward = np.zeros((len(states), len(states)))
    for i, (kind, k) in enumerate(states):
        going = 1.0
        for j, (other, later) in enumerate(states):
            if other == kind and later > k:
                onward[i, j] = going * visit[kind][later]
                going *= 1.0 - visit[kind][later]
        if kind == 0:
            onward[i] += going * entry
    return MarkovRouting(tuple(k for _, k in states), entry, onward)


def is_markovian(rounds: ImpliedRouting) -> bool:
    """Whether the route from a station on does not depend on the part before it."""
    if rounds.central is not None or rounds.passes == 1.0:
        return True
    unlike = [
        abs(a - b) > ROUNDING for a, b in zip(rounds.earlier, rounds.last, strict=True) if a or b
    ]
    return not any(unlike[:-1])
