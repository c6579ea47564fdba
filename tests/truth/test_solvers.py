"""Every exact method against the Markov chain and against rational arithmetic.

The methods are those that say they apply, so a new one is covered when it is listed.
"""

from functools import cache
from random import Random

import pytest

import qmodel as qm
from tests.truth import markov, rational
from tests.truth.agreement import disagreements
from tests.truth.methods import exact_methods
from tests.truth.random_networks import random_network

#: Ten small networks and two with open classes; ``room`` makes the truncation error < 1e-11.
CHAINS = {
    "one class, single servers": dict(seed=1, stations=4, closed=1, population=6, kinds="s"),
    "one class, single servers and delay": dict(
        seed=2, stations=4, closed=1, population=6, kinds="sd"
    ),
    "one class, one customer": dict(seed=3, stations=4, closed=1, population=1),
    "one class, multiple servers": dict(seed=4, stations=3, closed=1, population=8, kinds="m"),
    "one class, load-dependent": dict(seed=5, stations=3, closed=1, population=8, kinds="l"),
    "one class, all kinds": dict(seed=6, stations=5, closed=1, population=5),
    "two classes, single servers": dict(seed=7, stations=3, closed=2, kinds="s"),
    "two classes, single servers and delay": dict(seed=8, stations=3, closed=2, kinds="sd"),
    "three classes, single servers": dict(seed=9, stations=2, closed=3, population=2, kinds="sd"),
    "two classes, multiple servers": dict(seed=10, stations=3, closed=2, kinds="sm"),
    "two classes, load-dependent": dict(seed=11, stations=2, closed=2, kinds="ld"),
    "two classes, all kinds": dict(seed=12, stations=3, closed=2),
    "open, single servers": dict(seed=13, stations=2, closed=0, opened=1, kinds="s", load=0.3),
    "open, all kinds": dict(seed=14, stations=2, closed=0, opened=1, load=0.3),
    "open, two classes": dict(seed=15, stations=1, closed=0, opened=2, kinds="m", load=0.3),
    "mixed, single servers": dict(
        seed=16, stations=2, closed=1, opened=1, population=2, kinds="s", load=0.2
    ),
    "mixed, multiple servers": dict(
        seed=17, stations=2, closed=1, opened=1, population=2, kinds="sm", load=0.2
    ),
}

#: Larger ones, for which only rational arithmetic is quick.
LARGER = {
    "one class": dict(stations=6, closed=1, population=25),
    "one class, single servers": dict(stations=6, closed=1, population=25, kinds="sd"),
    "one class, many stations": dict(stations=36, closed=1, population=6, kinds="s"),
    "one class, many stations of all kinds": dict(stations=12, closed=1, population=6),
    "two classes": dict(stations=4, closed=2, population=5),
    "three classes, single servers": dict(stations=4, closed=3, population=3, kinds="sd"),
    "open": dict(stations=4, closed=0, opened=3, load=0.9),
    "mixed": dict(stations=3, closed=2, opened=2, population=3, load=0.7),
}


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
