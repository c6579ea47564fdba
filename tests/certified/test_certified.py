"""The certified networks: their data, and every exact method against them."""

from fractions import Fraction

import pytest
from mpmath import mp, mpf

import qmodel as qm
from tests.certified.reader import LEVELS, load, names
from tests.certified.reference import certified
from tests.truth import rational
from tests.truth.measures import populations
from tests.truth.methods import exact_methods

NAMES = names()

#: Relative error allowed in a throughput and in a queue length.
THROUGHPUT, QUEUE_LENGTH = 1e-12, 1e-10

#: Small enough to be computed again, in 70 digits, whenever the tests run.
SMALL = [name for name in NAMES if sum(populations(load(name).network)) <= 15]


def test_there_are_thirty_on_three_levels():
    assert len(NAMES) >= 30
    assert {load(name).level for name in NAMES} == set(LEVELS)


@pytest.mark.parametrize("name", NAMES)
def test_file_is_complete(name):
    found = load(name)
    assert found.title
    assert found.obtained
    for c, row in enumerate(found.queue_length):
        customers = found.network.classes[c]
        if isinstance(customers, qm.ClosedClass):
            # 50 digits of each, so the population comes out to 45 and more.
            inside = sum(row) + found.throughput[c] * Fraction(customers.think_time)
            assert abs(inside - customers.population) <= customers.population * Fraction(1, 10**45)


@pytest.mark.parametrize("name", SMALL)
def test_answers_are_those_of_many_digits(name):
    found = load(name)
    with mp.workdps(70):
        truth = rational.solve(found.network, mpf)
        rows = [truth.throughput, *truth.queue_length]
        exact = [[Fraction(str(number)) for number in row] for row in rows]
    for mine, theirs in zip([found.throughput, *found.queue_length], exact, strict=True):
        for here, there in zip(mine, theirs, strict=True):
            assert abs(here - there) <= abs(there) * Fraction(1, 10**49)


@pytest.mark.parametrize("name", ["eight_servers_50", "two_classes_eight_servers", "thrashing"])
def test_answers_can_be_obtained_again(name):
    found = load(name)
    again = certified(found.network)
    assert found.throughput == tuple(Fraction(x) for x in again.throughput)


def test_answers_found_by_others():
    """X of three networks as computed before, elsewhere, to the digits of a float."""
    for name, value in {
        "eight_servers_50": 24.98862956541537,
        "eight_servers_80": 24.99999999993561,
        "two_classes_eight_servers": 24.889661004951582,
        "repair_8_300": 80.0,
    }.items():
        assert float(load(name).throughput[0]) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_exact_methods(name):
    found = load(name)
    methods = exact_methods(found.network)
    assert methods, "no exact method applies"
    solved = 0
    for method in methods:
        try:
            solution = qm.solve(found.network, method.name)
        except qm.NotApplicable:  # it may see only on the way that numbers leave its range
            continue
        solved += 1
        throughput, queue_length = found.errors(solution)
        assert throughput <= THROUGHPUT, method.name
        assert queue_length <= QUEUE_LENGTH, method.name
    assert solved
