"""The Markov chain of a whole network: closed forms, plain cases, what it refuses and why."""

from dataclasses import replace

import pytest

import qmodel as qm
from qmodel.solvers.global_balance import global_balance
from qmodel.solvers.global_balance.global_balance import divisions
from qmodel.solvers.global_balance.network_ctmc import NetworkCTMC
from qmodel.solvers.global_balance.network_states import NetworkStates
from qmodel.solvers.markov.state_space import TooManyStates
from tests.tables import asked, rows

QUEUE, FORK, CLOSED, LIMIT = (
    qm.QueueingStation, qm.ForkJoinStation, qm.ClosedClass, qm.PopulationLimit,
)  # fmt: skip
A, B = CLOSED("a", 3, 1.0), CLOSED("b", 2, 2.0, priority=1)
DEMAND = ((0.3, 0.2), (0.6, 0.1))


def network(first, *, classes=(A, B), demand=DEMAND, **more):
    return qm.Network([first, QUEUE("disk")], classes, demand[: len(classes)], **more)


def solved(found):
    return qm.solve(found, "global-balance")


def agree(one, other, rel=1e-10):
    assert one.throughputs == pytest.approx(other.throughputs, rel=rel)
    for row, others in zip(one.residence_times, other.residence_times, strict=True):
        assert row == pytest.approx(others, rel=rel)


def test_a_limit_of_one_by_hand():
    """Two customers think 1 s each; one at a time passes two servers of 1 s.

    Both think, or one is at either server and the other thinks or waits: probabilities
    1 : 4 : 2 : 4 : 6, so that 8/17 of the time the second server ends an interaction per second.
    """
    stations = [QUEUE("cpu"), QUEUE("disk")]
    limit = LIMIT("memory", 1, ["cpu", "disk"])
    found = solved(qm.Network(stations, [CLOSED("a", 2, 1.0)], [[1.0, 1.0]], limits=[limit]))
    assert found.throughputs == pytest.approx([8 / 17], rel=1e-12)
    assert found.queue_lengths[0] == pytest.approx([8 / 17, 8 / 17, 10 / 17], rel=1e-12)


def test_a_visit_alone_waits_for_the_last_of_its_parts():
    found = solved(qm.Network([FORK("stripe", 4)], [CLOSED("a", 1, 1.0)], [[0.12]]))
    assert found.response_times[0] == pytest.approx(0.25, rel=1e-12)


EQUAL = ((0.3, 0.2), (0.3, 0.1))
SAME_RANK = (A, replace(B, priority=0))
#: Networks that might break product form and do not.
PLAIN = {name: asked(call, globals()) for name, call in rows(__file__, "plain")}


@pytest.mark.parametrize("name", PLAIN)
def test_plain_cases_have_their_product_form(name):
    found = PLAIN[name]
    assert found.product_form_violation() is None
    assert not found.has_product_form_kinds
    exact = qm.solve(found)
    assert exact.method != "global-balance"
    agree(solved(found), exact)


#: Networks with phases, ranks, forks and limits, and how many states they have.
COUNTED = {name: asked(text, globals()) for name, text in rows(__file__, "counted")}


@pytest.mark.parametrize("name", COUNTED)
def test_divisions_are_no_more_than_states(name):
    """And the search for states stops beyond as many as are allowed."""
    found, known = COUNTED[name]
    states = NetworkStates.of(found)
    made = len(NetworkCTMC(states, 10**6).space.states)
    assert divisions(found) <= made
    assert len(NetworkCTMC(states, made).space.states) == made == known
    with pytest.raises(TooManyStates):
        NetworkCTMC(states, made - 1)


def test_orders_of_arrival_are_limited_too():
    """Ten customers of each of two classes start in 184,756 orders."""
    found = qm.Network(
        [QUEUE("cpu", discipline="fcfs")], [CLOSED("a", 10), CLOSED("b", 10)], [[0.1], [0.3]]
    )
    with pytest.raises(TooManyStates):
        NetworkCTMC(NetworkStates.of(found), 3_000)


def test_too_many_states_are_refused_without_a_search(monkeypatch):
    def never(_):
        raise AssertionError("states were made")

    monkeypatch.setattr(NetworkStates, "of", never)
    many = network(QUEUE("cpu", discipline="fcfs"), classes=(replace(A, population=90), B))
    assert global_balance.why_not(many) == "at least 2.51e+04 states, it takes 3000"


@pytest.mark.parametrize(("call", "reason"), rows(__file__, "refusals"))
def test_refusals(call, reason):
    found = asked(call, globals())
    assert str(qm.methods_for(found)["global-balance"]).endswith(reason)
    with pytest.raises(qm.NotApplicable, match="global-balance: "):
        solved(found)


def test_limits_for_one_class_are_no_matter_of_another():
    """Who leaves a limit and comes back is refused only where the limit counts them."""
    found = qm.Network(
        [QUEUE("cpu"), QUEUE("disk"), QUEUE("tape")], [A, B], [[0.1, 0.2, 0.3], [0.2, 0.0, 0.1]],
        limits=[LIMIT("memory", 1, ["cpu", "tape"], ["b"])],
    )  # fmt: skip
    assert solved(found)["b", "memory"].residence_time > 0.0
    assert solved(found)["a", "memory"].residence_time == 0.0


