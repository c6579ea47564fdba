"""One station of variable service, against the open queue and its own balance."""

import numpy as np
import pytest

from qmodel.kernels.coxian_queue import coxian_queue


@pytest.mark.parametrize("scv", [0.5, 2.0, 9.0])
def test_with_very_many_customers_it_is_the_open_queue(scv):
    """Who think very long arrive as a Poisson process: Pollaczek-Khinchine."""
    n, demand, rate = 20_000, 1.0, 0.6
    throughput, chances = coxian_queue([j * rate / n for j in range(n, 0, -1)], demand, scv)
    busy = throughput * demand
    wait = busy * demand * (1.0 + scv) / 2.0 / (1.0 - busy)
    assert n / throughput - n / rate == pytest.approx(demand + wait, rel=5e-3)
    assert 1.0 - chances[0] == pytest.approx(busy, rel=1e-9)


@pytest.mark.parametrize("scv", [0.5, 0.8, 1.0, 4.0, 50.0])
def test_probabilities_are_those_of_the_chain(scv):
    arrivals, service = [2.0, 1.5, 3.0, 0.4], 0.7
    first, goes_on = 2.0 / service, 0.5 / scv
    second = first * goes_on
    states = [(0, 0), *((n, i) for n in range(1, 5) for i in (1, 2))]
    at = {state: k for k, state in enumerate(states)}
    q = np.zeros((9, 9))
    for n, i in states:
        if n < 4:
            q[at[n, i], at[n + 1, i or 1]] += arrivals[n]
        done = (n - 1, 1) if n > 1 else (0, 0)
        if i == 1:
            q[at[n, 1], at[n, 2]] += first * goes_on
            q[at[n, 1], at[done]] += first * (1.0 - goes_on)
        elif i == 2:
            q[at[n, 2], at[done]] += second
    q -= np.diag(q.sum(axis=1))
    p = np.linalg.lstsq(np.vstack([q.T, np.ones(9)]), np.array([0.0] * 9 + [1.0]), rcond=None)[0]
    throughput, chances = coxian_queue(arrivals, service, scv)
    by_number = [p[0], *(p[at[n, 1]] + p[at[n, 2]] for n in range(1, 5))]
    assert chances == pytest.approx(by_number, rel=1e-10)
    assert throughput == pytest.approx(sum(a * c for a, c in zip(arrivals, chances)), rel=1e-10)


def test_weights_beyond_any_float_are_brought_down():
    """Arrivals a thousand times as fast as service: nearly all are always there."""
    throughput, chances = coxian_queue([1e3] * 200, 1.0, 2.0)
    assert throughput == pytest.approx(1.0, rel=1e-9)
    assert sum(chances) == pytest.approx(1.0, rel=1e-12)
    assert chances[200] > 0.99
