"""RECAL: exact for many classes, beyond the lattice of populations; delays and single servers.

G_r(v) = Z_r G_(r-1)(v) + sum of D_rk (1 + v_k) G_(r-1)(v + e_k): Conway and Georganas (1986).
Equations, errors, sources: `qmodel/solvers/THEORY.md`, product_form/recal.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, frexp
from typing import Any, NamedTuple

from qmodel.errors import NotApplicable
from qmodel.model.closed_network import not_closed, not_single_server, several_classes
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.numerics.arrays import Array
from qmodel.solvers.method import MANY, Method
from qmodel.solvers.product_form.lattice_limit import BYTES, WORK
from qmodel.solvers.product_form.multiclass_convolution import near_throughputs

#: Vectors handled at a time, so that the arrays in use stay in the processor's cache.
CHUNK = 16384


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None if the method applies."""
    reason = network.product_form_violation() or not_closed(network) or not_single_server(network)
    if reason is not None:
        return reason
    model = several_classes(network)
    customers, stations = sum(model.population), len(model.stations)
    numbers = work(network)
    if numbers > WORK:
        return (
            f"{customers} customers at {stations} queueing stations are {numbers:.3g} numbers, "
            f"it takes {WORK:.0e}; linearizer may serve"
        )
    needed = _memory(customers, stations)
    if needed > BYTES:
        return (
            f"{customers} customers at {stations} queueing stations need {needed / 1e9:.3g} GB, "
            f"it takes {BYTES / 1e9:g} GB; linearizer may serve"
        )
    return None


def solve(network: Network) -> Solution:
    """Exact throughput and residence times, customer by customer and class by class.

    Raises `NotApplicable` if normalizing constants leave the range of floats.
    """
    model = several_classes(network)
    if not model.stations:
        rates = [n / time for n, time in zip(model.population, model.delay, strict=True)]
        return model.solution(network, "recal", rates, [[]] * len(rates))
    pace = near_throughputs(model)
    throughput, residence = recursion_by_chain(model.population, model.delay, model.demand, pace)
    return model.solution(network, "recal", throughput, residence)


def recursion_by_chain(
    population: Sequence[int], delay: Sequence[float], demand: Sequence[Sequence[float]],
    pace: Sequence[float],
) -> tuple[list[float], list[list[float]]]:  # fmt: skip
    """Throughput, shape (C,), and residence times at single servers, shape (C, K).

    The population is at least 1 of each class; ``delay`` is think time and demands at delay
    stations [s], ``demand`` those at single servers, shape (C, K) [s]; ``pace`` are throughputs to
    scale by, near the true ones [1/s].
    """
    import numpy as np

    classes = range(len(population))
    vectors = _vectors(len(demand[0]), sum(population))
    thinking = [z * x / n for z, x, n in zip(delay, pace, population, strict=True)]
    work = [np.array(row) * (x / n) for row, x, n in zip(demand, pace, population, strict=True)]
    customers = left = sum(population)
    think_total, work_total = 0.0, 0.0
    for n, time, times in zip(population, thinking, work, strict=True):
        think_total += n * time
        work_total += n * float(times.mean())
    base = len(demand[0]) + think_total / work_total
    constants: Array = np.ones(vectors.first[left + 1])
    for c in classes:
        for _ in range(population[c] - 1):
            left -= 1
            constants = _bring_in(constants, vectors, base, customers - left, thinking[c], work[c])
    throughput, residence = [0.0] * len(population), [[0.0]] * len(population)
    # Halves of the classes that still lack one customer each; all others are brought in.
    stack = [(list(classes), constants)]
    while stack:
        lacking, constants = stack.pop()
        if len(lacking) > 1:
            half = len(lacking) // 2
            for kept, others in (
                (lacking[:half], lacking[half:]),
                (lacking[half:], lacking[:half]),
            ):
                values, left = constants, len(lacking)
                for c in others:
                    left -= 1
                    values = _bring_in(
                        values, vectors, base, customers - left, thinking[c], work[c]
                    )
                stack.append((kept, values))
            continue
        (c,) = lacking
        # One customer of this class is out: alone, and with each station there twice.
        alone = float(constants[0]) * base / (base + customers - 1)
        twice = constants[vectors.after[:, 0]].tolist()
        cycle = delay[c]
        residence[c] = [d * t / alone for d, t in zip(demand[c], twice, strict=True)]
        for time in residence[c]:
            cycle += time
        throughput[c] = population[c] / cycle
    return throughput, residence


