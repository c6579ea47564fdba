"""On a Dask cluster of two processes, one of which is killed in mid-run: nothing is lost."""

import os
import signal
import time

import pytest

import qmodel as qm

# Its own warnings are its own business.
pytestmark = pytest.mark.filterwarnings("ignore")

NETWORK = qm.Network(
    [qm.QueueingStation("cpu", 3), qm.QueueingStation("disk")],
    [qm.ClosedClass("people", 100, think_time=2.0)], [[0.9, 0.2]],
)  # fmt: skip
VARY = {"demand.disk": [0.2 + i / 4000 for i in range(200)]}


def test_a_killed_worker_loses_nothing():
    reason = "Dask is not here; it comes with the extra distributed"
    distributed = pytest.importorskip("distributed", reason=reason)
    expected = qm.sweep(NETWORK, VARY, chunk=5)
    cluster = distributed.LocalCluster(
        n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None,
        silence_logs=50,
    )  # fmt: skip
    with cluster, distributed.Client(cluster) as client:
        before = client.run(os.getpid)
        assert len(before) == 2
        killed, seen = [], []

        def kill_one(done, _points):
            seen.append(done)
            if done and not killed:
                killed.append(next(iter(before.values())))
                os.kill(killed[0], signal.SIGKILL)

        found = qm.sweep(NETWORK, VARY, executor=client.get_executor(), chunk=5, progress=kill_one)
        # The nanny starts another process for the one that was killed.
        deadline = time.monotonic() + 120  # seconds where others compute as well
        while killed[0] in (now := client.run(os.getpid)).values() or len(now) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    assert seen == list(range(0, 201, 5))
    assert found.problems == {}
    for name, values in expected.columns().items():
        assert found.columns()[name].tolist() == values.tolist()
