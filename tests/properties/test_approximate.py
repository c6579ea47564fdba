"""What an approximate method must keep although it is not exact."""

from __future__ import annotations

import pytest
from hypothesis import given

import qmodel as qm
from qmodel.solvers import METHODS
from tests.properties.checks import close, same
from tests.strategies import networks

APPROXIMATE = [m.name for m in METHODS if not m.exact]


def solution(network: qm.Network, name: str) -> qm.Solution | None:
    method = next(m for m in METHODS if m.name == name)
    return qm.solve(network, name) if method.why_not(network) is None else None


@pytest.mark.parametrize("name", APPROXIMATE)
@given(network=networks(kinds="sdm", population=(1, 1)))
def test_one_customer_is_exact(network, name):
    s = solution(network, name)
    if s is not None:
        same(s.residence_times[0], network.demand[0], relative=1e-7)


@pytest.mark.parametrize("name", APPROXIMATE)
@given(network=networks(kinds="sd", population=(1, 30)))
def test_saturation_is_exact(network, name):
    busiest = max(
        (
            d
            for d, s in zip(network.demand[0], network.stations, strict=True)
            if isinstance(s, qm.QueueingStation)
        ),
        default=0.0,
    )
    delays = network.think_time[0] + sum(network.demand[0])
    if not busiest or delays / busiest > 1e3:
        return
    s = solution(network.with_population(10**6), name)
    if s is not None:
        assert s.throughputs[0] == pytest.approx(1 / busiest, rel=1e-2)


@given(networks(closed=(1, 3), kinds="sd", population=(1, 20)))
def test_schweitzer_solves_its_own_equations(network):
    """Bard 1979, Schweitzer 1979: an arrival sees all others, and N - 1 of N of its own class."""
    s = qm.solve(network, "bard-schweitzer")
    for c, customers in enumerate(network.classes):
        for k, station in enumerate(network.stations):
            seen = 0.0
            if isinstance(station, qm.QueueingStation):
                own = s.queue_lengths[c][k]
                seen = sum(row[k] for row in s.queue_lengths) - own / customers.population
            expected = network.demand[c][k] * (1 + seen)
            assert s.residence_times[c][k] == close(expected, relative=1e-7)
