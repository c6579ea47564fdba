"""Closed forms: against the numbers of the solvers, against forms known by hand, and refusals."""

import subprocess
import sys
from fractions import Fraction
from random import Random

import pytest
import sympy

import qmodel as qm
from qmodel.analysis.symbolic import symbolic
from tests.truth import rational
from tests.truth.random_networks import random_network

CPU, DISK, LAN = qm.QueueingStation("cpu"), qm.QueueingStation("disk"), qm.DelayStation("lan")
D_CPU, D_DISK = sympy.symbols("D_cpu D_disk", positive=True)
Z = sympy.Symbol("Z", nonnegative=True)
RATE = sympy.Symbol("lambda", positive=True)


def closed(stations, demand, population, think_time=0.0):
    return qm.Network(stations, [qm.ClosedClass("users", population, think_time)], demand)


def opened(stations, demand, rate=1.0):
    return qm.Network(stations, [qm.OpenClass("mail", rate)], demand)


def same(left, right):
    return sympy.simplify(left - right) == 0


def test_two_customers_by_hand():
    found = symbolic(closed([CPU, DISK], [0.2, 0.1], 2))
    assert same(found.throughput, (D_CPU + D_DISK) / (D_CPU**2 + D_CPU * D_DISK + D_DISK**2))
    # Who arrives finds the other customer somewhere, at the cpu with probability D / (D + D).
    share = D_CPU / (D_CPU + D_DISK)
    assert same(found.residence_times[0], D_CPU * (1 + share))
    assert same(found.response_time, 2 / found.throughput)


def test_one_station_with_think_time_is_machine_repair_by_hand():
    found = symbolic(closed([CPU], [0.2], 2, think_time=1.0))
    assert same(found.throughput, 2 * (D_CPU + Z) / (2 * D_CPU**2 + 2 * D_CPU * Z + Z**2))
    assert same(found.residence_times[0], D_CPU * (1 + D_CPU / (D_CPU + Z)))


def test_demands_of_zero_stay_zero():
    found = symbolic(closed([CPU, DISK], [0.2, 0.0], 3, think_time=1.0))
    assert found.demands == (D_CPU, 0)
    assert found.residence_times[1] == found.queue_lengths[1] == found.utilizations[1] == 0
    assert found.throughput.free_symbols == {D_CPU, Z}
    assert symbolic(closed([CPU], [0.2], 3)).think_time == 0
    assert symbolic(closed([CPU], [0.2], 0)).response_time == 0
    assert symbolic(closed([LAN], [0.2], 0)).response_time == 0


@pytest.mark.parametrize("seed", range(8))
def test_values_are_those_of_rational_arithmetic_and_of_the_solvers(seed):
    network = random_network(Random(seed), stations=1 + seed % 4, closed=1, population=6)
    found, truth = symbolic(network), rational.solve(network)
    solution = qm.solve(network)
    measures = [
        (found.throughput, truth.throughput[0], solution.throughputs[0]),
        (found.response_time, sum(truth.residence_time[0]), solution.response_times[0]),
        *zip(
            found.residence_times, truth.residence_time[0], solution.residence_times[0], strict=True
        ),
        *zip(found.queue_lengths, truth.queue_length[0], solution.queue_lengths[0], strict=True),
        *zip(found.utilizations, truth.utilization[0], solution.utilizations[0], strict=True),
    ]
    for expression, true, number in measures:
        assert found.value(expression) == pytest.approx(float(true), rel=1e-13)
        assert found.value(expression) == pytest.approx(number, rel=1e-10)


@pytest.mark.parametrize("station", [
    CPU, qm.QueueingStation("cpu", 2), qm.QueueingStation("cpu", 7), LAN,
    qm.LoadDependentStation("cpu", [1.0, 1.7, 2.2]), qm.LoadDependentStation("cpu", [2.0, 1.0]),
])  # fmt: skip
def test_open_values_are_those_of_the_solver(station):
    network = opened([station, DISK], [0.3, 0.25], rate=2.0)
    found, solution = symbolic(network), qm.solve(network)
    for expression, number in zip(found.residence_times, solution.residence_times[0], strict=True):
        assert found.value(expression) == pytest.approx(number, rel=1e-13)
    assert found.value(found.response_time) == pytest.approx(solution.response_times[0], rel=1e-13)
    assert found.value(found.utilizations[1]) == 0.5


