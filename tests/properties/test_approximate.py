"""What an approximate method must keep although it is not exact."""

import pytest
from hypothesis import given

import qmodel as qm
from qmodel.solvers import METHODS
from tests.properties.checks import same
from tests.strategies import networks

APPROXIMATE = [m.name for m in METHODS if not m.exact]


def solution(network: qm.Network, name: str) -> qm.Solution | None:
    method = next(m for m in METHODS if m.name == name)
    return qm.solve(network, name) if method.why_not(network) is None else None


@given(network=networks(kinds="sdm", population=(1, 1)))
def test_one_customer_is_exact(network):
    for name in APPROXIMATE:
        s = solution(network, name)
        if s is not None:
            same(s.residence_times[0], network.demand[0], relative=1e-7)


@given(network=networks(kinds="sd", population=(1, 30)))
def test_saturation_is_exact(network):
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
    for name in APPROXIMATE:
        s = solution(network.with_population(10**6), name)
        if s is not None:
            assert s.throughputs[0] == pytest.approx(1 / busiest, rel=1e-2), name
