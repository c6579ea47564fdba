"""A fork-join station of one class as a load-dependent station.

R of branches after Varma and Makowski (1994), Nelson and Tantawi (1988).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, fork_join/fork_speeds.
"""

from fractions import Fraction
from functools import cache
from math import comb, factorial

import numpy as np

from qmodel.model.network import Network
from qmodel.model.stations import ForkJoinStation, QueueingStation
from qmodel.numerics.arrays import Array
from qmodel.numerics.ctmc import stationary

#: Branches at most.
MOST = 64


def why_not(network: Network, k: int) -> str | None:
    """Why a station is too much: a finite buffer; of a fork its branches, or other service."""
    station = network.stations[k]
    if isinstance(station, QueueingStation) and station.buffer is not None:
        return f"station {station.name!r} has room for {station.buffer} customers only"
    if not isinstance(station, ForkJoinStation):
        return None
    if station.branches > MOST:
        return f"station {station.name!r} has {station.branches} branches, it takes {MOST}"
    for c, name in enumerate(network.class_names):
        if network.demand[c][k] and network.scv_at(c, k) != 1.0:
            return (
                f"class {name!r} at station {station.name!r} has SCV {network.scv_at(c, k):g}; "
                "branches take exponential service"
            )
    return None


@cache
def light_and_heavy(branches: int) -> tuple[float, float]:
    """H(B) and V(B): R (1 - U) / S of the open station at U near 0 and near 1. [1]"""
    light = sum((Fraction(1, b) for b in range(1, branches + 1)), Fraction(0))
    heavy = Fraction(0)
    for r in range(1, branches + 1):
        inner = sum(
            (Fraction(comb(r, m) * factorial(m - 1), r ** (m + 1)) for m in range(1, r + 1)),
            Fraction(0),
        )
        heavy += comb(branches, r) * (-1) ** (r - 1) * inner
    return float(light), float(heavy)


def forked_speeds(branches: int, arrivals: Array) -> tuple[float, ...]:
    """Speed of a fork-join station, relative to one branch, with 1, 2 ... visits in progress.

    ``arrivals`` are the visits that start per service time of a branch, with 0, 1 ... visits in
    progress; the last is 0.
    """
    most = len(arrivals) - 1
    # State (n, lag j), n >= j, numbered row by row.
    n = np.repeat(np.arange(most + 1), np.arange(1, most + 2))
    j = np.concatenate([np.arange(i + 1) for i in range(most + 1)])
    number = n * (n + 1) // 2 + j
    one = np.ones(len(n))
    # The tasks of a new visit join both queues; the other branch keeps its lag.
    transitions = [  # where they are possible, the changes of n and of the lag, and the rate
        (n < most, 1, 0, arrivals[n]),
        ((j == 0) & (n > 0), 0, 1, 2.0 * one),
        ((j > 0) & (j < n), 0, 1, one),
        (j > 0, -1, -1, one),
    ]
    source, target, rate = [], [], []
    for possible, more, lag, rates in transitions:
        to_n, to_j = n[possible] + more, j[possible] + lag
        source.append(number[possible])
        target.append(to_n * (to_n + 1) // 2 + to_j)
        rate.append(rates[possible])
    probability = stationary(
        len(n), np.concatenate(source), np.concatenate(target), np.concatenate(rate)
    )
    present = np.bincount(n, probability)
    ending = np.bincount(n, np.where(j > 0, probability, 0.0))
    extra = []
    for visits in range(1, most + 1):
        # Where so many hardly ever are, as if there always were: 2 n / (2 n + 1).
        likely = ending[visits] > 1e-200
        extra.append(visits * present[visits] / ending[visits] - visits if likely else 0.5)
    if branches > 2:
        seen = present[:-1] * arrivals[:-1]  # by arrivals
        light, heavy = light_and_heavy(branches)
        of_two = float(seen @ extra) / float(seen.sum()) if seen.any() else 0.5
        share = (0.5 - of_two) / 0.125
        extra = [light - 1.0 + (heavy - light) * share] * most
    return tuple(float(visits / (visits + e)) for visits, e in enumerate(extra, 1))
