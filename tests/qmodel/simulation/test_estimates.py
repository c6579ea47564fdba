"""Estimates from replications: coverage of known numbers, over time, and of planted faults."""

import pickle
from math import exp

import numpy as np
import pytest

import qmodel as qm
from benchmarks.simulation_faults import compared, networks, planted, seen
from qmodel.simulation.control_variates import controls_of
from qmodel.simulation.estimates import percentile, ratio
from qmodel.simulation.layout import layout
from qmodel.simulation.replication import Replication
from qmodel.simulation.state import BINS, RATIO
from tests.faults.runner import ROOT


@pytest.mark.parametrize("number", [0, 1, 3])
def test_intervals_of_ratios_cover_in_95_of_100(number):
    random, covered = np.random.default_rng(number), []
    for _ in range(1000):
        below = random.uniform(0.8, 1.2, 20)
        controls = random.normal(size=(20, number))
        noise = controls.sum(axis=1) + 0.5 * random.normal(size=20)
        found = ratio(2.0 * below + 0.1 * noise, below, controls)
        covered.append(found.low < 2.0 < found.high)
    assert 0.93 < np.mean(covered) < 0.98  # with three they would be narrower than allowed


def test_controls_take_away_what_they_explain():
    random = np.random.default_rng(1)
    controls = random.normal(size=(20, 2))
    above = 2.0 + controls @ [0.3, -0.2] + 0.01 * random.normal(size=20)
    plain, controlled = (ratio(above, np.ones(20), each) for each in (None, controls))
    assert controlled.half_width == pytest.approx(plain.half_width / 3.0)
    assert controlled.low < 2.0 < controlled.high


def test_one_replication_says_nothing_of_the_others():
    assert ratio([3.0, 0.0], [1.0, 0.0]).half_width == 3.0


def counted(scv):
    disk = qm.QueueingStation("disk", 2, "fcfs")
    network = qm.Network([disk], [qm.OpenClass("x", 1.0)], [1.4], scv=[[scv]])
    counts = []
    for seed in np.random.SeedSequence(2).spawn(30):
        run = Replication(network, layout(network), seed, [1.0], 0)
        run.run(50.0)
        run.count_anew()
        run.run(400.0)
        counts.append(run.counted())
    return network, counts


def test_rounding_errors_of_constant_services_are_no_control():
    """Sums of millions of equal times are off by more than they vary, and in one direction."""
    network, counts = counted(0.0)
    longer = [c._replace(work=np.multiply(c.work, 1.0 + 1e-9 * i)) for i, c in enumerate(counts)]
    assert controls_of(network, longer).shape == (30, 1)


def test_controls_have_the_expectation_0():
    network, counts = counted(4.0)
    controls = controls_of(network, counts)
    assert controls.shape == (30, 2)
    z = controls.mean(axis=0) / controls.std(axis=0) * np.sqrt(30)
    assert np.abs(z).max() < 2.5
    with_, without = (
        ratio([c.response[0] for c in counts], [c.done[0] for c in counts], each)
        for each in (controls, None)
    )
    assert with_.half_width < 0.8 * without.half_width


@pytest.mark.parametrize("share", [0.5, 0.95, 0.99])
def test_percentiles_of_a_histogram(share):
    """Exponential times: -ln(1 - p), to better than 1 %."""
    times = np.random.default_rng(5).exponential(size=(20, 20_000))
    bins = (np.log(times / 1e-4) / np.log(RATIO)).astype(int).clip(0)
    histograms = np.array([np.bincount(row, minlength=BINS) for row in bins])
    found, exact = percentile(histograms, 1e-4, share), -np.log(1.0 - share)
    assert found.value == pytest.approx(exact, rel=0.01)
    assert found.low < exact < found.high


def test_a_delay_fills_as_known():
    """M/M/infinity from empty: E N(t) = r S (1 - exp(-t / S)), averaged over each step."""
    rate, stay = 20.0, 2.0
    network = qm.Network([qm.DelayStation("lan")], [qm.OpenClass("x", rate)], [stay])
    found = qm.simulate_over_time(network, 8.0, steps=4, replications=60)
    for end, step in zip(found.ends, found.steps, strict=True):
        past = stay * (exp(-(end - 2.0) / stay) - exp(-end / stay)) / 2.0
        known, estimate = rate * stay * (1.0 - past), step.queue_lengths[0][0]
        assert abs(estimate.value - known) < 2.0 * estimate.half_width < 0.2 * known


def test_a_backlog_drains():
    """All ask at once of one server: the first second serves one."""
    cpu = qm.QueueingStation("cpu", discipline="fcfs")
    network = qm.Network([cpu], [qm.ClosedClass("u", 10, 1000.0)], [1.0], scv=[[0.0]])
    found = qm.simulate_over_time(network, 10.5, start="loaded", steps=1, replications=4)
    assert found.steps[0]["u"].value == pytest.approx(5.5, rel=0.05)


def test_what_is_not_stable_grows():
    network = qm.Network([qm.QueueingStation("cpu")], [qm.OpenClass("x", 3.0)], [1.0])
    found = qm.simulate_over_time(network, 40.0, steps=2, replications=10)
    first, last = (step.queue_lengths[0][0].value for step in found.steps)
    assert last == pytest.approx(60.0, rel=0.2)
    assert first == pytest.approx(20.0, rel=0.2)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"until": 0}, "until is 0, expected > 0"), ({"steps": 0}, "steps is 0, expected >= 1"),
     ({"start": "full"}, "start is 'full', expected 'empty' or 'loaded'")],
)  # fmt: skip
def test_bad_arguments(options, said):
    network = qm.Network([qm.QueueingStation("cpu")], [qm.OpenClass("x", 3.0)], [1.0])
    with pytest.raises(qm.InvalidInput, match=said):
        qm.simulate_over_time(network, **{"until": 1.0} | options)


WANTED = ("arrivals taken for Poisson", "closed customers do not see the open ones")


def test_faults_are_flagged_and_sound_networks_are_not(tmp_path):
    answers = tmp_path / "simulated"
    pool = networks()
    few = [(pool[17], 30_000), (pool[36], 80_000)]
    found = [qm.simulate(n, precision=1e-9, events=e, seconds=None) for n, e in few]
    answers.write_bytes(pickle.dumps(found))
    sound = compared(str(answers))
    assert "differs" not in sound.values()
    for fault in planted():
        if fault.breaks in WANTED:
            assert seen(fault, answers, sound), fault.breaks
    assert len(planted()) == 40
    assert all((ROOT / f.file).read_text().count(f.text) == 1 for f in planted())
