"""Every exact method against the Markov chain and against rational arithmetic.

The methods are those that say they apply, so a new one is covered when it is listed.
"""

from functools import cache
from random import Random

import pytest

import qmodel as qm
from tests.tables import rows
from tests.truth import markov, rational
from tests.truth.agreement import disagreements
from tests.truth.methods import exact_methods
from tests.truth.random_networks import random_network

#: Ten small networks and two with open classes; ``room`` makes the truncation error < 1e-11.
CHAINS = dict(rows(__file__, "chains"))

#: Larger ones, for which only rational arithmetic is quick.
LARGER = dict(rows(__file__, "larger"))


def network(case: dict) -> qm.Network:
    options = dict(case)
    return random_network(Random(options.pop("seed")), **options)


@cache
def chain(name: str):
    return markov.solve(network(CHAINS[name]), room=24)


@cache
def exact(name: str, seed: int):
    return rational.solve(network({**LARGER[name], "seed": seed}))


def applicable(found: qm.Network) -> list[str]:
    return [m.name for m in exact_methods(found)]


@pytest.mark.parametrize("name", CHAINS)
def test_some_exact_method_applies(name):
    assert applicable(network(CHAINS[name]))


@pytest.mark.parametrize(
    ("name", "method"),
    [(name, method) for name, case in CHAINS.items() for method in applicable(network(case))],
)
def test_markov_chain(name, method):
    solution = qm.solve(network(CHAINS[name]), method)
    assert not disagreements(solution, chain(name), throughput=1e-10, others=1e-10)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", LARGER)
def test_rational_arithmetic(name, seed):
    found = network({**LARGER[name], "seed": seed})
    methods = applicable(found)
    assert methods
    for method in methods:
        solution = qm.solve(found, method)
        assert not disagreements(solution, exact(name, seed), throughput=1e-12, others=1e-10), (
            method
        )
