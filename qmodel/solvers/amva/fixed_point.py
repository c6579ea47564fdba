"""Approximate mean value analysis as a fixed point: Newton's method, many populations at once.

R'_ck = d_ck (a_ck + f_ck A_ck), X_c = N_c / (Z_c + sum of R'_ck), Q_ck = X_c R'_ck; original, the
steps damped after Kelley and Keyes (1998). Theory: `qmodel/solvers/THEORY.md`, amva/fixed_point.
"""

from typing import Any, NamedTuple

import numpy as np

from qmodel.numerics.arrays import Array
from qmodel.numerics.newton_system import System
from qmodel.solvers.amva.closed_model import ROUNDING, STEPS, TOLERANCE
from qmodel.solvers.amva.initial_queues import around_the_busiest, overloaded, spread_evenly
from qmodel.solvers.amva.population_batch import Problems, Solutions, State, entry

#: Evaluations without progress that show that rounding is all that is left, of so small an error;
#: each further one doubles what counts as rounding, lest a least error by chance is waited for.
STILL, COARSE = 6, 1e-5
#: Evaluations after which a start that converges quickly or never is given up.
QUICK = 20
#: The first step in time.
PACE = 1000.0


def solve(
    problems: Problems, extra: Array | None = None, start: State | None = None,
    idle: Array | None = None, tolerance: float = TOLERANCE, steps: int = STEPS, pace: float = PACE,
) -> tuple[Solutions, State]:  # fmt: skip
    """Throughputs and residence times.

    ``extra`` is the B of the text above, ``idle`` what is added to the a that a law gives, both (C,
    K, B). The iteration goes from ``start``, the first step in time being ``pace``, long where that
    is near, to an estimated error of ``tolerance``, or ``steps`` evaluations.
    """
    options = (tolerance, steps, pace)
    if start is not None or not overloaded(problems):
        start = spread_evenly(problems) if start is None else start
        return _iterated(problems, extra, start, idle, *options)
    start = around_the_busiest(problems)
    solutions, state = _iterated(problems, extra, start, idle, tolerance, min(QUICK, steps), pace)
    lost = ~(solutions.error <= solutions.enough)
    if steps <= QUICK or not lost.any():
        return solutions, state
    rest = problems.some(lost)
    others = [None if a is None else a[..., lost] for a in (extra, idle)]
    again, there = _iterated(rest, others[0], spread_evenly(rest), others[1], *options)
    for all_, some in zip((*solutions, *state), (*again, *there), strict=True):
        if isinstance(all_, np.ndarray):
            all_[..., lost] = some
    return solutions._replace(evaluations=solutions.evaluations + again.evaluations), state


