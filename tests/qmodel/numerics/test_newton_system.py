"""Linear systems by way of the classes are those by elimination."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.numerics import newton_system
from qmodel.numerics.newton_system import MANY, System
from qmodel.solvers.amva import linearizer


def system(classes, size, problems, seed=0):
    random = np.random.default_rng(seed)
    diagonal = random.uniform(0.1, 2.0, (size, problems))
    beside = {size - 1: (0, random.random(problems)), size - 2: (3, -random.random(problems))}
    columns, rows = random.random((2, classes, size, problems))
    return System(diagonal, beside, columns, rows), random.standard_normal((size, problems))


def dense(of, problem):
    matrix = np.diag(of.diagonal[:, problem])
    matrix += of.columns[:, :, problem].T @ of.rows[:, :, problem]
    for column, (row, value) in of.beside.items():
        matrix[row, column] += value[problem]
    return matrix


@pytest.mark.parametrize(("classes", "size"), [(2, MANY), (3, 5), (40, MANY), (1, 200)])
@pytest.mark.parametrize("problems", [1, 3, 70])
def test_solutions_solve_the_system(classes, size, problems):
    of, right = system(classes, size, problems)
    found = of.solve(right)
    for b in range(problems):
        assert dense(of, b) @ found[:, b] == pytest.approx(right[:, b], abs=1e-8)


def test_many_stations_of_one_server_and_several_have_the_same_solution_both_ways(monkeypatch):
    stations = [qm.QueueingStation(f"s{k}", 1 + k % 3) for k in range(MANY)]
    classes = [qm.ClosedClass("a", 100, 1.0), qm.ClosedClass("b", 50, 2.0)]
    demand = [[0.01 * ((7 * c + 3 * k) % 11) for k in range(MANY)] for c in range(2)]
    network = qm.Network(stations, classes, demand)
    by_classes = linearizer.solve(network)
    monkeypatch.setattr(newton_system, "MANY", 10**9)
    eliminated = linearizer.solve(network)
    assert by_classes.throughputs == pytest.approx(eliminated.throughputs, rel=1e-12)
    assert by_classes.response_times == pytest.approx(eliminated.response_times, rel=1e-10)
