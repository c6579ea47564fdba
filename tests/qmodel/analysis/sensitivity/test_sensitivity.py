"""Derivatives against closed forms, many-digit arithmetic, and what must hold of all of them."""

from random import Random

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given

import qmodel as qm
from qmodel.analysis.sensitivity.parameters import changed
from qmodel.errors import InvalidInput, NotApplicable
from tests.strategies import networks
from tests.tables import asked, rows
from tests.truth import rational
from tests.truth.random_networks import random_network

STEP = mpmath.mpf(10) ** -20
#: Stands for the parameter that changes; no other number of a network is the same.
MARK = 0.7310585786300049


def in_many_digits(network, parameter):
    """Derivatives of throughput and queue lengths by one parameter, good to 30 digits.

    A central difference in 50 digits.
    """
    marked = changed(network, parameter, MARK)

    def solved(value):
        return rational.solve(marked, lambda x: value if x == MARK else mpmath.mpf(x))

    with mpmath.workdps(50):
        at, step = mpmath.mpf(parameter.value), STEP * (parameter.value or 1.0)
        low, high = solved(at - step), solved(at + step)
        throughput = [(b - a) / (2 * step) for a, b in zip(low.throughput, high.throughput)]
        queues = [
            [float((b - a) / (2 * step)) for a, b in zip(*rows)]
            for rows in zip(low.queue_length, high.queue_length)
        ]
        return [float(slope) for slope in throughput], queues


def same_as_in_many_digits(network, rel=1e-12):
    found = qm.sensitivity(network)
    assert found.exact
    looked_at = 0
    for one in found.slopes:
        if not one.parameter.is_whole:
            throughput, queues = in_many_digits(network, one.parameter)
            assert one.throughputs == pytest.approx(throughput, rel=rel, abs=1e-12)
            for mine, row in zip(one.queue_lengths, queues):
                assert mine == pytest.approx(row, rel=rel, abs=1e-12)
            looked_at += 1
    assert looked_at >= len(network.stations) * len(network.classes)


@pytest.mark.parametrize("seed", range(8))
def test_one_closed_class(seed):
    same_as_in_many_digits(random_network(Random(seed), stations=3, closed=1, population=5))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("closed", "opened"), [(2, 0), (1, 2), (0, 2), (2, 1)])
def test_several_classes_of_both_kinds(seed, closed, opened):
    rng = Random(1000 * closed + 100 * opened + seed)
    same_as_in_many_digits(random_network(rng, stations=3, closed=closed, opened=opened))


def test_a_station_that_slows_down_under_load():
    stations = [qm.LoadDependentStation("a", [1.0, 10.0, 1.0]), qm.QueueingStation("b", 2)]
    same_as_in_many_digits(qm.Network(stations, [qm.ClosedClass("u", 6, 2.0)], [[0.5, 0.3]]))


def test_the_closed_form_of_two_customers():
    d, e, z = sympy.symbols("d e z", positive=True)
    first = 1 / (z + d + e)
    r_d, r_e = d * (1 + first * d), e * (1 + first * e)
    x = 2 / (z + r_d + r_e)
    at = {d: sympy.Rational(1, 5), e: sympy.Rational(1, 10), z: 3}
    network = qm.Network(
        [qm.QueueingStation("d"), qm.QueueingStation("e")],
        [qm.ClosedClass("u", 2, think_time=3.0)], [[0.2, 0.1]],
    )  # fmt: skip
    mine = qm.sensitivity(network)["u"]
    for effect, symbol in (
        (mine.by_demand["d"], d), (mine.by_demand["e"], e), (mine.by_think_time["u"], z)
    ):  # fmt: skip

        def slope(formula, symbol=symbol):
            return pytest.approx(float(sympy.diff(formula, symbol).subs(at)), rel=1e-13)

        assert effect.derivative.throughput == slope(x)
        assert effect.derivative.response_time == slope(r_d + r_e)
        assert effect.derivative["d"].residence_time == slope(r_d)
        assert effect.derivative["e"].queue_length == slope(x * r_e)
        assert effect.derivative["d"].utilization == slope(x * d)
        elastic = sympy.diff(sympy.log(r_d + r_e), symbol) * symbol
        expected = float(elastic.subs(at))
        assert effect.elasticity.response_time == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    ("population", "think_time", "demands"),
    [(150, 5.0, [0.4, 0.25, 0.1]), (400, 0.0, [0.4, 0.4, 0.1]), (400, 130.0, [0.4, 0.399, 0.1])],
)
def test_many_customers(population, think_time, demands):
    network = qm.Network(
        [qm.QueueingStation(str(k)) for k in range(3)],
        [qm.ClosedClass("u", population, think_time)], [demands],
    )  # fmt: skip
    found = qm.sensitivity(network)
    x, queues = found.solution.throughputs[0], found.solution.queue_lengths[0]
    room = 1e-15 * population
    for one in found.slopes[:4]:
        value = one.parameter.value
        (dx,), (dq,) = in_many_digits(network, one.parameter)
        assert one.throughputs[0] * value / x == pytest.approx(dx * value / x, abs=room)
        for mine, slope, queue in zip(one.queue_lengths[0], dq, queues):
            assert mine * value / queue == pytest.approx(slope * value / queue, abs=10 * room)


