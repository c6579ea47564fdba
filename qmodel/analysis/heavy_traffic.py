"""Heavy-traffic limits: proportionally fair throughputs, and the sets of stations that saturate.
Theory and sources: `qmodel/analysis/THEORY.md`, bottlenecks.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from qmodel.errors import NotApplicable

Row = tuple[float, ...]

#: Relative room in which a station counts as full.
FULL = 1e-9
#: Linear programs at most.
PROGRAMS = 5000
#: Newton steps at most; some 25 are taken. The product of what is left of a station and the
#: customers there, at which they end.
STEPS, SMALLEST = 200, 1e-20


def two_class_sectors(loads: Sequence[Row]) -> list[tuple[tuple[int, ...], float, float]]:
    """Of two classes: sets of stations, and the shares of the first class between which they fill.

    ``loads`` are demands per unit of capacity, shape (2, K), each class with one above 0. [s]
    """
    first, second = loads
    alone: list[tuple[float, float, tuple[int, ...]]] = []
    for k in range(len(first)):
        if (span := _alone(first, second, k)) is not None:
            twins = tuple(
                other
                for other in range(len(first))
                if abs(first[other] - first[k]) <= FULL * first[k]
                and abs(second[other] - second[k]) <= FULL * second[k]
            )
            if twins[0] == k:
                alone.append((*span, twins))
    alone.sort()
    filling: list[tuple[tuple[int, ...], float, float]] = []
    at = 0.0
    for low, high, stations in alone:
        if low > at + FULL:
            filling.append((_together(first, second, stations[0], low), at, low))
        else:
            low = at  # noqa: PLW2901 - the same edge, computed from its other side
        filling.append((stations, low, high))
        at = high
    if at < 1.0 - FULL:
        k = alone[-1][2][0] if alone else -1
        filling.append((_together(first, second, k, at), at, 1.0))
    elif filling:
        filling[-1] = (filling[-1][0], filling[-1][1], 1.0)
    return filling


def _alone(first: Row, second: Row, k: int) -> tuple[float, float] | None:
    """Shares of the first class between which station ``k`` is full before all others."""
    if not first[k] or not second[k]:
        return None
    low, high = 0.0, 1.0
    for other in range(len(first)):
        # b first ratio + (1 - b) second ratio <= 1
        a, b = first[other] / first[k] - 1.0, second[other] / second[k] - 1.0
        if abs(a) <= FULL and abs(b) <= FULL:
            continue
        if a > b:
            high = min(high, -b / (a - b))
        elif a < b:
            low = max(low, -b / (a - b))
        elif b > 0.0:
            return None
    return (low, high) if high > low + FULL else None


def _together(first: Row, second: Row, k: int, share: float) -> tuple[int, ...]:
    """The stations that are full where station ``k`` is, at the edge of where it is alone."""
    x, y = 1.0 / max(first), 1.0 / max(second)
    if k >= 0:
        x, y = share / first[k], (1.0 - share) / second[k]
    return tuple(
        other for other in range(len(first)) if first[other] * x + second[other] * y >= 1.0 - FULL
    )


def sectors(loads: Sequence[Row]) -> list[tuple[tuple[int, ...], Row]]:
    """Sets of stations that fill together, each with a mix at which they do.

    ``loads`` are demands per unit of capacity, shape (C, K) [s]. Raises `NotApplicable` if there
    are too many sets to look at.
    """
    stations = [k for k in range(len(loads[0])) if any(row[k] for row in loads)]
    filling: list[tuple[tuple[int, ...], Row]] = []
    waiting: list[tuple[int, ...]] = [(k,) for k in stations]
    programs = 0
    while waiting:
        full = waiting.pop(0)
        programs += 1
        if programs > PROGRAMS:
            raise NotApplicable(f"more than {PROGRAMS} sets of stations to look at")
        if (answer := _room(loads, full)) is None:
            continue
        room, x = answer
        if room > FULL and all(any(row[k] for k in full) for row in loads):
            weights = [sum(row[k] for k in full) / len(full) for row in loads]
            filling.append((full, tuple(a * b for a, b in zip(x, weights, strict=True))))
        waiting += [(*full, k) for k in stations if k > full[-1]]
    return filling


def _room(loads: Sequence[Row], full: tuple[int, ...]) -> tuple[float, Row] | None:
    """How far from full the others can be kept, and throughputs where they are; None if never."""
    from scipy.optimize import linprog

    demand = np.array(loads)
    classes, stations = demand.shape
    others = [k for k in range(stations) if k not in full]
    scale = demand.max(axis=1)
    # Variables: throughputs times the largest demand of their class, and the room.
    d = demand / scale[:, None]
    below = np.hstack([d[:, others].T, np.ones((len(others), 1))])
    above = np.hstack([-np.eye(classes), np.ones((classes, 1))])
    answer: Any = linprog(
        np.eye(classes + 1)[-1] * -1.0, A_ub=np.vstack([below, above]),
        b_ub=np.concatenate([np.ones(len(others)), np.zeros(classes)]),
        A_eq=np.hstack([d[:, full].T, np.zeros((len(full), 1))]), b_eq=np.ones(len(full)),
        bounds=[(0.0, None)] * classes + [(None, 1.0)], method="highs",
    )  # fmt: skip
    if answer.status != 0 or answer.x[-1] < -FULL:
        return None
    x = np.maximum(answer.x[:classes], 0.0) / scale
    return float(answer.x[-1]), tuple(x.tolist())


def fair_throughputs(loads: Sequence[Row], shares: Row) -> tuple[Row, Row]:
    """Throughputs that maximise the sum of share times logarithm, and how full stations are.

    A primal-dual interior-point method: with q_k the customers at station k per customer in all,
    s_k what is left of its capacity, x_c (sum of D_ck q_k) = b_c and q_k s_k = mu, which Newton
    steps follow to mu = 0.

    ``loads`` are demands per unit of capacity, shape (C, K), each class with one above 0 [s]; the
    sum of ``shares`` is 1. A class without a share has throughput 0 [1/s]; how full a station is is
    the sum of throughput times demand per unit of capacity, at most 1.
    """
    all_shares = np.array(shares)
    present = all_shares > 0.0
    unit = np.array(loads)[present].max(axis=1)
    demand, b = np.array(loads)[present] / unit[:, None], all_shares[present]
    x = 0.5 * b / max(b @ demand)
    left = 1.0 - x @ demand
    q = np.full(demand.shape[1], 1.0 / demand.shape[1])
    for _ in range(STEPS):
        mu = q @ left / len(q)
        if mu <= SMALLEST:
            break
        uneven = q * left - 0.1 * mu
        slack = x @ demand + left - 1.0
        # Of dx and dq; twins make it singular, which least squares does not mind.
        matrix = np.block([[np.diag(b / x**2), demand], [q[:, None] * demand.T, -np.diag(left)]])
        right = np.concatenate([b / x - demand @ q, uneven - q * slack])
        move = np.linalg.lstsq(matrix, right, rcond=None)[0]
        dx, dq = move[: len(x)], move[len(x) :]
        d_left = -slack - dx @ demand
        now, ahead = np.concatenate([x, left, q]), np.concatenate([dx, d_left, dq])
        falls = ahead < 0.0
        length = min(1.0, 0.99 * float(np.min(now[falls] / -ahead[falls], initial=2.0)))
        x, left, q = x + length * dx, left + length * d_left, q + length * dq
    rates = np.zeros(len(shares))
    rates[present] = x / unit
    return tuple(rates.tolist()), tuple(np.minimum(rates @ np.array(loads), 1.0).tolist())
