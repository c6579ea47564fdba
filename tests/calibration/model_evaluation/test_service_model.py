"""What the calibration's model says, against qmodel's solvers and by hand."""

from dataclasses import replace

import pytest

import qmodel as qm
from calibration.estimation.data import Conditions
from calibration.model_evaluation.answers import answers, nearly
from calibration.model_evaluation.model import blank
from tests.calibration.synthetic import model, runs
from tests.tables import asked, rows

#: Response times of the Markov chain of 3 s of thinking, a processor with hyperexponential service
#: of balanced means (0.2 s) and an exponential disk (0.1 s): SCV, users, seconds. To four digits,
#: from the chain's own balance equations.
EXACT = [
    (2.0, 3, 0.3434), (2.0, 10, 0.5795), (2.0, 24, 1.9489), (6.0, 3, 0.3767), (6.0, 10, 0.7411),
    (6.0, 16, 1.2147), (6.0, 24, 2.1651), (6.0, 40, 5.0132), (15.0, 10, 0.9115),
    (15.0, 24, 2.4089),
]  # fmt: skip


def one(true, n=10, think=3.0, servers=(1, 1)):
    (answer,) = answers(true, runs([n], think, servers))
    return answer


def test_product_form_is_qmodels():
    answer = one(model(), servers=(2, 1))
    solution = qm.solve(
        qm.Network(
            [qm.QueueingStation("cpu", 2), qm.QueueingStation("disk")],
            [qm.ClosedClass("users", 10, 3.0)], [0.2, 0.1],
        )
    )  # fmt: skip
    assert answer.throughput == pytest.approx(solution.throughputs, rel=1e-12)
    assert answer.response_time == pytest.approx(solution.response_times, rel=1e-12)
    assert answer.utilization == pytest.approx(solution.station_utilizations, rel=1e-12)


def test_populations_together_are_populations_one_by_one():
    together = answers(model(), runs([3, 17, 1]))
    assert together == [one(model(), n) for n in (3, 17, 1)]


def test_hidden_delay_and_queue_are_stations():
    answer = one(model(hidden_delay=(0.4,), hidden_queue=(0.15,)))
    solution = qm.solve(
        qm.Network(
            [qm.QueueingStation("cpu"), qm.QueueingStation("disk"), qm.DelayStation("d"),
             qm.QueueingStation("q")],
            [qm.ClosedClass("users", 10, 3.0)], [0.2, 0.1, 0.4, 0.15],
        )
    )  # fmt: skip
    assert answer.response_time == pytest.approx(solution.response_times, rel=1e-12)


def test_a_scale_factor_is_felt_but_not_shown():
    answer = one(model(scale=(1.5, 1.0)))
    felt = one(replace(model(), demand=((0.3, 0.1),)))
    assert answer.throughput == pytest.approx(felt.throughput, rel=1e-12)
    assert answer.utilization[0] == pytest.approx(felt.utilization[0] / 1.5, rel=1e-12)


@pytest.mark.parametrize("servers", [1, 2, 4])
def test_background_is_an_open_class(servers):
    answer = one(model(background=(0.3, 0.0)), servers=(servers, 1))
    solution = qm.solve(
        qm.Network(
            [qm.QueueingStation("cpu", servers), qm.QueueingStation("disk")],
            [qm.ClosedClass("users", 10, 3.0), qm.OpenClass("background", 1.0)],
            [[0.2, 0.1], [0.3 * servers, 0.0]],
        )
    )
    assert answer.throughput[0] == pytest.approx(solution.throughputs[0], rel=1e-10)
    assert answer.response_time[0] == pytest.approx(solution.response_times[0], rel=1e-10)
    assert answer.utilization[0] == pytest.approx(solution.station_utilizations[0], rel=1e-10)


@pytest.mark.parametrize(("law", "factor"), rows(__file__, "beyond"))
def test_demands_differ_with_load_over_that_of_saturation(law, factor):
    law = asked(law, globals())
    varied = replace(model(**law), reference=16.0)
    fixed = one(replace(model(), demand=((0.2 * asked(factor, globals()), 0.1),)))
    assert one(varied).throughput == pytest.approx(fixed.throughput, rel=1e-12)
    assert one(varied).utilization == pytest.approx(fixed.utilization, rel=1e-12)
    # Beyond saturation waking costs nothing more, and both threads of a core are busy already.
    full = replace(varied, reference=8.0).demand_at(16.0)[0][0] / 0.2
    assert full == pytest.approx(
        {"waking": 1.0, "coherency": 1.8, "second_thread": 1.6}[next(iter(law))]
    )


