"""Forks whose classes take different times, against the Markov chain of the whole network."""

from math import factorial

import numpy as np
import pytest

import qmodel as qm
from qmodel.numerics import nonlinear_ctmc as settling
from qmodel.solvers.fork_join import branch_pair_ctmc as two_branches
from qmodel.solvers.fork_join import class_aggregation as groups
from qmodel.solvers.fork_join import corrected_branch_pair as corrected_pairs
from qmodel.solvers.fork_join import exact_fork_ctmc as in_order
from qmodel.solvers.fork_join.branch_pair_ctmc import ForkedPairs, size
from qmodel.solvers.fork_join.class_aggregation import one_branch, taken_together
from qmodel.solvers.fork_join.exact_fork_ctmc import ForkedClasses
from qmodel.solvers.fork_join.fork_speeds import forked_speeds, light_and_heavy
from qmodel.solvers.fork_join.join_correction import joined
from qmodel.solvers.fork_join.large_fork import few_enough, often
from qmodel.solvers.fork_join.synchronization import last_alone
from qmodel.solvers.markov.ordered_queue import OrderedChain
from tests.truth import ordered

TIMES = [[0.3], [0.05]]


def response_times(truth):
    return [float(sum(r or 0.0 for r in row)) for row in truth.residence_time]


def alone(branches, *populations):
    classes = [qm.ClosedClass(f"c{c}", n, 0.5) for c, n in enumerate(populations)]
    return qm.Network([qm.ForkJoinStation("fork", branches)], classes, TIMES)


@pytest.mark.parametrize("populations", [(1, 1), (2, 1), (1, 3)])
def test_two_branches_with_nothing_else_are_exact(populations):
    network = alone(2, *populations)
    found = qm.solve(network, "isolation")
    assert found.response_times == pytest.approx(response_times(ordered.solve(network)), rel=1e-9)


@pytest.mark.parametrize(("branches", "populations"), [(3, (2, 1)), (3, (1, 2)), (4, (1, 1))])
def test_few_visits_are_exact_at_any_number_of_branches(branches, populations):
    network = alone(branches, *populations)
    found = qm.solve(network, "isolation")
    assert found.response_times == pytest.approx(response_times(ordered.solve(network)), rel=1e-9)


