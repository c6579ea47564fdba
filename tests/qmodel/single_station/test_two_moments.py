"""Single stations by two moments and priorities: closed forms and one another."""

from math import nan

import mpmath
import pytest
from mpmath import mp, mpf

import qmodel as qm
from qmodel.laws.erlang import erlang_c
from qmodel.single_station import MG1, GGm, MMm, pollaczek, priority_queue
from qmodel.single_station.two_moments import waiting_probability, waiting_spread
from tests.tables import asked, rows


@pytest.mark.parametrize("servers", [1, 2, 30])
@pytest.mark.parametrize("utilization", [0.0, 1e-6, 0.5, 0.99])
def test_exponential_times_are_exact(servers, utilization):
    rate = utilization * servers / 0.3
    station, exact = GGm(rate, 0.3, servers), MMm(rate, 0.3, servers)
    assert station.waiting_time == pytest.approx(exact.waiting_time, rel=1e-12)
    assert station.waiting_probability == exact.waiting_probability
    assert station.queue_length == pytest.approx(exact.queue_length, rel=1e-12)


@pytest.mark.parametrize("servers", [1, 3])
def test_percentiles_of_exponential_times(servers):
    station, exact = GGm(0.8 * servers, 1.0, servers), MMm(0.8 * servers, 1.0, servers)
    for p in (0.0, 0.5, 0.9, 0.99):
        assert station.percentile(p) == pytest.approx(exact.percentile(p), rel=1e-6)
        assert station.waiting_time_percentile(p) == pytest.approx(
            exact.waiting_time_percentile(p), rel=1e-6
        )


@pytest.mark.parametrize("scv", [0.0, 0.25, 1.0, 4.0])
def test_poisson_arrivals_at_one_server_are_exact(scv):
    exact, found = MG1(14.0, 0.05, scv), GGm(14.0, 0.05, 1, scv=scv)
    assert found.residence_time == pytest.approx(exact.residence_time, rel=1e-14)
    assert found.waiting_time == pytest.approx(exact.waiting_time, rel=1e-13)
    for near in (1.0 - 1e-9, 1.0 + 1e-9):
        assert GGm(14.0, 0.05, 1, near, scv).waiting_time == pytest.approx(exact.waiting_time)


@pytest.mark.parametrize(("arrivals", "scv"), [(0.5, 2.0), (1.5, 1.0), (4.0, 0.5), (4.0, 10.0)])
def test_the_wait_at_one_server_against_pollaczeks_integral(arrivals, scv):
    law = pollaczek.ServiceTime
    exact = pollaczek.wait(law(2.0, arrivals), [(1.0, law(1.0, scv))]).first
    assert GGm(0.5, 1.0, 1, arrivals, scv).waiting_time == pytest.approx(exact, rel=0.09)


def md1_tail(load, t):
    """P(W > t) at M/D/1 of service time 1, the sum of Erlang, A. K. (1909), in many digits."""
    with mp.workdps(200):
        return float(1 - (1 - mpf(load)) * mpmath.fsum(
            (load * (k - mpf(t))) ** k / mpmath.factorial(k) * mpmath.exp(-load * (k - mpf(t)))
            for k in range(int(t) + 1)
        ))  # fmt: skip


@pytest.mark.parametrize("load", [0.01, 0.1, 0.3, 0.5, 0.8, 0.99])
def test_percentiles_of_constant_service_against_the_exact_ones(load):
    """The distribution jumps at the service time and bends at its multiples."""
    found = GGm(load, 1.0, 1, scv=0.0)
    network = qm.Network(
        [qm.QueueingStation("s", discipline="fcfs")], [qm.OpenClass("c", load)], [1.0], scv=[[0.0]]
    )
    shares = (0.5, 0.9, 0.95, 0.99, 0.999)
    solved = qm.percentiles(qm.solve(network), shares)
    for p in shares:
        for time in (found.percentile(p), solved["c"][p], solved["c", "s"][p]):
            wait = time - 1.0
            assert md1_tail(load, max(wait * (1 + 1e-12), 0.0) + 2e-5 * time) <= 1 - p + 1e-12
            assert wait < 2e-5 or md1_tail(load, wait - 2e-5 * time) >= 1 - p - 1e-12


def test_the_probability_of_waiting_of_whitt_1993():
    # M/H2/4, rho 0.9, SCV 2.25: exact 0.79, Whitt 0.79; quoted in a test of misken/qng, the paper's
    # page itself was not seen.
    found = waiting_probability(erlang_c(4, 3.6, 0.4), 0.9, 4, 1.0, 2.25)
    assert f"{found:.2f}" == "0.79"


