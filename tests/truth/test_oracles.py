"""The oracles agree with one another and with what is known in closed form."""

from fractions import Fraction
from random import Random

import pytest

import qmodel as qm
from tests.truth import markov, rational
from tests.truth.agreement import relative_error
from tests.truth.measures import Measures
from tests.truth.random_networks import random_network

QUEUE, DELAY = qm.QueueingStation, qm.DelayStation


@pytest.mark.parametrize("servers", [1, 2, 3])
def test_open_station_is_erlangs(servers):
    rho = Fraction(1, 2)
    load = rho * servers
    truth = rational.solve(
        qm.Network([QUEUE("a", servers)], [qm.OpenClass("o", float(load))], [[1.0]])
    )
    head = [Fraction(1)]
    for n in range(1, servers + 1):
        head.append(head[-1] * load / n)
    waits = head[-1] / (1 - rho)
    probability_of_waiting = waits / (sum(head[:-1]) + waits)
    assert truth.queue_length == [[load + probability_of_waiting * rho / (1 - rho)]]


def test_rational_arithmetic_is_exact_and_complete():
    network = random_network(Random(3), stations=3, closed=2, kinds="sdml")
    truth = rational.solve(network)
    for c, customer_class in enumerate(network.classes):
        thinking = truth.throughput[c] * Fraction(customer_class.think_time)
        assert sum(truth.queue_length[c]) + thinking == customer_class.population


CASES = {
    "closed, one class, single servers": dict(stations=4, closed=1, population=5, kinds="s"),
    "closed, one class, all kinds": dict(stations=4, closed=1, population=5),
    "closed, two classes, all kinds": dict(stations=3, closed=2),
    "closed, three classes": dict(stations=2, closed=3, population=2),
    "open": dict(stations=2, closed=0, opened=1, load=0.3),
    "mixed": dict(stations=2, closed=1, opened=1, population=2, load=0.25),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", CASES)
def test_product_form_is_the_markov_chain(case, seed):
    network = random_network(Random(seed), **CASES[case])
    chain, exact = markov.solve(network, room=22), rational.solve(network)
    for name in ("throughput", "queue_length", "utilization", "residence_time"):
        for here, there in zip(_flat(chain, name), _flat(exact, name), strict=True):
            assert (here is None) == (there is None)
            assert there is None or relative_error(here, there) < 1e-9, (name, here, float(there))


def _flat(measures: Measures, name: str) -> list:
    values = getattr(measures, name)
    return values if name == "throughput" else [value for row in values for value in row]