@pytest.mark.parametrize("think_time", [0.1, 2.0])
def test_two_branches_of_one_class_are_exact(think_time):
    network = qm.Network([qm.ForkJoinStation("fork", 2)], [qm.ClosedClass("c", 6, think_time)],
                         [[0.3]])  # fmt: skip
    found = qm.solve(network, "isolation")
    exact = qm.solve(network, "global_balance")
    assert found.response_times == pytest.approx(exact.response_times, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_do_not_matter(scale):
    network = alone(3, 2, 1)
    other = qm.Network(
        network.stations,
        [qm.ClosedClass(c.name, c.population, scale * c.think_time) for c in network.classes],
        [[scale * d for d in row] for row in network.demand],
    )
    times = [scale * r for r in qm.solve(network, "isolation").response_times]
    assert qm.solve(other, "isolation").response_times == pytest.approx(times, rel=1e-9)


@pytest.fixture
def _nobody_in_order(monkeypatch):
    monkeypatch.setattr(in_order, "IN_ORDER", 0)
    monkeypatch.setattr(in_order, "IN_ORDER_OF_MORE", 0)
    monkeypatch.setattr(corrected_pairs, "IN_ORDER", 0)


@pytest.mark.usefixtures("_nobody_in_order")
@pytest.mark.parametrize("branches", [2, 3, 4])
def test_two_branches_stand_for_all(branches):
    network = alone(branches, 2, 3 if branches < 4 else 2)
    exact = [float(sum(r)) for r in ordered.solve(network).residence_time]
    found = qm.solve(network, "isolation")
    assert found.response_times != pytest.approx(exact, rel=1e-9)
    assert found.response_times == pytest.approx(exact, rel=0.014)


@pytest.mark.usefixtures("_nobody_in_order")
@pytest.mark.parametrize("branches", [2, 3, 4])
def test_one_branch_and_what_joins_add_is_near(monkeypatch, branches):
    """As many visits as have an exact chain, and the approximation for more of them."""
    network = alone(branches, 2, 3 if branches < 4 else 2)
    exact = [float(sum(r)) for r in ordered.solve(network).residence_time]
    monkeypatch.setattr(two_branches, "LARGEST", 0)
    found = qm.solve(network, "isolation")
    assert found.response_times == pytest.approx(exact, rel=0.07)


@pytest.mark.usefixtures("_nobody_in_order")
def test_one_branch_and_speeds_are_left_where_no_chain_is_small_enough(monkeypatch):
    """The speeds of two branches of one class, at the load of the mix of both classes."""
    network = alone(2, 2, 3)
    exact = [float(sum(r)) for r in ordered.solve(network).residence_time]
    monkeypatch.setattr(two_branches, "LARGEST", 0)
    monkeypatch.setattr(groups, "LARGEST", 0)
    monkeypatch.setattr(corrected_pairs, "APART", 0)
    found = qm.solve(network, "isolation")
    assert found.response_times == pytest.approx(exact, rel=0.07)


@pytest.mark.usefixtures("_nobody_in_order")
@pytest.mark.parametrize(
    "other", [qm.QueueingStation("disk", discipline="fcfs"), qm.ForkJoinStation("disk", 2)]
)
def test_joins_take_time_in_each_step_beside_other_stations(monkeypatch, other):
    """Without what joins add the response times are a fourth too short."""
    classes = [qm.ClosedClass("a", 2, 0.5), qm.ClosedClass("b", 3, 0.5)]
    network = qm.Network([qm.ForkJoinStation("fork", 2), other], classes, [[0.3, 0.05],
                         [0.05, 0.02]])  # fmt: skip
    monkeypatch.setattr(two_branches, "LARGEST", 0)
    monkeypatch.setattr(groups, "LARGEST", 0)
    found = qm.solve(network, "isolation")
    assert found.iterations > 2
    exact = response_times(ordered.solve(network))
    assert found.response_times == pytest.approx(exact, rel=0.07)


@pytest.mark.usefixtures("_nobody_in_order")
def test_what_is_hardly_ever_there_may_be_left_out(monkeypatch):
    """Of twenty customers there are never more than a few: fewer states, the same answer."""
    classes = [qm.ClosedClass("long", 12, 30.0), qm.ClosedClass("short", 8, 5.0)]
    network = qm.Network([qm.ForkJoinStation("fork", 3)], classes, TIMES)
    whole = qm.solve(network, "isolation")
    monkeypatch.setattr(two_branches, "LARGEST", 2_000)
    part = qm.solve(network, "isolation")
    assert part.response_times == pytest.approx(whole.response_times, rel=2e-3)
    assert part.response_times != pytest.approx(whole.response_times, rel=1e-9)


def test_what_is_rare_is_hardly_ever_there(monkeypatch):
    """Poisson numbers of mean 1/2 and 1/20: beyond five, 1.4e-5, four, 1.7e-4; two, 2.0e-5."""
    numbers = [np.array([mean**n / factorial(n) for n in range(13)]) for mean in (0.05, 0.5)]
    few, more = (weights / weights.sum() for weights in numbers)
    assert often(np.multiply.outer(more, few), 1e-4) == (5, 2)
    assert often(np.multiply.outer(few, more), 1e-4) == (2, 5)
    assert often(np.multiply.outer(few, more[:4] / more[:4].sum()), 1e-4) == (2, 3)
    assert often(np.multiply.outer(few, more), 3e-4) == (2, 4)
    assert few_enough(np.multiply.outer(few, more)) == (2, 5)
    monkeypatch.setattr(two_branches, "LARGEST", two_branches._together([2, 5]) - 1.0)
    assert few_enough(np.multiply.outer(few, more)) == (2, 4)
    monkeypatch.setattr(two_branches, "LARGEST", 10)  # never few enough
    assert few_enough(np.multiply.outer(few, more)) == (2, 5)


@pytest.mark.parametrize(("branches", "near"), [(2, 1e-6), (3, 0.002), (4, 0.004), (8, 0.012)])
@pytest.mark.parametrize("busy", [0.2, 0.7])
def test_two_branches_of_one_class_have_its_response_time(branches, near, busy):
    """Exact for two branches [Nelson and Tantawi 1988], beyond that Varma and Makowski's."""
    most = 60
    arrivals = np.full((1, most + 1), busy)
    arrivals[0, -1] = 0.0
    found = ForkedPairs([1.0], [most], branches).solve(arrivals)
    light, heavy = light_and_heavy(branches)
    time = (light + (heavy - light) * busy) / (1.0 - busy)
    assert float(np.arange(most + 1) @ found) / busy == pytest.approx(time, rel=near)


@pytest.mark.parametrize("branches", [3, 5, 12, 64])
def test_ties_run_from_none_to_all(branches):
    """A lone visit begins with all branches: P(j = 1) = 1 / H(B) at the mean B / H(B)."""
    harmonic = sum(1.0 / b for b in range(1, branches + 1))
    ends = last_alone(branches, np.array([1.0, branches / harmonic, branches]))
    assert ends == pytest.approx([1.0, 1.0 / harmonic, 0.0], abs=2e-3)
    falling = last_alone(branches, np.linspace(1.0, branches, 200))
    assert (np.diff(falling) < 0.0).all()


def test_classes_left_alone_are_those_of_two_branches():
    """One branch times the factor of two: all classes are told, so nothing is lost."""
    n, m = np.indices((4, 3))
    rates = np.array([0.8 * (3 - n), 2.0 * (2 - m)])
    two = ForkedPairs([0.3, 0.05], [3, 2], 3).solve(rates)
    alone = OrderedChain(one_branch([0.3, 0.05]), [3, 2]).solve(rates)
    more = taken_together([0.3, 0.05], [[1], [0]], [3, 2], 3, rates, alone, apart=True)
    assert alone * more / (alone * more).sum() == pytest.approx(two, rel=1e-6)


def test_classes_of_nearly_the_same_time_are_taken_together(monkeypatch):
    classes = [qm.ClosedClass("a", 2, 1.0), qm.ClosedClass("b", 2, 0.4), qm.ClosedClass("c", 2)]
    network = qm.Network(
        [qm.ForkJoinStation("fork", 3), qm.DelayStation("lan")],
        classes,
        [[0.3, 0.1], [0.04, 0.1], [0.05, 0.3]],
    )
    whole = qm.solve(network, "isolation")
    monkeypatch.setattr(in_order, "IN_ORDER_OF_MORE", 0)
    monkeypatch.setattr(two_branches, "LARGEST", 800)
    monkeypatch.setattr(groups, "LARGEST", 800)
    monkeypatch.setattr(corrected_pairs, "IN_ORDER", 0)
    assert groups.groups([0.3, 0.04, 0.05], [2, 2, 2]) == [[1, 2], [0]]
    found = qm.solve(network, "isolation")
    assert found.response_times != pytest.approx(whole.response_times, rel=1e-6)
    assert found.response_times == pytest.approx(whole.response_times, rel=0.02)


def test_the_least_gap_is_closed_first():
    """Of 1, 3/2, 2 and 2.3 the last two, a factor of 1.15; then 3/2 and 2, not 1 and 3/2."""
    assert groups.groups([1.0, 1.5, 2.0, 2.3], [8] * 4) == [[0], [1, 2, 3]]
    assert groups.groups([2.3, 1.0, 2.0, 1.5], [8, 8, 8, 0]) == [[1], [2, 0]]


def test_one_class_is_not_taken_together_with_any():
    assert groups.groups([1.0], [400]) == [[0]]


def test_large_chains_are_solved_as_small_ones(monkeypatch):
    """With incomplete factors the same probabilities, to the digits of small ones as well."""
    n, m = np.indices((7, 7))
    arrivals = np.array([0.8 * (6 - n), 2.0 * (6 - m)])
    for branches in (2, 4):
        fork = ForkedPairs([0.3, 0.05], [6, 6], branches)
        exact = fork.solve(arrivals)
        with monkeypatch.context() as patch:
            patch.setattr(settling, "COMPLETE", 10)
            found = fork.solve(arrivals)
        assert found == pytest.approx(exact, rel=1e-5)


def test_what_joins_add_reduces_to_one_class():
    """Classes of equal times are stretched by their number alone."""
    speeds = forked_speeds(3, np.array([1.0, 1.0, 1.0, 0.0]))
    together = joined(np.array([0.4, 0.3, 0.2, 0.1]), [0.5], speeds)
    apart = joined(np.array([[0.4, 0.15], [0.15, 0.12], [0.08, 0.1]]), [0.5, 0.5], speeds)
    assert apart[1, 0] + apart[0, 1] == pytest.approx(together[1], rel=1e-12)
    assert apart[1, 1] + apart[2, 0] == pytest.approx(together[2], rel=1e-12)
    assert apart[2, 1] == pytest.approx(together[3], rel=1e-12)


def test_numbers_that_are_never_there_have_the_speed_of_always():
    """Two branches that always hold n visits end one at 2 n / (2 n + 1) of a branch's rate."""
    speeds = forked_speeds(2, np.array([0.4, 0.0, 0.0, 0.0]))
    assert speeds == pytest.approx([2 / 3, 4 / 5, 6 / 7], rel=1e-12)


def test_visits_of_one_class_are_more_likely_by_their_speeds():
    """W(n) = product over i of 1 / speed(i), here 1, 2, 4, 16/3."""
    found = joined(np.array([0.4, 0.3, 0.2, 0.1]), [0.5], [0.5, 0.5, 0.75])
    weights = np.array([0.4, 0.3 * 2.0, 0.2 * 4.0, 0.1 * 16.0 / 3.0])
    assert found == pytest.approx(weights / weights.sum(), rel=1e-12)


def test_a_long_and_a_short_visit_count_as_fewer_than_two():
    """n' = (1 + 0.1)^2 / (1 + 0.01), and log W between its values at one and at two visits."""
    found = joined(np.full((2, 2), 0.25), [1.0, 0.1], [0.5, 0.25])
    at = 2.0**0.7 * (1.21 / 1.01) ** 0.3
    both = np.exp(np.log(2.0) + (at - 1.0) * np.log(4.0))
    assert found[1, 1] / found[0, 0] == pytest.approx(both, rel=1e-12)
    assert found[1, 0] / found[0, 0] == pytest.approx(2.0, rel=1e-12)
    assert found[0, 1] / found[0, 0] == pytest.approx(2.0, rel=1e-12)


def test_a_rare_short_visit_meets_long_ones_as_in_light_traffic():
    """`ordered` against the first order in the load of an open fork of two branches.

    An arrival finds a long visit, S = 1, at t since it came: with probability exp(-t) a part at
    either branch, so that it waits 1 U, and joins take (3/4) U S^2 / (S + s) more than s / 2.
    """
    load, short = 1e-4, 0.1
    network = qm.Network(
        [qm.ForkJoinStation("fork", 2)],
        [qm.OpenClass("long", load), qm.OpenClass("short", load)],
        [[1.0], [short]],
    )
    found = qm.solve(network, "ordered").response_times[1]
    more = load * (1.0 + 0.75 / (1.0 + short)) + load * short * (short + 0.375 * short)
    assert found - 1.5 * short == pytest.approx(more, rel=1e-3)


def test_whom_the_branches_are_at_is_nearly_enough(monkeypatch):
    """Numbers of each class in place of their order change the means by about one per cent.

    By less where it is known which of them the other branch has done.
    """
    arrivals = np.zeros((2, 5, 5))
    n, m = np.indices((5, 5))
    arrivals[0], arrivals[1] = 0.8 * (4 - n), 2.0 * (4 - m)
    means = []
    for kind, most in ((ForkedClasses, 0), (ForkedPairs, 30_000), (ForkedPairs, 800)):
        monkeypatch.setattr(two_branches, "LARGEST", most)
        chain = kind([0.3, 0.05], [4, 4], 2)
        found = chain.solve(arrivals)
        assert found.sum() == pytest.approx(1.0)
        if isinstance(chain, ForkedPairs):
            assert chain.apart is (most == 30_000)
            assert chain.states <= size([4, 4]) <= most
        means.append(np.array([float((n * found).sum()), float((m * found).sum())]))
    apart, together = (np.abs(mean / means[0] - 1.0).max() for mean in means[1:])
    assert 0.0 < apart < 0.7 * together < 0.01


def test_equal_times_are_those_of_one_class():
    """The chain of classes that are alike has the speeds of `forked_speeds`."""
    arrivals = np.zeros((2, 3, 3))
    n, m = np.indices((3, 3))
    arrivals[0], arrivals[1] = (n < 2) * 1.0, (m < 2) * 1.0
    found = ForkedClasses([0.5, 0.5], [2, 2]).solve(arrivals)
    assert found == pytest.approx(found.T, rel=1e-9)


@pytest.mark.parametrize(
    ("branches", "populations"), [(2, [3, 2]), (3, [2, 2]), (4, [2, 0, 1]), (5, [4])]
)
def test_states_told_in_order_are_counted_before_they_are_made(branches, populations):
    chain = ForkedClasses([0.3, 0.05, 0.1][: len(populations)], populations, branches)
    assert in_order.size(populations, branches) == chain.states


@pytest.mark.parametrize("branches", [2, 3])
def test_as_many_states_are_told_in_order_as_may_be(monkeypatch, branches):
    """Of two branches fewer than of more, where the other chain is not exact."""
    states = int(in_order.size([3, 2], branches))
    monkeypatch.setattr(in_order, "IN_ORDER", states if branches == 2 else 0)
    monkeypatch.setattr(in_order, "IN_ORDER_OF_MORE", states if branches > 2 else 0)
    assert in_order.is_in_order([3, 2], branches)
    assert not in_order.is_in_order([3, 3], branches)


def test_too_many_customers_are_left_to_another_method():
    network = alone(3, 80, 80)
    assert "population vectors" in qm.methods_for(network)["isolation"]
    assert qm.solve(network).method == "ordered"
