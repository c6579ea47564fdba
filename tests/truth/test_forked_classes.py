"""Forks whose classes take different times, against the Markov chain of the whole network."""

import numpy as np
import pytest

import qmodel as qm
from qmodel.numerics import nonlinear_ctmc
from qmodel.solvers.fork_join import branch_pair_ctmc, truncation_correction
from qmodel.solvers.fork_join.branch_pair_ctmc import BranchPairCTMC, largest_total
from qmodel.solvers.fork_join.fork_speeds import forked_speeds, light_and_heavy
from qmodel.solvers.fork_join.synchronization import one_branch_left
from qmodel.solvers.fork_join.truncation_correction import TruncationCorrection
from qmodel.solvers.markov.station_ctmc import StationCTMC
from qmodel.solvers.markov.station_states import ForkJoinStates
from tests.truth import ordered

TIMES = [[0.3], [0.05]]


def response_times(truth):
    return [float(sum(r or 0.0 for r in row)) for row in truth.residence_time]


def alone(branches, *populations):
    classes = [qm.ClosedClass(f"c{c}", n, 0.5) for c, n in enumerate(populations)]
    return qm.Network([qm.ForkJoinStation("fork", branches)], classes, TIMES)


def arrivals(population, think=(1.25, 0.5)):
    """Those of customers who think when they are not there."""
    there = np.indices([n + 1 for n in population])
    return np.array([(n - t) / z for n, t, z in zip(population, there, think, strict=True)])


def solved(chain, rates):
    return chain.marginal(chain.stationary(rates))


def wrong(marginal, true):
    """The largest relative error of a mean number."""
    means = [[float((n * p).sum()) for n in np.indices(p.shape)] for p in (marginal, true)]
    return float(np.abs(np.divide(*means) - 1.0).max())


@pytest.mark.parametrize(
    ("branches", "populations"), [(2, (1, 3)), (3, (2, 1)), (3, (1, 2)), (4, (1, 1))]
)
def test_few_visits_are_exact(branches, populations):
    network = alone(branches, *populations)
    found = qm.solve(network, "marie")
    assert found.response_times == pytest.approx(response_times(ordered.solve(network)), rel=1e-6)


