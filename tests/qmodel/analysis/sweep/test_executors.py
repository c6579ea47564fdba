"""On threads, on processes, and on executors that lose work."""

import os
import signal
from concurrent import futures
from multiprocessing import get_context

import numpy as np
import pytest

import qmodel as qm
from qmodel.analysis.sweep import chunks, kernels
from qmodel.errors import InternalError

NETWORK = qm.Network(
    [qm.QueueingStation("cpu", 3), qm.QueueingStation("disk")],
    [qm.ClosedClass("people", 30, think_time=2.0)], [[0.9, 0.2]],
)  # fmt: skip
VARY = {"demand.disk": np.linspace(0.05, 0.4, 60).tolist(), "population": [5, 30]}
MANY = [NETWORK.with_population(n) for n in range(100)]


def same(found, expected):
    assert list(found.columns()) == list(expected.columns())
    for name, values in expected.columns().items():
        assert found.columns()[name].tolist() == values.tolist()


class Failing(futures.Executor):
    """Fails a chunk some times before it is solved, each time in another way."""

    def __init__(self, times, closed_after=10**9):
        self.times, self.closed_after = times, closed_after
        self.handed_in, self.failed = 0, {}

    def submit(self, fn, *args):
        if self.handed_in >= self.closed_after:
            raise RuntimeError("cannot schedule new futures after shutdown")
        self.handed_in += 1
        key = args[1:]
        self.failed[key] = self.failed.get(key, 0) + 1
        future = futures.Future()
        if self.failed[key] <= self.times:
            ways = [OSError("worker is gone"), futures.CancelledError(), EOFError()]
            future.set_exception(ways[self.failed[key] % 3])
        else:
            future.set_result(fn(*args))
        return future


@pytest.mark.parametrize("times", [0, 1, 2, 7])
@pytest.mark.parametrize("ahead", [1, 16])
def test_what_fails_is_handed_in_again_and_nothing_is_lost(times, ahead, monkeypatch):
    monkeypatch.setattr(chunks, "AHEAD", ahead)
    executor = Failing(times)
    same(qm.sweep(NETWORK, VARY, executor=executor, chunk=8), qm.sweep(NETWORK, VARY, chunk=8))
    # Three attempts, then this process does it.
    assert set(executor.failed.values()) == {min(times + 1, chunks.ATTEMPTS + 1)}


def test_an_executor_that_takes_nothing_any_more():
    executor = Failing(0, closed_after=3)
    same(qm.sweep(MANY, executor=executor, chunk=9), qm.sweep(MANY, chunk=9))
    assert executor.handed_in == 3


def test_threads_and_processes_keep_the_order():
    expected = qm.sweep(NETWORK, VARY, chunk=7)
    with futures.ThreadPoolExecutor(3) as threads:
        same(qm.sweep(NETWORK, VARY, executor=threads, chunk=7), expected)
    with futures.ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        same(qm.sweep(NETWORK, VARY, executor=processes, chunk=7), expected)
        same(qm.sweep(MANY, executor=processes, chunk=11), qm.sweep(MANY, chunk=11))
        assert processes.submit(os.getpid).result() != os.getpid()  # they are still there


def test_a_process_that_is_killed_in_mid_run():
    """The pool is broken by that; this process goes on."""
    expected = qm.sweep(NETWORK, VARY, chunk=4)
    with futures.ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        victims = [pool.submit(os.getpid).result()]

        def kill(done, _points):
            if done and victims:
                os.kill(victims.pop(), signal.SIGKILL)

        same(qm.sweep(NETWORK, VARY, executor=pool, chunk=4, progress=kill), expected)
    assert not victims


def test_an_error_of_our_own_ends_the_sweep(monkeypatch):
    def broken(*_):
        raise InternalError("a law is broken")

    monkeypatch.setattr(kernels, "check", broken)
    with (
        futures.ThreadPoolExecutor(2) as threads,
        pytest.raises(InternalError, match="a law is broken"),
    ):
        qm.sweep(NETWORK, VARY, executor=threads, chunk=7)
