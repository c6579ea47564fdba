"""Finite sources, patience, batches, vacations, weights: published values and limits."""

import pytest

import qmodel as qm
from qmodel import single_station as ss
from qmodel.laws.erlang import erlang_b
from qmodel.numerics.phase_type import ServiceTime
from qmodel.single_station.pollaczek import wait


@pytest.mark.parametrize(("customers", "servers"), [(1, 1), (5, 2), (40, 3)])
def test_a_source_with_room_for_all_is_a_closed_network(customers, servers):
    found = ss.FiniteSource(customers, think_time=10.0, service_time=1.5, servers=servers)
    network = qm.Network(
        [qm.QueueingStation("m", servers)], [qm.ClosedClass("c", customers, 10.0)], [[1.5]]
    )
    solution = qm.solve(network)
    assert found.throughput == pytest.approx(solution["c"].throughput, rel=1e-12)
    assert found.residence_time == pytest.approx(solution["c"].response_time, rel=1e-12)
    assert found.blocking_probability == 0.0


def test_engset_loses_what_one_customer_less_finds_full():
    # Arriving customers see the system without themselves (the arrival theorem).
    full = ss.FiniteSource(10, think_time=2.0, service_time=1.0, servers=3, capacity=3)
    less = ss.FiniteSource(9, think_time=2.0, service_time=1.0, servers=3, capacity=3)
    assert full.blocking_probability == pytest.approx(less.probabilities[-1], rel=1e-12)
    assert full.waiting_time == pytest.approx(0.0, abs=1e-12)
    many = ss.FiniteSource(100_000, think_time=5e4, service_time=1.0, servers=3, capacity=3)
    assert many.blocking_probability == pytest.approx(erlang_b(3, 2.0), rel=1e-4)


def test_some_room_lies_between_none_and_all():
    rates = [ss.FiniteSource(12, 4.0, 1.0, 2, room).throughput for room in (2, 4, 12)]
    assert rates == sorted(rates)
    with pytest.raises(qm.InvalidInput, match="capacity is 1, expected >= the number of servers"):
        ss.FiniteSource(12, 4.0, 1.0, 2, 1)


def test_patience_without_end_is_erlang_c_and_none_is_erlang_b():
    endless, waits = ss.ErlangA(1.5, 1.0, 2, 1e7), ss.MMm(1.5, 1.0, 2)
    assert endless.waiting_probability == pytest.approx(waits.waiting_probability, rel=1e-5)
    assert endless.waiting_time == pytest.approx(waits.waiting_time, rel=1e-4)
    with pytest.raises(
        qm.InvalidInput, match="about 1e\\+12 customers wait; expected at most 1e\\+06"
    ):
        ss.ErlangA(5.0, 1.0, 4, 1e12)
    none = ss.ErlangA(1.5, 1.0, 2, 1e-7)
    assert none.abandoned == pytest.approx(erlang_b(2, 1.5), rel=1e-5)


def test_as_patient_as_served_is_a_poisson_number():
    # With patience equal to service time customers leave as from M/M/infinity.
    found = ss.ErlangA(50.0, 2.0, 90, 2.0)
    assert sum(n * p for n, p in enumerate(found.probabilities)) == pytest.approx(100.0, rel=1e-12)
    crowd = ss.ErlangA(arrival_rate=300.0, service_time=1.0, servers=1, patience=10.0)
    assert crowd.throughput == pytest.approx(1.0, rel=1e-9)  # overloaded, and yet stable


def test_batches_of_one_are_single_and_larger_ones_wait_for_themselves():
    one = ss.MXG1(0.5, 1.0, scv=3.0)
    assert one.waiting_time == pytest.approx(ss.MG1(0.5, 1.0, 3.0).waiting_time, rel=1e-12)
    # Gross and Harris, (3.5): L = rho (1 + E[X^2] / E[X]) / (2 (1 - rho)) for M[X]/M/1.
    size, scv, load = 4.0, 0.5, 0.8
    squares = size**2 * (1.0 + scv)
    found = ss.MXG1(load / size, 1.0, size, scv)
    assert found.queue_length == pytest.approx(load * (1 + squares / size) / (2 * (1 - load)))
    with pytest.raises(qm.Unstable):
        ss.MXG1(0.5, 1.0, 2.0)
    with pytest.raises(qm.InvalidInput, match=r"batch size is 0\.5, expected at least 1"):
        ss.MXG1(0.1, 1.0, 0.5)