def test_a_demand_that_falls_with_load_is_never_negative():
    falling = replace(model(coherency=(-0.1, 0.0)), reference=16.0)
    assert falling.demand_at(8.0)[0][0] == pytest.approx(0.2 * 0.95)
    assert falling.demand_at(1600.0)[0][0] == pytest.approx(0.2 * 0.85)


def test_a_pool_is_the_chain_of_what_is_inside():
    """Two places before a processor and a delay, against birth and death with its throughputs."""
    alone = replace(blank(("users",), ("cpu",)), demand=((0.1,),), hidden_delay=(0.3,))
    (answer,) = answers(replace(alone, pool=(2.0,)), runs([6], 1.0, (1,)))
    rates = [1.0 / 0.4, 0.0]
    rates[1] = 2.0 / (0.3 + 0.1 * (1.0 + 0.1 / 0.4))  # exact: the other is there for 0.1 of 0.4
    weight, weights = 1.0, [1.0]
    for j in range(6):
        weight *= (6 - j) / 1.0 / rates[min(j, 1)]
        weights.append(weight)
    busy = sum(w * rates[min(j, 2) - 1] for j, w in enumerate(weights) if j)
    assert answer.throughput[0] == pytest.approx(busy / sum(weights), rel=1e-9)
    assert answer.utilization[0] == pytest.approx(0.1 * answer.throughput[0], rel=1e-9)
    wide = one(replace(model(), pool=(1000.0,)))
    assert wide.throughput == pytest.approx(one(model()).throughput, rel=1e-9)
    middle = one(replace(model(), pool=(2.5,))).throughput[0]
    assert one(replace(model(), pool=(2.0,))).throughput[0] < middle
    assert middle < one(replace(model(), pool=(3.0,))).throughput[0]


def test_a_quota_ends_the_throughput_and_is_not_felt_long_before():
    half = replace(model(), quota=(0.5, 1.0))
    assert one(half, n=200).throughput[0] == pytest.approx(0.5 / 0.2, rel=1e-6)
    assert one(half, n=200).utilization[0] == pytest.approx(0.5, rel=1e-6)
    quick = replace(blank(("users",), ("cpu",)), demand=((0.002,),), quota=(0.6,))
    slow = {n: answers(quick, runs([n], 0.265, (1,)))[0].response_time[0] for n in (16, 72, 104)}
    # A simulation with periods of 100 ms has 2.25, 4.7 and 80 ms.
    assert slow[16] == pytest.approx(0.00225, rel=0.05)
    assert slow[72] == pytest.approx(0.0047, rel=0.35)
    assert slow[104] == pytest.approx(0.080, rel=0.35)


@pytest.mark.parametrize("servers", [1, 3])
def test_exponential_service_is_product_form(servers):
    """An SCV of 1 and a hair goes another way and comes to the same."""
    plain = one(model(), n=25, servers=(1, servers))
    near = one(model(scv=(1.0 + 1e-12, 1.0)), n=25, servers=(1, servers))
    assert near.throughput == pytest.approx(plain.throughput, rel=1e-9)
    assert near.response_time == pytest.approx(plain.response_time, rel=1e-9)


@pytest.mark.parametrize(("scv", "users", "time"), EXACT)
def test_variable_service_in_a_network_is_near_the_exact_chain(scv, users, time):
    answer = one(model(scv=(scv, 1.0)), n=users)
    assert answer.response_time[0] == pytest.approx(time, rel=0.04)


@pytest.mark.parametrize("scv", [0.5, 9.0, 50.0])
def test_no_throughput_beyond_the_slowest_station(scv):
    for n in (1, 2, 7, 60, 900):
        answer = one(model(scv=(scv, 1.0)), n=n)
        assert answer.throughput[0] <= 5.0 * (1 + 1e-12)
        assert answer.throughput[0] * (answer.response_time[0] + 3.0) == pytest.approx(n)