class _Vectors(NamedTuple):
    """All v of K whole numbers with at most a given total, numbered in the order of their total."""

    #: For each station, the number of v + e_k, shape (K, vectors of all totals but the last).
    after: Any
    #: 1 + v_k, shape (K, vectors).
    copies: Any
    #: The total of v, shape (vectors,), as floats.
    totals: Array
    #: The first number with a total of 0, 1 ... and one more.
    first: tuple[int, ...]


def _bring_in(
    constants: Array, vectors: _Vectors, base: float, customers: int, thinking: float, work: Array
) -> Array:
    """The constants of so many ``customers``, the last of whom is brought in, from those without.

    ``base`` is the b of the text above.
    """
    import numpy as np

    size = vectors.first[len(vectors.first) - 1 - customers]
    brought = np.empty(size)
    for start in range(0, size, CHUNK):
        stop = min(size, start + CHUNK)
        terms = constants.take(vectors.after[:, start:stop])
        terms *= vectors.copies[:, start:stop]
        divisor = vectors.totals[start:stop] + base
        part = work @ terms
        part /= divisor
        if thinking:
            divisor += customers - 1
            part += thinking * constants[start:stop] / divisor
        brought[start:stop] = part
    _, exponent = frexp(float(brought[0]))
    brought *= 2.0 ** float(np.clip(-exponent, -1000, 1000))
    if not brought.min() > 0.0 or not brought.max() < np.inf:
        raise NotApplicable("recal: normalizing constants leave the range of floats")
    return brought


def _vectors(stations: int, customers: int) -> _Vectors:
    if _memory(customers, stations) < 20_000_000:
        return _kept(stations, customers)
    return _number(stations, customers)


def _number(stations: int, customers: int) -> _Vectors:
    # With s_i the sum of the first i numbers, the number of a vector is the sum over i of
    # C(s_i + i - 1, i): all vectors of a smaller total first, and so on in each place. So those
    # of i places with the total s are the first C(s + i - 1, i - 1) of i - 1 places, and s.
    import numpy as np

    def sizes(places: int) -> list[int]:
        return [comb(total + places, places) for total in range(customers + 1)]

    sums = np.arange(customers + 1, dtype=np.int16)[None, :]
    for places in range(2, stations + 1):
        shorter = sizes(places - 1)
        totals = np.repeat(np.arange(customers + 1, dtype=np.int16), shorter)
        within = np.concatenate([np.arange(size) for size in shorter])
        sums = np.concatenate([sums[:, within], totals[None, :]])
    inner = comb(customers - 1 + stations, stations)
    after = np.empty((stations, inner), np.int32)
    step = np.arange(inner, dtype=np.int32)
    for place in range(stations, 0, -1):
        # C(s + i, i) - C(s + i - 1, i) = C(s + i - 1, i - 1)
        table = [comb(total + place - 1, place - 1) for total in range(customers + 1)]
        step = step + np.array(table, np.int32)[sums[place - 1, :inner]]
        after[place - 1] = step
    copies = np.diff(sums, axis=0, prepend=np.int16(0)) + np.int16(1)
    return _Vectors(after, copies, sums[-1].astype(float), (0, *sizes(stations)))


_kept = lru_cache(maxsize=4)(_number)


def _memory(customers: int, stations: int) -> int:
    """Bytes for tables, constants and what is needed to make them."""
    return comb(customers + stations, stations) * (10 * stations + 48)


def work(network: Network) -> float:
    """Numbers it would compute."""
    model = several_classes(network)
    customers, stations = sum(model.population), len(model.stations)
    return 3.0 * stations * min(MANY, comb(customers + stations + 1, stations + 1))


METHOD = Method("recal", True, solve, why_not, work)