@pytest.mark.parametrize("servers", [1, 4, 50])
@pytest.mark.parametrize("arrival_scv", [0.0, 0.5, 0.999999, 1.000001, 4.0])
@pytest.mark.parametrize("utilization", [0.01, 0.5, 0.97])
def test_the_probability_of_waiting_is_one(servers, arrival_scv, utilization):
    usual = erlang_c(servers, utilization * servers, (1 - utilization) * servers)
    found = waiting_probability(usual, utilization, servers, arrival_scv, 1.0)
    assert 0.0 <= found <= 1.0
    if abs(arrival_scv - 1.0) < 1e-5:
        assert found == pytest.approx(usual, rel=1e-3)
    else:
        assert (found - usual) * (arrival_scv - 1.0) >= -1e-12


def test_the_spread_of_the_wait_of_poisson_arrivals_is_exact_for_its_third_moment():
    # M/D/1: E W^2 = lambda E S^3 / 3 (1 - rho) + 2 (E W)^2 with E S^3 = 1; by (54) 1 for SCV 0.
    rho = 0.6
    wait = rho / 2 / (1 - rho)
    second = rho / 3 / (1 - rho) + 2 * wait**2
    those = second / rho / (wait / rho) ** 2 - 1
    assert waiting_spread(rho, 0.0) == pytest.approx(those, rel=1e-12)


@pytest.mark.parametrize("preemptive", [False, True])
def test_priorities_keep_the_work(preemptive):
    # Kleinrock's conservation law holds without interruption, and with it for exponential service.
    classes = [(0.2, 0.5, 1.0), (0.1, 2.0, 1.0), (0.3, 1.0, 1.0)]
    found = priority_queue(classes, preemptive=preemptive)
    rho = sum(rate * time for rate, time, _ in classes)
    rest = sum(rate * time * time for rate, time, _ in classes)
    kept = sum(rate * time * f.waiting_time for (rate, time, _), f in zip(classes, found))
    if preemptive:  # a customer's rest of service waits with it: work is rate * S * R there
        kept = (
            sum(rate * time * f.residence_time for (rate, time, _), f in zip(classes, found)) - rest
        )
    assert kept == pytest.approx(rho * rest / (1 - rho), rel=1e-12)


def test_priorities_of_one_class_are_none():
    for scv in (0.0, 1.0, 4.0):
        for preemptive in (False, True):
            (one,) = priority_queue([(0.6, 1.0, scv)], preemptive=preemptive)
            assert one.residence_time == pytest.approx(MG1(0.6, 1.0, scv).residence_time, rel=1e-12)


def test_who_interrupts_sees_nobody_else():
    first, second = priority_queue([(0.3, 1.0, 2.0), (0.3, 1.0, 1.0)], preemptive=True)
    assert first.residence_time == pytest.approx(MG1(0.3, 1.0, 2.0).residence_time, rel=1e-12)
    assert second.queue_length == pytest.approx(0.3 * second.residence_time)


@pytest.mark.parametrize("preemptive", [False, True])
def test_one_station_with_priorities_is_solved_exactly_however_busy(preemptive):
    exact = priority_queue([(0.1, 1.0, 3.0), (0.4, 2.2495, 0.5)], preemptive=preemptive)
    classes = [qm.OpenClass("a", 0.1, 0), qm.OpenClass("b", 0.4, 1)]
    station = qm.QueueingStation("s", discipline="preemptive" if preemptive else "priority")
    found = qm.solve(qm.Network([station], classes, [[1.0], [2.2495]], scv=[[3.0], [0.5]]))
    assert found.response_times == pytest.approx([e.residence_time for e in exact], rel=1e-9)
    assert found.reason.endswith("exact for M/G/1")


@pytest.mark.parametrize("bad", [nan, -1.0, "three", None, True])
@pytest.mark.parametrize("make", [make for (make,) in rows(__file__, "bad_values")])
def test_bad_values_are_refused_by_name(make, bad):
    make = asked(make, globals())
    with pytest.raises(qm.InvalidInput, match=r"rate|time|servers|SCV|percentile"):
        make(bad)


@pytest.mark.parametrize(("make", "text"), rows(__file__, "expected"))
def test_bad_values_are_refused_with_what_is_expected(make, text):
    make = asked(make, globals())
    with pytest.raises(qm.InvalidInput) as refused:
        make()
    assert text in str(refused.value)


@pytest.mark.parametrize(
    "make", [lambda: GGm(2.0, 1.0, 2), lambda: priority_queue([(0.5, 1.0, 1.0), (0.5, 1.0, 1.0)])]
)
def test_unstable_stations_are_refused(make):
    with pytest.raises(qm.Unstable, match=r"utilization would be 100 %; unstable"):
        make()