def test_service_that_varies_at_several_servers_is_answered_by_the_network():
    """Variable service at two servers waits longer than exponential, and less than at one."""
    (plain,) = answers(model(), runs([9], servers=(2, 1)))
    (varied,) = answers(model(scv=(4.0, 1.0)), runs([9], servers=(2, 1)))
    (single,) = answers(model(scv=(4.0, 1.0)), runs([9]))
    assert plain.response_time[0] < varied.response_time[0] < single.response_time[0]


def test_open_runs_have_their_rate():
    run = Conditions("", None, (2.0,), (0.0,), (1, 1))
    (answer,) = answers(model(), [run])
    assert answer.utilization == pytest.approx((0.4, 0.2), rel=1e-12)
    assert answer.response_time[0] == pytest.approx(0.2 / 0.6 + 0.1 / 0.8, rel=1e-12)


def test_no_steady_state_is_no_answer():
    run = Conditions("", None, (6.0,), (0.0,), (1, 1))
    assert answers(model(), [run]) == [None]


def test_several_classes_are_qmodels():
    true = replace(blank(("a", "b"), ("cpu",)), demand=((0.2,), (0.4,)))
    run = Conditions("", (3, 4), None, (1.0, 2.0), (1,))
    (answer,) = answers(true, [run])
    solution = qm.solve(
        qm.Network([qm.QueueingStation("cpu")],
                   [qm.ClosedClass("a", 3, 1.0), qm.ClosedClass("b", 4, 2.0)], [[0.2], [0.4]])
    )  # fmt: skip
    assert answer.throughput == pytest.approx(solution.throughputs, rel=1e-12)
    assert answer.of("throughput", None) == pytest.approx(sum(solution.throughputs), rel=1e-12)
    inside = sum(x * r for x, r in zip(solution.throughputs, solution.response_times))
    assert answer.of("response_time", None) == pytest.approx(
        inside / sum(solution.throughputs), rel=1e-12
    )


UNUSUAL = replace(
    blank(("a", "b"), ("cpu", "disk")), demand=((0.02, 0.003), (0.05, 0.001)),
    background=(0.05, 0.1), hidden_delay=(0.01, 0.02), hidden_queue=(0.001, 0.002),
    scale=(1.2, 1.0),
)  # fmt: skip


def test_arrivals_of_several_classes_are_qmodels():
    (answer,) = answers(UNUSUAL, [Conditions("", None, (20.0, 30.0), (0.0, 0.0), (4, 1))])
    stations = [qm.QueueingStation("cpu", 4), qm.QueueingStation("disk"), qm.QueueingStation("x")]
    other = qm.OpenClass("other work", 1.0)
    solution = qm.solve(
        qm.Network(
            stations, [qm.OpenClass("a", 20.0), qm.OpenClass("b", 30.0), other],
            [[0.024, 0.003 / 0.9, 0.001], [0.06, 0.001 / 0.9, 0.002], [0.2, 0.0, 0.0]],
        )
    )  # fmt: skip
    times = [r + d for r, d in zip(solution.response_times, (0.01, 0.02))]
    assert answer.response_time == pytest.approx(times, rel=1e-12)
    assert answer.utilization == pytest.approx((0.05 + 1.9 / 4, 0.1 + 0.09), rel=1e-12)
    assert answer.hidden == pytest.approx(0.08, rel=1e-12)


def test_models_differ_nearly_by_what_they_differ_exactly():
    asked = [Conditions("", (10, 12), None, (1.0, 1.5), (4, 1)),
             Conditions("", (2, 1), None, (1.0, 1.5), (4, 1))]  # fmt: skip
    other = replace(UNUSUAL, demand=((0.03, 0.003), (0.05, 0.002)), background=(0.1, 0.1))
    exact, rough = (
        [answers(each, asked) for each in (UNUSUAL, other)],
        nearly([UNUSUAL, other], asked),
    )
    for run in range(2):
        for quantity in ("response_time", "throughput"):
            for c in range(2):
                before, after = (each[run].of(quantity, c) for each in exact)
                one, two = (each[run].of(quantity, c) for each in rough)
                assert one == pytest.approx(before, rel=0.05)
                assert two / one == pytest.approx(after / before, rel=0.05)
