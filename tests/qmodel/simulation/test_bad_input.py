"""What cannot be simulated or makes no sense is refused in one line that says what is wrong."""

import pytest

import qmodel as qm
from tests.tables import asked, rows

CPU = qm.QueueingStation("cpu")
USERS = qm.ClosedClass("users", 3, 1.0)
SOUND = qm.Network([CPU], [USERS], [0.2])


@pytest.mark.parametrize(("options", "said"), rows(__file__, "arguments"))
def test_arguments(options, said):
    with pytest.raises(qm.QmodelError) as refused:
        qm.simulate(SOUND, **options)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_network():
    with pytest.raises(qm.InvalidInput, match="is not a network"):
        qm.simulate(3)


def test_an_unstable_network_says_where():
    network = qm.Network([CPU], [qm.OpenClass("mail", 6.0)], [0.2])
    with pytest.raises(qm.Unstable, match="'cpu'"):
        qm.simulate(network)


def test_what_diverges_behind_a_limit_says_where_and_when(monkeypatch):
    """One thread is held through the delay as well: that is too long, and no station is."""
    from qmodel.simulation import replication

    monkeypatch.setattr(replication, "MOST", 300)
    stations = [CPU, qm.DelayStation("lan"), qm.QueueingStation("disk")]
    thread = qm.PopulationLimit("thread", 1, ["cpu", "disk"])
    network = qm.Network(stations, [qm.OpenClass("u", 2.0)], [[0.1, 0.5, 0.1]], limits=[thread])
    with pytest.raises(qm.Unstable, match=r"customers after .* at 'thread': it diverges"):
        qm.simulate(network, seconds=None)


def test_a_precision_beyond_reach_says_how_long_it_takes():
    with pytest.raises(qm.InvalidInput, match=r"about .* events, .* days at .* an hour gives"):
        qm.simulate(SOUND, precision=1e-7)


def test_a_deadlock_is_named():
    stations = [qm.QueueingStation(name, buffer=2, discipline="fcfs") for name in "ab"]
    network = qm.Network(stations, [qm.ClosedClass("u", 4)], [[1.0, 1.0]])
    with pytest.raises(qm.NotApplicable, match="deadlock after"):
        qm.simulate(network)


@pytest.mark.parametrize(("network", "said"), rows(__file__, "what_it_does_not_know"))
def test_what_it_does_not_know(network, said):
    network = asked(network, globals())
    assert said in qm.why_not_simulated(network)
    with pytest.raises(qm.NotApplicable, match="simulation: "):
        qm.simulate(network)


def test_a_class_without_customers_has_no_times():
    network = qm.Network([CPU], [USERS, qm.ClosedClass("none", 0)], [[0.2], [0.3]])
    found = qm.simulate(network, events=2_000)
    assert found.response_times[1] == (0.0, 0.0)


def test_nobody_at_all():
    network = qm.Network([CPU], [qm.ClosedClass("none", 0), qm.OpenClass("x", 0.0)], [[0.2], [1]])
    found = qm.simulate(network)
    assert found.throughputs == ((0.0, 0.0), (0.0, 0.0))
    assert found.events == 0


def test_more_customers_than_memory_holds():
    network = SOUND.with_population(10**6)
    assert qm.why_not_simulated(network) == "1000000 customers, at most 100000"


def test_a_class_that_seldom_asks_is_not_taken_for_certain():
    """One interaction in a hundred thousand: neither a half width of 0, nor an early stop."""
    rare = qm.OpenClass("rare", 1e-5)
    network = qm.Network([CPU], [qm.OpenClass("usual", 2.0), rare], [[0.2], [0.2]])
    found = qm.simulate(network, events=50_000)
    assert found.stopped == "events"
    assert all(r.half_width > 0.0 for r in found.response_times if r.value)
