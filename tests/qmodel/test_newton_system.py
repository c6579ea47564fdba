"""Linear systems by way of the classes are those by elimination."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.numerics import newton_system
from qmodel.numerics.newton_system import FEW, FEWER, MANY, System
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


@pytest.fixture
def eliminated(monkeypatch):
    """Sizes of the systems that were eliminated, in order."""
    sizes = []
    usual = newton_system._eliminated

    def counted(matrix, right):
        sizes.append(len(right))
        return usual(matrix, right)

    monkeypatch.setattr(newton_system, "_eliminated", counted)
    return sizes


@pytest.mark.parametrize(
    ("classes", "size", "sizes"),
    [
        (2, MANY, [2]),
        (2, MANY - 1, [MANY - 1]),
        (MANY // FEWER, MANY, [MANY // FEWER]),
        (MANY // FEWER, MANY + 40, [MANY // FEWER]),
        (MANY // FEWER + 1, MANY, [MANY]),
    ],
)
def test_few_classes_of_many_stations_are_all_that_is_eliminated(classes, size, sizes, eliminated):
    of, right = system(classes, size, 3)
    found = of.solve(right)
    assert eliminated == sizes
    for b in range(3):
        assert dense(of, b) @ found[:, b] == pytest.approx(right[:, b], abs=1e-8)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_elimination_takes_over_where_the_classes_lose_the_digits(scale, eliminated):
    """And only there, however large the numbers are."""
    of, right = system(2, MANY, 1)
    of.solve(scale * right)
    assert eliminated == [2]
    of.diagonal[5] = 1e-18
    found = of.solve(scale * right)
    assert eliminated == [2, 2, MANY]
    assert dense(of, 0) @ found[:, 0] == pytest.approx(scale * right[:, 0], abs=1e-6 * scale)


def test_what_a_solution_is_held_against_is_the_matrix_times_it():
    of, found = system(2, 6, 4)
    for b in range(4):
        assert of._times(found)[:, b] == pytest.approx(dense(of, b) @ found[:, b], rel=1e-12)


@pytest.mark.parametrize(
    ("size", "problems", "one_by_one"),
    [(1, 64, False), (FEW, 64, False), (FEW + 1, 64, True), (FEW - 1, 63, True)],
)
def test_many_small_systems_are_eliminated_together(size, problems, one_by_one, monkeypatch):
    random = np.random.default_rng(2)
    matrix = random.uniform(-1.0, 1.0, (size, size, problems))
    matrix[np.arange(size), np.arange(size)] += 4.0
    right = random.standard_normal((size, problems))
    asked = []
    usual = np.linalg.solve
    monkeypatch.setattr(np.linalg, "solve", lambda *of: asked.append(of) or usual(*of))
    found = newton_system._eliminated(matrix, right)
    assert bool(asked) == one_by_one
    assert np.einsum("klb,lb->kb", matrix, found) == pytest.approx(right, abs=1e-12)


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