def test_a_demand_of_zero_has_a_derivative():
    """What if the class started to visit: the limit of ever smaller demands."""
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.QueueingStation("disk", 2), qm.DelayStation("lan")],
        [qm.ClosedClass("a", 3, 1.0), qm.ClosedClass("b", 2, 2.0)],
        [[0.3, 0.0, 0.1], [0.2, 0.7, 0.4]],
    )
    same_as_in_many_digits(network)
    effect = qm.sensitivity(network)["a"].by_demand["disk"]
    assert effect.derivative["disk"].residence_time > 1.0
    assert effect.elasticity.response_time == 0.0


def test_whole_numbers_are_differences_of_solutions():
    network = qm.Network(
        [qm.QueueingStation("cpu", 2), qm.DelayStation("lan")],
        [qm.ClosedClass("a", 5, 1.0), qm.OpenClass("b", 0.5)], [[0.7, 0.1], [0.3, 0.2]],
    )  # fmt: skip
    found = qm.sensitivity(network)
    before, more = qm.solve(network), qm.solve(network.with_population(6))
    effect = found["b"].by_population["a"]
    assert effect.derivative.response_time == pytest.approx(
        more.response_times[1] - before.response_times[1]
    )
    expected = 5 * (more.response_times[1] / before.response_times[1] - 1)
    assert effect.elasticity.response_time == pytest.approx(expected)
    larger = qm.Network(
        [qm.QueueingStation("cpu", 3), qm.DelayStation("lan")], network.classes, network.demand
    )
    assert found["a"].by_servers["cpu"].derivative["cpu"].utilization == pytest.approx(
        qm.solve(larger)["a", "cpu"].utilization - before["a", "cpu"].utilization
    )


def total(network, values):
    """The sum of parameter times derivative over all times, less that over all rates."""
    found = np.zeros_like(np.array(values(network)[0][1]))
    for parameter, slope in values(network):
        sign = -1.0 if parameter.kind == "arrival_rate" else 1.0
        found = found + sign * parameter.value * np.array(slope)
    return found


@given(network=networks(closed=(1, 2), population=(1, 6)))
def test_customers_are_constant(network):
    """What more work at one place takes from the others."""
    found = qm.sensitivity(network)
    for by in ("demand", "think_time"):
        think_time = np.array(network.think_time)
        at_stations = found.derivative("queue_length", by).sum(axis=1)
        thinking = np.einsum("c,c...->c...", think_time, found.derivative("throughput", by))
        if by == "think_time":
            thinking += np.diag(found.solution.throughput)
        room = 1e-6 * float(np.max(1 + abs(thinking)))
        assert at_stations + thinking == pytest.approx(0.0, abs=room)