def test_short_vacations_are_none_and_idle_servers_are_away():
    short = ss.MG1Vacations(0.6, 1.0, 1e-9)
    assert short.waiting_time == pytest.approx(ss.MG1(0.6, 1.0, 1.0).waiting_time, rel=1e-6)
    assert ss.MG1Vacations(0.0, 1.0, 3.0).waiting_time == pytest.approx(3.0)  # memory of none


def test_weights_share_as_conservation_and_priorities_say():
    equal = ss.discriminatory_sharing([(0.3, 1.0, 1.0), (0.2, 2.0, 1.0)])
    assert equal == pytest.approx([1.0 / 0.3, 2.0 / 0.3], rel=1e-12)
    far = ss.discriminatory_sharing([(0.3, 1.0, 1e9), (0.2, 2.0, 1.0)])
    ranked = ss.priority_queue([(0.3, 1.0, 1.0), (0.2, 2.0, 1.0)], preemptive=True)
    assert far == pytest.approx([each.residence_time for each in ranked], rel=1e-6)
    # The work there does not depend on the weights: sum of lambda_k T_k / mu_k is that of sharing.
    some = [(0.3, 1.0, 5.0), (0.2, 2.0, 0.7)]
    times = ss.discriminatory_sharing(some)
    work = sum(rate * time * t for (rate, time, _), t in zip(some, times, strict=True))
    assert work == pytest.approx((0.3 + 0.2 * 4.0) / 0.3, rel=1e-12)
    with pytest.raises(qm.Unstable):
        ss.discriminatory_sharing([(1.0, 1.0, 1.0)])
    with pytest.raises(qm.InvalidInput, match="weight"):
        ss.discriminatory_sharing([(0.1, 1.0, 0.0)])


def test_forks_of_two_equal_branches_are_nelson_and_tantawis_and_one_is_a_queue():
    for rho in (0.3, 0.8):
        found = ss.fork_join([1.0, 1.0], arrival_rate=rho)
        assert found.response_time == pytest.approx((12 - rho) / 8 / (1 - rho), rel=1e-9)
    closed = ss.fork_join([2.0], customers=5, think_time=10.0)
    assert closed.response_time == pytest.approx(ss.FiniteSource(5, 10.0, 2.0).residence_time)
    assert closed.is_exact
    assert ss.fork_join([1.0, 0.5], customers=2).response_time == pytest.approx(62 / 30)  # a walk
    # A branch that is hardly there changes nothing; without chains (many states) it is close.
    near = ss.fork_join([1.0, 1e-4], arrival_rate=0.9)
    assert near.response_time == pytest.approx(10.0, rel=1e-3)
    for branches in ([1.0, 0.8], [1.0, 0.6, 0.9]):
        chain = ss.fork_join(branches, customers=10, think_time=4.0)
        assert chain.is_exact
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("qmodel.single_station.unequal_branches.LARGEST", 0)
            patch.setattr("qmodel.single_station.unequal_branches.LARGER", 0)
            about = ss.fork_join(branches, customers=10, think_time=4.0)
        assert about.response_time == pytest.approx(chain.response_time, rel=0.04)
        assert not about.is_exact
    with pytest.raises(qm.Unstable):
        ss.fork_join([1.0, 2.0], arrival_rate=0.5)
    with pytest.raises(qm.InvalidInput, match="either arrival_rate or customers"):
        ss.fork_join([1.0, 2.0])


@pytest.mark.parametrize("scv", [0.0, 0.4, 1.0, 3.0])
def test_variances_of_waits_are_those_of_the_transform(scv):
    exact = wait(ServiceTime(1 / 0.7), [(1.0, ServiceTime(1.0, scv))])
    found = ss.MG1(0.7, 1.0, scv).waiting_time_variance
    assert found == pytest.approx(exact.second - exact.first**2, rel=1e-6)
    one = ss.MMm(0.75, 1.0, 1)
    assert ss.MG1(0.75, 1.0, 1.0).number_variance == pytest.approx(one.number_variance, rel=1e-12)
    assert one.number_variance == pytest.approx(0.75 / 0.25**2, rel=1e-12)
    assert one.waiting_time_variance == pytest.approx(15.0, rel=1e-12)
