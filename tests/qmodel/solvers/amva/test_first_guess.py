"""Where the iteration of the approximate methods begins, and that it ends at one place."""

import random

import numpy as np
import pytest

from qmodel.solvers.amva import fixed_point as arrival_theorem
from qmodel.solvers.amva.fixed_point import QUICK, solve
from qmodel.solvers.amva.initial_queues import around_the_busiest, overloaded
from qmodel.solvers.amva.population_batch import Problems, State


def problems(population, delay, demand):
    n = np.array(population, float)
    return Problems(n, np.array(delay, float), np.array(demand, float), 1.0, 1.0 / n[:, None])


def crowd(customers, seed=1, stations=40):
    """Two classes at nearly tied stations, in three problems."""
    rng = random.Random(seed)
    demand = [[[rng.uniform(0.95, 1.0)] * 3 for _ in range(stations)] for _ in range(2)]
    return problems([[customers] * 3, [customers / 4.0] * 3], [[25.0] * 3, [50.0] * 3], demand)


@pytest.mark.parametrize("customers", [1e3, 1e6, 1e9])
def test_a_crowd_is_solved_in_few_steps(customers):
    found, _ = solve(crowd(customers))
    assert found.evaluations <= QUICK
    assert (found.error <= found.enough).all()
    everywhere = found.throughput * (crowd(customers).delay + found.residence.sum(axis=1))
    assert everywhere == pytest.approx(crowd(customers).population)


@pytest.mark.parametrize("customers", [1e4, 1e5])
def test_it_ends_where_queues_that_were_too_long_end(customers, monkeypatch):
    quick, _ = solve(crowd(customers))
    monkeypatch.setattr(arrival_theorem, "overloaded", lambda _: False)
    slow, _ = solve(crowd(customers))
    assert (slow.error <= slow.enough).all()
    assert slow.evaluations > 2 * quick.evaluations
    assert quick.throughput == pytest.approx(slow.throughput, rel=1e-9)


@pytest.mark.parametrize("customers", [1e3, 1e5, 1e7])
def test_it_ends_where_rounding_is_all_that_is_left(customers, monkeypatch):
    """However small an error is asked for, and it says how small it became."""
    expected, _ = solve(crowd(customers))
    monkeypatch.setattr(arrival_theorem, "ROUNDING", 0.0)
    found, _ = solve(crowd(customers), tolerance=0.0)
    assert (found.error <= found.enough).all()
    assert found.evaluations <= expected.evaluations + 20
    assert (found.enough < 1e-15 * customers + 1e-14).all()
    assert found.throughput == pytest.approx(expected.throughput, rel=1e-9)


def test_a_guess_that_leads_nowhere_is_given_up(monkeypatch):
    tried = []

    def nowhere(some):
        tried.append(some.population.shape[1])
        state = around_the_busiest(some)
        queue = state.queue.copy()
        queue[:, 1] = 1e-280  # of the second problem
        return state._replace(queue=queue)

    expected, _ = solve(crowd(1e4))
    monkeypatch.setattr(arrival_theorem, "around_the_busiest", nowhere)
    found, state = solve(crowd(1e4))
    assert tried == [3]
    assert found.evaluations > QUICK
    assert (found.error <= found.enough).all()
    assert found.throughput == pytest.approx(expected.throughput, rel=1e-9)
    assert state.queue.sum(axis=0) == pytest.approx(
        (found.throughput[:, None] * found.residence).sum(axis=(0, 1)), rel=1e-9
    )


def test_who_is_overloaded():
    light = problems([[3.0]], [[100.0]], [[[1.0], [2.0]]])
    assert not overloaded(light)
    assert overloaded(crowd(1e4))
    assert not overloaded(problems([[3.0]], [[1.0]], np.zeros((1, 0, 1))))


@pytest.mark.parametrize("scale", [1e-6, 1e4])
def test_a_step_changes_nothing_more_than_fivefold_and_nearly_so_from_afar(scale):
    some = crowd(1e3)
    expected, there = solve(some)
    start = State(there.throughput * scale, there.queue * scale, there.load)
    _, after = solve(some, start=start, steps=1)
    changes = np.concatenate([after.queue / start.queue, after.throughput / start.throughput])
    assert changes.min() >= 0.2 - 1e-9
    assert changes.max() <= 5.0 + 1e-9
    assert changes.max() == pytest.approx(5.0) or changes.min() == pytest.approx(0.2)
    found, _ = solve(some, start=start)
    assert found.throughput == pytest.approx(expected.throughput, rel=1e-9)
    assert found.evaluations <= 40