def test_without_an_exact_method_they_are_differences():
    """One customer: Bard-Schweitzer is exact, and so its differences are close to derivatives."""
    network = qm.Network(
        [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
        [qm.ClosedClass("u", 1, 3.0)], [[0.3, 0.2]],
    )  # fmt: skip
    exact, about = qm.sensitivity(network), qm.sensitivity(network, "bard-schweitzer")
    assert (exact.exact, about.exact) == (True, False)
    assert about.how == "differences of bard-schweitzer"
    for mine, other in zip(exact.slopes, about.slopes):
        assert mine.parameter == other.parameter
        if not mine.parameter.is_whole:
            assert other.throughputs == pytest.approx(mine.throughputs, rel=1e-6, abs=1e-9)
            for rows in zip(other.queue_lengths, mine.queue_lengths):
                assert rows[0] == pytest.approx(rows[1], rel=1e-6, abs=1e-9)


def test_differences_where_open_classes_slow_a_station_down():
    network = qm.Network(
        [qm.LoadDependentStation("a", [1.0, 10.0, 1.0]), qm.QueueingStation("b")],
        [qm.ClosedClass("u", 3, 2.0), qm.OpenClass("o", 0.5)], [[0.5, 0.3], [0.21, 0.22]],
    )  # fmt: skip
    found = qm.sensitivity(network)
    assert found.how == "differences of mixed"
    with pytest.raises(NotApplicable, match="slows down too much"):
        qm.sensitivity(network, "exact")
    for one in found.slopes:
        if not one.parameter.is_whole and one.parameter.kind != "arrival_rate":
            throughput, queues = in_many_digits(network, one.parameter)
            assert one.throughputs == pytest.approx(throughput, rel=1e-8, abs=1e-9)
            for mine, row in zip(one.queue_lengths, queues):
                assert mine == pytest.approx(row, rel=1e-8, abs=1e-9)


def test_a_class_without_customers_is_not_felt():
    network = qm.Network(
        [qm.QueueingStation("cpu")], [qm.ClosedClass("a", 3, 1.0), qm.ClosedClass("b", 0)],
        [[0.3], [0.2]],
    )  # fmt: skip
    found = qm.sensitivity(network)
    assert found["a"].by_demand["b", "cpu"].derivative.throughput == 0.0
    assert found["b"].by_demand["a", "cpu"].derivative.response_time == 0.0
    assert np.isnan(found["b"].by_population["b"].elasticity.throughput)
    assert found["b"].by_population["b"].derivative.throughput > 0.0


MIXED = qm.Network(
    [qm.QueueingStation("cpu"), qm.DelayStation("lan"), qm.LoadDependentStation("a", [1.0, 1.5])],
    [qm.ClosedClass("edit", 4, 2.0), qm.OpenClass("mail", 0.5)],
    [[0.3, 0.1, 0.2], [0.4, 0.0, 0.3]],
)


def test_arrays_have_the_shape_of_the_measure_then_of_the_parameter():
    found = qm.sensitivity(MIXED)
    assert found.derivative("throughput", by="demand").shape == (2, 2, 3)
    assert found.elasticity("queue_length", by="demand").shape == (2, 3, 2, 3)
    assert found.derivative("utilization", by="think_time").shape == (2, 3, 2)
    by_servers = found.derivative("response_time", by="servers")
    assert np.isnan(by_servers[:, 1:]).all()
    assert by_servers[0, 0] == found["edit"].by_servers["cpu"].derivative.response_time
    by_demand = found.elasticity("residence_time", by="demand")
    effect = found["edit"].by_demand["mail", "a"].elasticity["cpu"].residence_time
    assert by_demand[0, 0, 1, 2] == effect


def test_a_frame_and_a_table_for_people():
    found = qm.sensitivity(MIXED)
    frame = found.to_frame()
    assert len(frame) == len(found.parameters) * 2 * (2 + 3 * 3)
    row = frame[
        (frame["class"] == "edit") & (frame.measure == "throughput") & (frame.by == "think_time")
    ]
    assert row.derivative.tolist() == [found["edit"].by_think_time["edit"].derivative.throughput]
    shown = str(found)
    assert "by covariances of queue lengths" in shown
    assert "population of edit +1" in shown
    assert "arrival rate of mail" in shown


@pytest.mark.parametrize(("ask", "said"), rows(__file__, "names"))
def test_a_name_that_is_not_there_is_one_line(ask, said):
    ask = asked(ask, globals())
    with pytest.raises(InvalidInput, match=said):
        ask(qm.sensitivity(MIXED))


def test_no_such_method():
    with pytest.raises(InvalidInput, match="no method 'magic'"):
        qm.sensitivity(MIXED, "magic")


def test_one_customer_more_than_an_exact_method_takes(monkeypatch):
    """A difference is that of one method, not also that between an exact one and another."""
    monkeypatch.setattr("qmodel.solvers.global_balance.global_balance.LARGEST", 400)
    station = qm.QueueingStation("cpu", discipline="fcfs")
    network = qm.Network(
        [station, qm.QueueingStation("disk")], [qm.ClosedClass("users", 19, 3.0)], [[0.1, 0.09]],
        scv=[[4.0, 1.0]],
    )  # fmt: skip
    found = qm.sensitivity(network)
    assert found.solution.method == "global-balance"
    before, after = (qm.solve(network.with_population(n), "marie") for n in (19, 20))
    assert qm.solve(network.with_population(20)).method == "marie"
    slower = after.response_times[0] - before.response_times[0]
    one_more = found["users"].by_population["users"].derivative.response_time
    assert one_more == pytest.approx(slower, rel=1e-9)