def test_open_forms_by_hand():
    one = symbolic(opened([CPU], [0.3]))
    assert same(one.residence_times[0], D_CPU / (1 - RATE * D_CPU))
    two = symbolic(opened([qm.QueueingStation("cpu", 2)], [0.3]))
    assert same(two.residence_times[0], D_CPU / (1 - (RATE * D_CPU / 2) ** 2))


def test_derivatives_are_those_of_nearby_networks():
    found = symbolic(closed([CPU, DISK, LAN], [0.2, 0.1, 0.4], 4, think_time=2.0))
    step = Fraction(1, 10**9)
    for by, place in (("cpu", 0), ("disk", 1), ("lan", 2), ("think_time", None)):
        ends = []
        for sign in (-1, 1):
            numbers = dict(zip(found.demands, map(Fraction, ("0.2", "0.1", "0.4")), strict=True))
            numbers[Z] = Fraction(2)
            numbers[Z if place is None else found.demands[place]] += sign * step
            ends.append(
                found.throughput.xreplace(
                    {s: sympy.Rational(n.numerator, n.denominator) for s, n in numbers.items()}
                )
            )
        slope = float((ends[1] - ends[0]) / (2 * sympy.Rational(1, 10**9)))
        assert found.value(found.derivative(found.throughput, by)) == pytest.approx(
            slope, rel=1e-12
        )
        assert slope < 0


def test_derivative_by_what_is_not_there_is_zero():
    found = symbolic(closed([CPU, DISK], [0.2, 0.0], 2))
    assert found.derivative(found.throughput, "disk") == 0
    assert found.derivative(found.throughput, "think_time") == 0


def test_latex():
    first, second = symbolic(closed([CPU, DISK], [0.2, 0.1], 2)).latex().split("\n")
    assert first == (
        r"X(2) &= \frac{D_{cpu} + D_{disk}}{D_{cpu}^{2} + D_{cpu} D_{disk} + D_{disk}^{2}} \\"
    )
    assert second.startswith(r"R(2) &= \frac{")
    assert symbolic(opened([LAN], [0.3])).latex() == "X &= \\lambda \\\\\nR &= D_{lan}"


@pytest.mark.parametrize(("network", "text"), [
    (qm.Network([CPU], [qm.OpenClass("a", 1), qm.OpenClass("b", 1)], [[0.1]] * 2),
     "closed forms take one class, there are 2"),
    (closed([CPU, DISK, LAN], [0.1] * 3, 500, 1.0), "the closed form has 2.11e+07 terms"),
    (opened([qm.QueueingStation("cpu", 500)], [0.1]), "station 'cpu' has 500 servers"),
])  # fmt: skip
def test_refusals(network, text):
    with pytest.raises(qm.NotApplicable) as refused:
        symbolic(network)
    assert text in str(refused.value)


def test_names_that_are_not_there_are_refused():
    found = symbolic(closed([CPU, LAN], [0.2, 0.1], 2))
    with pytest.raises(qm.InvalidInput, match="no 'tape' to differentiate by; there is cpu, lan"):
        found.derivative(found.throughput, "tape")
    with pytest.raises(qm.InvalidInput, match="no number for y"):
        found.value(found.throughput * sympy.Symbol("y"))
    with pytest.raises(qm.InvalidInput, match="'X' is no symbol of this solution"):
        found.derivative("X", "cpu")


def test_sympy_waits_until_it_is_needed():
    code = (
        "import qmodel, sys; qmodel.Network; qmodel.solve; "
        "print({'sympy', 'networkx', 'numpy'} & set(sys.modules)); qmodel.symbolic, qmodel.routing"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