@pytest.mark.parametrize("think_time", [0.1, 2.0])
def test_two_branches_of_one_class_are_exact(think_time):
    network = qm.Network([qm.ForkJoinStation("fork", 2)], [qm.ClosedClass("c", 6, think_time)],
                         [[0.3]])  # fmt: skip
    found = qm.solve(network, "marie")
    exact = qm.solve(network, "global-balance")
    assert found.response_times == pytest.approx(exact.response_times, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_do_not_matter(scale):
    network = alone(3, 2, 1)
    other = qm.Network(
        network.stations,
        [qm.ClosedClass(c.name, c.population, scale * c.think_time) for c in network.classes],
        [[scale * d for d in row] for row in network.demand],
    )
    times = [scale * r for r in qm.solve(network, "marie").response_times]
    assert qm.solve(other, "marie").response_times == pytest.approx(times, rel=1e-9)


@pytest.mark.parametrize("branches", [2, 3, 4])
def test_two_branches_stand_for_all(monkeypatch, branches):
    monkeypatch.setattr(truncation_correction, "LARGEST", 0)  # of no visit, which changes nothing
    network = alone(branches, 2, 3 if branches < 4 else 2)
    exact = response_times(ordered.solve(network))
    found = qm.solve(network, "marie")
    assert found.response_times != pytest.approx(exact, rel=1e-9)
    assert found.response_times == pytest.approx(exact, rel=0.014)


@pytest.mark.parametrize(("branches", "near"), [(2, 1e-6), (3, 0.002), (4, 0.004), (8, 0.012)])
@pytest.mark.parametrize("busy", [0.2, 0.7])
def test_two_branches_of_one_class_have_its_response_time(branches, near, busy):
    """Exact for two branches [Nelson and Tantawi 1988], beyond that Varma and Makowski's."""
    most = 60
    rates = np.full((1, most + 1), busy)
    rates[0, -1] = 0.0
    found = solved(BranchPairCTMC([1.0], [most], branches), rates)
    light, heavy = light_and_heavy(branches)
    time = (light + (heavy - light) * busy) / (1.0 - busy)
    assert float(np.arange(most + 1) @ found) / busy == pytest.approx(time, rel=near)


@pytest.mark.parametrize("branches", [3, 5, 12, 64])
def test_ties_run_from_none_to_all(branches):
    """A lone visit begins with all branches: P(j = 1) = 1 / H(B) at the mean B / H(B)."""
    harmonic = sum(1.0 / b for b in range(1, branches + 1))
    ends = one_branch_left(branches, np.array([1.0, branches / harmonic, branches]))
    assert ends == pytest.approx([1.0, 1.0 / harmonic, 0.0], abs=2e-3)
    falling = one_branch_left(branches, np.linspace(1.0, branches, 200))
    assert (np.diff(falling) < 0.0).all()


def test_large_chains_are_solved_as_small_ones(monkeypatch):
    """With incomplete factors the same probabilities, to the digits of small ones as well."""
    for branches in (2, 4):
        fork = BranchPairCTMC([0.3, 0.05], [6, 6], branches)
        exact = solved(fork, arrivals([6, 6]))
        with monkeypatch.context() as patch:
            patch.setattr(nonlinear_ctmc, "COMPLETE", 10)
            found = solved(fork, arrivals([6, 6]))
        assert found == pytest.approx(exact, rel=1e-5)


def test_numbers_that_are_never_there_have_the_speed_of_always():
    """Two branches that always hold n visits end one at 2 n / (2 n + 1) of a branch's rate."""
    speeds = forked_speeds(2, np.array([0.4, 0.0, 0.0, 0.0]))
    assert speeds == pytest.approx([2 / 3, 4 / 5, 6 / 7], rel=1e-12)


def test_a_rare_short_visit_meets_long_ones_as_in_light_traffic():
    """`extended-amva` against the first order in the load of an open fork of two branches.

    An arrival finds a long visit, S = 1, at t since it came: with probability exp(-t) a part at
    either branch, so that it waits 1 U, and joins take (3/4) U S^2 / (S + s) more than s / 2.
    """
    load, short = 1e-4, 0.1
    network = qm.Network(
        [qm.ForkJoinStation("fork", 2)],
        [qm.OpenClass("long", load), qm.OpenClass("short", load)],
        [[1.0], [short]],
    )
    found = qm.solve(network, "extended-amva").response_times[1]
    more = load * (1.0 + 0.75 / (1.0 + short)) + load * short * (short + 0.375 * short)
    assert found - 1.5 * short == pytest.approx(more, rel=1e-3)


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize(
    ("population", "most"), [([3, 2], 5), ([3, 2], 3), ([3, 0, 2], 4), ([2, 2, 2], 4), ([5], 3)]
)
def test_states_are_counted_before_they_are_made(monkeypatch, population, most, apart):
    chain = BranchPairCTMC([0.3, 0.05, 0.1][: len(population)], population, 3, most, apart=apart)
    assert chain.counts.sum(axis=1).max() == most
    made = len(chain.space.states)
    monkeypatch.setattr(branch_pair_ctmc, "LARGEST", made)
    assert largest_total(population, apart=apart) == most
    monkeypatch.setattr(branch_pair_ctmc, "LARGEST", made - 1)
    assert largest_total(population, apart=apart) == most - 1


def test_few_visits_correct_more_of_them(monkeypatch):
    """Of what is wrong little is left where the fork is hardly busy; nearly always it is little."""
    monkeypatch.setattr(truncation_correction, "LARGEST", 400)
    times, population = [0.5, 0.05], [2, 4]
    fork = TruncationCorrection(times, population, 4)
    assert fork.most == 3
    whole = StationCTMC(ForkJoinStates(times, 4), population)
    for think, left in (((40.0, 10.0), 0.2), ((4.0, 1.0), 0.65), ((0.2, 0.05), 1.1)):
        rates = arrivals(population, think)
        true = solved(whole, rates)
        plain = solved(BranchPairCTMC(times, population, 4), rates)
        assert wrong(fork.apply(plain, rates), true) < left * wrong(plain, true), think


def test_too_many_customers_are_left_to_another_method():
    network = alone(3, 80, 80)
    assert "population vectors" in qm.methods_for(network)["marie"]
    assert qm.solve(network).method == "extended-amva"
