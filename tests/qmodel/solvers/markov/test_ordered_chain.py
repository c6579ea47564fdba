"""The chain of a station where order matters: how many states it has, and queues in closed form."""

from itertools import product
from math import factorial

import numpy as np
import pytest

from qmodel.numerics.phase_type import PhaseType, fit_phase_type
from qmodel.solvers.markov.ordered_queue import OrderedStation, QueueCTMC
from tests.tables import asked, rows

EXPONENTIAL, MIXED, ERLANG = (
    fit_phase_type(1.0, 1.0), fit_phase_type(0.5, 4.0), fit_phase_type(2.0, 1 / 3),
)  # fmt: skip


def solved(chain, arrivals):
    return chain.marginal(chain.stationary(arrivals))


def station(discipline, servers, *service):
    return OrderedStation(servers, discipline, tuple(range(len(service))), service)


@pytest.mark.parametrize("discipline", ["fcfs", "priority", "preemptive"])
@pytest.mark.parametrize("servers", [1, 2, 3])
@pytest.mark.parametrize("population", [(3,), (3, 2), (1, 0, 4), (2, 2, 2)])
def test_there_are_no_more_states_than_foretold(discipline, servers, population):
    service = (MIXED, ERLANG, EXPONENTIAL)[: len(population)]
    one = station(discipline, servers, *service)
    chain = QueueCTMC(one, population)
    most = one.size_in_order(population) if chain.model.in_order else one.size(population)
    assert len(chain.space.states) <= most
    # Every mix of customers has a state, and who is there is counted right.
    found = {tuple(row) for row in chain.counts.tolist()}
    assert found == set(product(*(range(n + 1) for n in population)))


@pytest.mark.parametrize(
    ("discipline", "servers", "population", "size"), rows(__file__, "states_foretold")
)
def test_states_foretold(discipline, servers, population, size):
    assert station(discipline, servers, MIXED, ERLANG).size(asked(population, globals())) == asked(
        size, globals()
    )


@pytest.mark.parametrize("discipline", ["fcfs", "priority", "preemptive"])
@pytest.mark.parametrize("servers", [1, 2])
def test_one_class_is_machine_repair(discipline, servers):
    """N!/(N - n)! / (r(1) ... r(n)), whoever is served first; Kleinrock I, 3.8 and 3.10."""
    chain = QueueCTMC(station(discipline, servers, EXPONENTIAL), (4,))
    found = solved(chain, np.array([[2.0 * (4 - n) for n in range(5)]]))
    weights = [1.0]
    for n in range(1, 5):
        weights.append(weights[-1] * 2.0 * (5 - n) / min(n, servers))
    assert found == pytest.approx(np.array(weights) / sum(weights), rel=1e-12)


#: Half of the services end with the first phase of two; 1.5 s in the mean.
COXIAN = PhaseType((1.0, 0.0), ((-2.0, 1.0), (0.0, -0.5)))


@pytest.mark.parametrize("service", [MIXED, ERLANG, COXIAN])
def test_who_finds_no_room_is_lost_whatever_the_service(service):
    """Erlang's formula: with a server for each, only the mean of the service time counts."""
    mean = {MIXED: 0.5, ERLANG: 2.0, COXIAN: 1.5}[service]
    chain = QueueCTMC(station("fcfs", 3, service), (3,))
    found = solved(chain, np.array([[1.5, 1.5, 1.5, 0.0]]))
    weights = np.array([(1.5 * mean) ** n / factorial(n) for n in range(4)])
    assert found == pytest.approx(weights / weights.sum(), rel=1e-10)
