"""The engine against what is known exactly, kind by kind, and against itself."""

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np
import pytest

import qmodel as qm
from benchmarks.simulation_coverage import KINDS, cases, covered
from qmodel.simulation.layout import layout
from qmodel.simulation.replication import Replication
from tests.tables import asked, rows

FCFS = qm.QueueingStation("disk", discipline="fcfs")
READS = qm.Network([FCFS], [qm.OpenClass("reads", 0.5)], [1.0])


def quick(network, **options):
    return qm.simulate(network, **{"precision": 1e-9, "events": 10_000, "seconds": None} | options)


@pytest.fixture(scope="module")
def many():
    """Of 24 networks, two of each kind, which intervals cover what is exact."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qmodel.simulation.rounds.SERIES", 80)
        return [(case[0], *covered(case, 2_500, i)) for i, case in enumerate(islice(cases(7), 24))]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_as_known_exactly(many, kind):
    """Two networks: that fewer than 60 % of the intervals cover is no chance."""
    rows = [hit for name, hits, _ in many if name == kind for row in hits.values() for hit in row]
    assert sum(rows) >= 0.6 * len(rows)


def test_intervals_cover_as_they_say(many):
    hits = [hit for _, rows, _ in many for row in rows.values() for hit in row]
    assert 0.90 <= sum(hits) / len(hits) <= 0.98


def test_an_engine_that_were_wrong_by_a_tenth_would_be_seen(many):
    narrow = [r.relative for _, _, found in many for r in found.response_times]
    assert np.median(narrow) < 0.1


def test_the_same_seed_says_the_same_and_another_does_not():
    first, again, other = (quick(READS, seed=seed) for seed in (1, 1, 2))
    assert first.to_dict() | {"seconds": 0} == again.to_dict() | {"seconds": 0}
    assert first.response_times != other.response_times


def test_the_answer_is_the_same_with_any_number_of_workers():
    with ThreadPoolExecutor(2) as pool:
        shared = quick(READS, executor=pool)
    assert shared.to_dict() | {"seconds": 0} == quick(READS).to_dict() | {"seconds": 0}


def test_a_lost_worker_loses_nothing():
    class Broken(ThreadPoolExecutor):
        def submit(self, *_, **__):
            raise RuntimeError("shut down")

    assert quick(READS, executor=Broken()).response_times == quick(READS).response_times


def test_ctrl_c_keeps_what_is_done():
    calls = []

    def pressed(done, _):
        calls.append(done)
        if len(calls) == 2:
            raise KeyboardInterrupt

    found = qm.simulate(READS, precision=0.001, seconds=None, progress=pressed)
    assert found.stopped == "interrupted"
    assert found.events >= calls[1]
    assert found["reads"].value == pytest.approx(2.0, rel=0.05)


def test_a_time_limit_ends_it():
    found = qm.simulate(READS, precision=1e-4, seconds=0.3)
    assert found.stopped == "seconds"
    assert found.seconds < 5.0


def test_it_stops_at_the_precision():
    found = qm.simulate(READS, precision=0.05)
    assert found.stopped == "precision"
    assert found.precision <= 0.05


def test_streams_of_all_sources_and_replications_differ():
    seeds = np.random.SeedSequence(5).spawn(3)
    runs = [Replication(READS, layout(READS), s, [1.0], 10) for s in seeds]
    firsts = [stream.random() for r in runs for stream in r.streams]
    assert len(set(firsts)) == len(firsts)


def test_the_state_does_not_grow_with_the_events():
    run = Replication(READS, layout(READS), np.random.SeedSequence(1), [1.0], 0)
    run.run(1_000.0)

    def numbers():
        return sum(len(v) for v in run.state if isinstance(v, list) and len(v) > 1)

    before = numbers()
    run.run(20_000.0)
    assert numbers() <= before + 20 * 64


def test_late_shares_and_percentiles_are_one_distribution():
    found = quick(READS, events=30_000, target=2.0 * np.log(20.0), percentiles=[0.95])
    late = found.late_shares[0]
    assert late.low < 0.05 < late.high
    p95 = found.percentiles[0][0]
    assert p95.low < 2.0 * np.log(20.0) < p95.high


@pytest.mark.parametrize(("family", "scv"), rows(__file__, "waits"))
def test_the_mean_wait_depends_on_two_moments_only(family, scv):
    """Pollaczek and Khinchine; all but names have their own SCV."""
    scv = asked(scv, globals())
    said = {("reads", "disk"): family}
    scvs = [[scv if isinstance(family, str) else 1.0]]
    network = qm.Network([FCFS], [qm.OpenClass("reads", 0.4)], [1.0], scv=scvs, distributions=said)
    mean = 1.0 + 0.4 * (1.0 + scv) / 1.2
    assert qm.solve(network)["reads"].response_time == pytest.approx(mean, rel=1e-9)
    assert quick(network)["reads"].value == pytest.approx(mean, rel=0.05)


def test_a_limit_that_is_held_through_a_visit_elsewhere():
    """cpu, lan, disk in turn with one thread for cpu and disk: one customer at a time."""
    stations = [qm.QueueingStation("cpu"), qm.DelayStation("lan"), qm.QueueingStation("disk")]
    thread = qm.PopulationLimit("thread", 1, ["cpu", "disk"])
    network = qm.Network(stations, [qm.ClosedClass("u", 5)], [[0.2, 0.3, 0.5]], limits=[thread])
    assert quick(network).throughputs[0].value == pytest.approx(1.0, rel=0.03)


def test_nested_limits():
    """The inner one lets in one customer: so does the outer one with more places."""
    stations = [qm.QueueingStation("cpu"), qm.QueueingStation("disk")]
    users = [qm.ClosedClass("u", 6, 2.0)]
    alone = [qm.PopulationLimit("in", 1, ["disk"])]
    both = [*alone, qm.PopulationLimit("out", 6, ["cpu", "disk"])]
    one, two = (
        quick(qm.Network(stations, users, [[0.2, 0.5]], limits=limits)) for limits in (alone, both)
    )
    assert one.throughputs == two.throughputs


def test_numbers_of_customers_that_grow():
    """An open class may find room for more than there is to begin with."""
    network = qm.Network([qm.DelayStation("lan")], [qm.OpenClass("x", 300.0)], [1.0])
    found = quick(network)
    assert found.queue_lengths[0][0].value == pytest.approx(300.0, rel=0.015)


def test_constant_times_are_followed_exactly():
    network = qm.Network([FCFS], [qm.OpenClass("x", 0.5, arrival_scv=0.0)], [1.0], scv=[[0.0]])
    found = quick(network)
    assert found["x"] == (pytest.approx(1.0), pytest.approx(0.0, abs=1e-9))


def test_compiled_and_not_compiled_say_the_same():
    pytest.importorskip("numba")
    import os
    import subprocess
    import sys

    code = (
        "import qmodel as qm; n = qm.Network([qm.QueueingStation('d', discipline='fcfs')],"
        "[qm.OpenClass('r', 0.5)], [1.0]); print(qm.simulate(n, events=30000).response_times)"
    )
    said = {
        subprocess.check_output(
            [sys.executable, "-c", code], env=os.environ | {"NUMBA_DISABLE_JIT": off}
        )
        for off in ("0", "1")
    }
    assert len(said) == 1
