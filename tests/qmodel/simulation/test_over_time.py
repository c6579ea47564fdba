"""A time axis: exact means of what fills, drains and grows."""

from math import exp

import pytest

import qmodel as qm


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