def _iterated(
    problems: Problems, extra: Array | None, start: State, idle: Array | None, tolerance: float,
    steps: int, pace: float,
) -> tuple[Solutions, State]:  # fmt: skip
    """Newton's method from one start."""
    n, z, d = problems.population, problems.delay, problems.demand
    weight = problems.weight
    own = problems.own
    seen: Any = 0.0 if extra is None else extra
    enough = np.maximum(tolerance, ROUNDING * n.sum(axis=0))
    x, queue, load = start
    error = np.full(n.shape[1], np.inf)
    least, still = np.full(n.shape[1], np.inf), np.zeros(n.shape[1], int)
    before, whole = error, np.ones(n.shape[1], bool)
    ahead: Any = np.full(n.shape[1], pace)
    for used in range(1, steps + 1):
        g = x[:, None] * d
        arrival = weight * queue + seen
        if problems.varying:
            laws = _laws(problems, x, load, idle)
            o = 1.0 + own * laws.factor * g
            stretch = (laws.idle + laws.factor * arrival) / o
            share = laws.factor * g * weight / o
        else:
            o = 1.0 + own * g
            stretch = (1.0 + arrival) / o
            share = g * weight / o
        times = d * stretch
        if (error <= enough).all():
            return Solutions(x, times, used, error, enough), State(x, queue, load)
        rise = times / o
        there = g * stretch
        lacking = x * z + there.sum(axis=1) - n
        wrong = there.sum(axis=0) - queue
        size = len(queue)
        columns, rows, right = share, rise, wrong
        places: list[int] = []
        if problems.varying:
            bent, work = _bent(problems, laws, g / o, arrival - own * there)
            rise = rows = rise - bent * own * work
            bent *= weight
            places = [k for k, _, _ in problems.varying]
            columns = np.concatenate([share, bent[:, places]], axis=1)
            rows = np.concatenate([rise, work[:, places]], axis=1)
            offered = (x[:, None] * work[:, places]).sum(axis=0)
            right = np.concatenate([wrong, offered - load])
        slope = z + rise.sum(axis=1)
        per_slope = rows / slope[:, None]
        diagonal = np.ones_like(right)
        diagonal[:size] -= share.sum(axis=0)
        # The smaller the steps in time, the more certain; the nearer, the longer.
        off = np.maximum(
            np.abs(_ratio(wrong, queue)).max(axis=0, initial=0.0),
            np.abs(_ratio(lacking, n)).max(axis=0),
        )
        if used > 1:
            gain = np.clip(before / np.maximum(off, 1e-300), 0.1, 100.0)
            ahead = np.where(whole, np.minimum(ahead * gain, 1e30), np.maximum(0.1 * ahead, 0.3))
        before = off
        diagonal += 1.0 / ahead
        beside = {size + j: (k, -bent[:, k].sum(axis=0)) for j, k in enumerate(places)}
        system = System(diagonal, beside, per_slope, columns)
        change = system.solve(right - (per_slope * lacking[:, None]).sum(axis=0))
        step = -(lacking + (columns * change).sum(axis=1)) / slope
        relative = np.concatenate([_ratio(step, x), _ratio(change[:size], queue)])
        down, up = relative.min(axis=0), relative.max(axis=0)
        part = np.minimum(1.0, 0.8 / np.maximum(np.maximum(-down, 0.2 * up), 1e-300))
        whole = part == 1.0
        x = x + part * step
        queue = queue + part * change[:size]
        load = load + part * change[size:]
        error = np.maximum(up, -down) * np.where(ahead > 1e3, 1.0, 1e3)
        # Where the error stays small and shrinks no more, rounding is all of it.
        still = np.where(error < 0.5 * least, 0, still + 1)
        least = np.minimum(least, error)
        rounded = (still >= STILL) & (least < COARSE)
        rounding = np.minimum(np.ldexp(least, np.minimum(still - STILL, 60) + 1), COARSE)
        enough = np.where(rounded, np.maximum(enough, rounding), enough)
    return Solutions(x, times, steps, error, enough), State(x, queue, load)


def _ratio(step: Array, values: Array) -> Array:
    """A step relative to the values; those that are 0, of an empty class, do not move."""
    return np.asarray(step / np.maximum(values, 1e-300))


class _Laws(NamedTuple):
    """What the laws of the varying stations give, (C, K, B): values and slopes by the load."""

    idle: Array
    factor: Array
    idle_slope: Array
    factor_slope: Array


def _laws(problems: Problems, x: Array, load: Array, idle: Array | None) -> _Laws:
    shape = problems.demand.shape
    laws = _Laws(np.ones(shape), np.ones(shape), np.zeros(shape), np.zeros(shape))
    for j, (k, law, rates) in enumerate(problems.varying):
        mine = x * problems.demand[:, k] * rates[-1]
        at = entry(problems.weight, k) * load[j] - entry(problems.own, k) * mine
        values = law.at(at, rates)
        laws.idle[:, k], laws.factor[:, k] = values[0], values[1]
        laws.idle_slope[:, k], laws.factor_slope[:, k] = values[2], values[3]
        if idle is not None:
            # An arrival finds at most all of the station idle, and no less than none of it.
            most = (np.arange(1.0, len(rates) + 1.0)[:, None] * (rates[-1] / rates - 1.0)).max(0)
            laws.idle[:, k] = np.clip(laws.idle[:, k] + idle[:, k], 1.0, 1.0 + most)
    return laws


def _bent(problems: Problems, laws: _Laws, share: Array, arrival: Array) -> tuple[Array, Array]:
    """How a class's queue lengths change with the loads of its laws, and the demands D."""
    full = np.ones((problems.demand.shape[1], problems.population.shape[1]))
    for k, _, rates in problems.varying:
        full[k] = rates[-1]
    return share * (laws.idle_slope + laws.factor_slope * arrival), problems.demand * full