def test_customers_who_never_overtake_each_other():
    """The order in which they start stays: there are several answers, and none is taken."""
    classes = [CLOSED("a", 2), CLOSED("b", 2)]
    stations = [QUEUE("cpu", discipline="fcfs"), QUEUE("disk", discipline="fcfs")]
    found = qm.Network(stations, classes, [[0.3, 0.2], [0.6, 0.1]])
    with pytest.raises(qm.NotApplicable, match="keep the order in which they start"):
        solved(found)
    assert qm.solve(found).method == "marie"
    # Whom only one of the other class is among has no other order.
    solved(found.with_population(3, 1))


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e6, 1e12])
def test_units_do_not_matter(scale):
    found = network(QUEUE("cpu", 2, "preemptive"), scv=((4.0, 1.0), (0.5, 1.0)))
    other = qm.Network(
        found.stations, [replace(c, think_time=scale * c.think_time) for c in found.classes],
        [[scale * d for d in row] for row in found.demand], scv=found.scv,
    )  # fmt: skip
    times = [r * scale for r in solved(found).response_times]
    assert solved(other).response_times == pytest.approx(times, rel=1e-11)


@pytest.mark.parametrize("discipline", ["fcfs", "priority", "preemptive"])
@pytest.mark.parametrize("far", [1e-40, 1e-12, 1e-6, 1e6, 1e12, 1e40])
@pytest.mark.parametrize("which", range(3))
def test_rates_far_apart_are_answered_or_refused(discipline, far, which):
    """Whatever is lost to rounding is no answer; what is refused here is solved elsewhere."""
    factors = [far if i == which else 1.0 for i in range(3)]
    found = qm.Network(
        [QUEUE("cpu", discipline=discipline), QUEUE("disk")],
        [replace(A, think_time=factors[0]), B],
        [[0.3 * factors[1], 0.2], [0.6, 0.1 * factors[2]]],
        scv=[[4.0, 1.0], [1.0, 1.0]],
    )
    try:
        solution = solved(found)
    except qm.NotApplicable:
        assert far in (1e-40, 1e12, 1e40)
        return
    except qm.Unstable as error:  # the first class is nearly always in service
        assert "class 'b'" in str(error)  # noqa: PT017
        assert (discipline != "fcfs", far >= 1e6, which) == (True, True, 1)
        return
    for c, customers in enumerate(found.classes):
        thinking = solution.throughputs[c] * customers.think_time
        present = sum(solution.queue_lengths[c]) + thinking
        assert present == pytest.approx(customers.population, rel=1e-9)


def test_flows_that_rounding_has_lost():
    """Ten million visits of one class for each of the other, whose service takes years."""
    classes = [CLOSED("a", 2, 1e-6), CLOSED("b", 1, 1.0)]
    station = QUEUE("cpu", discipline="fcfs")
    found = qm.Network([station], classes, [[1e-8], [1e8]], scv=[[4.0], [1.0]])
    with pytest.raises(qm.NotApplicable, match="too far apart, flows of class 'b' do not balance"):
        solved(found)


def test_a_law_that_rounding_has_broken():
    """Phases of a billionth of another time; without the order of service it has an answer."""
    classes = [CLOSED("a", 2, 0.002, priority=1), CLOSED("b", 1)]
    station = QUEUE("cpu", 3, "preemptive")
    found = qm.Network([station], classes, [[8000.0], [1e-6]], scv=[[0.25], [4.0]])
    with pytest.raises(qm.NotApplicable, match="rates are too far apart, residence time of"):
        solved(found)
    assert qm.solve(found).reason.startswith("exact")


def test_who_all_have_room_need_no_room():
    enough, none = (network(QUEUE("cpu", discipline="fcfs", buffer=room)) for room in (5, None))
    assert solved(enough).throughputs == solved(none).throughputs


def test_the_reason_says_what_is_supposed():
    fcfs = QUEUE("cpu", discipline="fcfs")
    assert qm.solve(network(fcfs)).reason.startswith("exact for stations passed in turn; no prod")
    visits = qm.solve(network(fcfs, visit_ratio=((4, 3), (4, 2)), demand=((0.3, 0.2), (0.6, 0.1))))
    assert visits.reason.startswith("exact for random routing with these visit ratios; no prod")
    alone = qm.solve(qm.Network([fcfs], [A, B], [[0.3], [0.6]]))
    assert alone.reason.startswith("exact; no product form: classes 'a' and 'b' have different")
    assert solved(network(fcfs)).reason == "asked for; exact for stations passed in turn"
    for scv, form in ((4.0, "balanced hyperexponential services"), (0.5, "Erlang mixtures")):
        varied = qm.solve(qm.Network([fcfs], [A, B], [[0.3], [0.6]], scv=[[scv], [1.0]]))
        assert varied.reason.startswith(f"exact for {form} of these SCVs; no product form")
