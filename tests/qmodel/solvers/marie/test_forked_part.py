"""A fork-join station as a subnetwork: which chain it takes, and what it refuses."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.numerics import nonlinear_ctmc
from qmodel.solvers.fork_join import branch_pair_ctmc, truncation_correction
from qmodel.solvers.fork_join.branch_pair_ctmc import BranchPairCTMC
from qmodel.solvers.marie import fork_join_subnetwork
from qmodel.solvers.marie.fork_join_subnetwork import ForkJoinSubnetwork
from tests.tables import asked, rows


def network(populations, demand, *, branches=3, thinks=(1.0, 2.0, 3.0), **more):
    classes = [
        qm.ClosedClass(f"c{c}", n, z)
        for c, (n, z) in enumerate(zip(populations, thinks, strict=False))
    ]
    return qm.Network([qm.ForkJoinStation("fork", branches)], classes, demand, **more)


def test_one_class_takes_no_chain(monkeypatch):
    """Nor does one that is alone among classes that never come."""
    monkeypatch.setattr(ForkJoinSubnetwork, "_by_chain", None)
    one = qm.solve(network([30], [[0.1]]), "marie")
    beside = qm.solve(network([30, 2], [[0.1], [0.0]]), "marie")
    assert beside.response_times == pytest.approx([one.response_times[0], 0.0], rel=1e-12)


def test_classes_that_never_come_take_no_states():
    model = network([3, 50, 2], [[0.1], [0.0], [0.2]])
    fork = ForkJoinSubnetwork(model, range(3), [3, 50, 2], 0)
    assert fork.population == [3, 0, 2]
    chain, most = fork._chain(True)
    assert most == 5
    assert len(chain.space.states) == len(BranchPairCTMC([0.1, 0.2], [3, 2], 3).space.states)


def test_visits_arrive_as_often_as_they_are_made():
    """Two visits of half the time each, near the chain of the whole network."""
    model = network([2, 2], [[0.4], [0.1]], visit_ratio=[[2.0], [1.0]])
    exact = qm.solve(model, "global-balance").response_times
    assert qm.solve(model, "marie").response_times == pytest.approx(exact, rel=0.03)
    once = qm.solve(network([2, 2], [[0.4], [0.1]]), "marie").response_times
    assert once[1] > 1.4 * exact[1]  # who visits once waits for shorter parts


@pytest.mark.parametrize("branches", [2, 4])
def test_equal_times_are_exact_too(branches):
    """Who comes back at once finds other branches than who comes at times of his own."""
    model = network([2, 3], [[0.1], [0.1]], branches=branches, thinks=(0.02, 2.0))
    exact = qm.solve(model, "global-balance").response_times
    assert qm.solve(model, "marie").response_times == pytest.approx(exact, rel=1e-6)
    assert exact[0] != pytest.approx(exact[1], rel=0.05)


def test_rare_visits_may_be_left_out(monkeypatch):
    """Of fourteen customers there are never more than a few: fewer states, the same answer."""
    classes = [qm.ClosedClass("long", 8, 30.0), qm.ClosedClass("short", 6, 5.0)]
    model = qm.Network([qm.ForkJoinStation("fork", 3)], classes, [[0.3], [0.05]])
    whole = qm.solve(model, "marie").response_times
    monkeypatch.setattr(branch_pair_ctmc, "LARGEST", 500)
    part = qm.solve(model, "marie").response_times
    assert part == pytest.approx(whole, rel=2e-3)
    assert part != pytest.approx(whole, rel=1e-9)


def test_frequent_visits_are_not_left_out(monkeypatch):
    """First the chain that tells less is taken; where that is too small as well, none."""
    model = network([6, 6], [[0.3], [0.05]], branches=2)
    asked = []

    def chain(*given, apart):
        asked.append(apart)
        return BranchPairCTMC(*given, apart=apart)

    monkeypatch.setattr(fork_join_subnetwork, "BranchPairCTMC", chain)
    whole = qm.solve(model, "marie").response_times
    assert asked == [True]
    monkeypatch.setattr(branch_pair_ctmc, "LARGEST", 1_200)
    assert qm.solve(model, "marie").response_times == pytest.approx(whole, rel=0.02)
    assert asked == [True, True, False]
    monkeypatch.setattr(branch_pair_ctmc, "LARGEST", 200)
    with pytest.raises(qm.NotApplicable, match="visits are often in progress at a fork of 2"):
        qm.solve(model, "marie")
    assert qm.solve(model).method != "marie"


def test_a_chain_that_does_not_converge_is_refused(monkeypatch):
    monkeypatch.setattr(branch_pair_ctmc, "nonlinear_stationary", lambda *_, **__: None)
    with pytest.raises(qm.NotApplicable, match="do not converge"):
        qm.solve(network([4, 4], [[0.3], [0.05]]), "marie")


@pytest.mark.parametrize(("branches", "populations", "times", "thinks"), rows(__file__, "rare"))
def test_classes_that_hardly_ever_come_have_digits_too(
    monkeypatch, branches, populations, times, thinks
):
    """In another unit chains have other digits: of the small probabilities there were none."""
    thinks = asked(thinks, globals())
    monkeypatch.setattr(truncation_correction, "LARGEST", 500)
    monkeypatch.setattr(nonlinear_ctmc, "COMPLETE", 300)

    def found(unit):
        model = network(
            populations, [[unit * time] for time in times], branches=branches,
            thinks=[unit * think for think in thinks],
        )  # fmt: skip
        return np.array(qm.solve(model, "marie").response_times) / unit

    usual = found(1.0)
    assert found(1e3) == pytest.approx(usual, rel=1e-4)
    assert found(1e-6) == pytest.approx(usual, rel=1e-4)


def test_classes_that_hardly_ever_come_take_as_long_as_less_rare_ones():
    """A customer alone among others: it makes no difference whether once a day or in a year."""

    def seldom(think):
        return qm.solve(
            network([3, 3], [[0.3], [0.05]], branches=8, thinks=(1.0, think)), "marie"
        ).response_times

    rare = seldom(3e7)
    assert seldom(1e5) == pytest.approx(rare, rel=1e-3)
    assert seldom(1e200) == pytest.approx(rare, rel=1e-3)


def test_a_large_chain_that_is_hardly_ever_empty_is_solved():
    """The state without customers, by which others were told, has a probability of 1e-16.

    By complete factors (`nonlinear_ctmc.COMPLETE` beyond its states): 20.450682 and 28.188163 s.
    """
    model = network([24, 3], [[0.852], [6.6]], branches=2, thinks=(0.433, 1e6))
    found = qm.solve(model, "marie").response_times
    assert found == pytest.approx((20.450682019407, 28.188162565296), rel=1e-6)
