"""Replications in rounds: warm-up, then longer until intervals are narrow enough; see THEORY.md."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from math import inf
from time import perf_counter

import numpy as np

from qmodel.errors import InvalidInput, QmodelError
from qmodel.model.network import Network
from qmodel.numerics.arrays import Array
from qmodel.simulation.control_variates import controls_of
from qmodel.simulation.estimates import Counts, ratio
from qmodel.simulation.replication import Replication

#: Interactions of the first series for the warm-up, of the longest, and over those in progress.
SERIES, LONGEST, RENEWALS = 250, 200_000, 6
#: Events of the first round, how much longer all may be after another, and the most ever.
FIRST, GROWTH, MOST = 40_000, 4.0, 1e12
#: Widths of intervals over those estimated, at most, where they are what ends it.
WIDER = 1.2
#: Interactions of a class in a replication whose mean tells nothing.
FEW = 5
#: Observations in an average of the series for the warm-up.
FIVE = 5

Progress = Callable[[int, int], None]


@dataclass
class Rounds:
    """Replications under way."""

    network: Network
    #: At their beginnings.
    replications: list[Replication]
    #: Where they are run; None is here.
    executor: Executor | None = None
    #: Called with the events that are done and those that will be needed, as far as is known.
    progress: Progress | None = None
    counts: list[Counts | None] = field(default_factory=list)
    warm_up: float = 0.0
    wider: float = 1.0
    stopped: str = ""
    begun: float = field(default_factory=perf_counter)

    def run(self, precision: float, events: float, seconds: float) -> list[Counts]:
        """Warm up, then count until a relative half width, or for so many events or seconds.

        Ctrl-C ends it with what is done.
        """
        if all(r.is_empty for r in self.replications):
            self.stopped = "precision"
            return [advanced(r, 1.0).counted() for r in self.replications]
        try:
            self._warm_up(seconds)
            self._count(precision, events, seconds)
        except KeyboardInterrupt:
            self.stopped = "interrupted"
            if sum(c is not None for c in self.counts) < 2:
                raise
        return [c for c in self.counts if c is not None]

    def _warm_up(self, seconds: float) -> None:
        """Run until MSER-5 finds the end of the warm-up; nothing before is counted."""
        while True:
            self._to([inf] * len(self.replications))
            traced = [r.traced() for r in self.replications]
            length = min(len(each) for each in traced)
            series = np.array([each[:length] for each in traced]).mean(axis=0)
            late = perf_counter() - self.begun > 0.5 * seconds
            there = max(sum(r.state.present) for r in self.replications)
            enough = length >= RENEWALS * there and truncation(series) is not None
            if late or length >= LONGEST or enough:
                break
            for r in self.replications:
                r.trace_more(length)
        self.warm_up = max(r.now for r in self.replications)
        self._to([self.warm_up] * len(self.replications))
        rate = sum(r.events for r in self.replications) / self.warm_up
        self.per_second = rate / len(self.replications)
        for r in self.replications:
            r.count_anew()

    def _count(self, precision: float, events: float, seconds: float) -> None:
        number = len(self.replications)
        wanted = min(events, FIRST)
        while True:
            until = self.warm_up + wanted / number / self.per_second
            self.counts = self.counts or [None] * number
            for i, r in enumerate(self._advanced([until] * number)):
                self.replications[i] = r
                self.counts[i] = r.counted()
                if perf_counter() - self.begun > seconds and i >= 1:
                    self.stopped = "seconds"
                    return
            done = [c for c in self.counts if c is not None]
            total = sum(c.events for c in done)
            widest = _widest(done, controls_of(self.network, done))
            needed = total * (widest / precision) ** 2
            if self.progress is not None:
                self.progress(total, int(min(needed, events, MOST)))
            if widest <= precision:
                self.wider = min(WIDER, precision / widest) if widest else 1.0
                self.stopped = "precision"
                return
            if total >= events * (1.0 - 1e-9) or wanted >= events:
                self.stopped = "events"
                return
            speed = total / (perf_counter() - self.begun)
            if MOST < needed < inf and events == inf:
                raise InvalidInput(_too_precise(precision, needed, speed, widest, total))
            left = max(0.0, seconds - (perf_counter() - self.begun)) * speed
            wanted *= min(GROWTH, max(1.2, 1.1 * needed / max(1, total)))
            wanted = min(wanted, events, max(total + 1.1 * left, 1.05 * total))

    def _to(self, until: Sequence[float]) -> None:
        for i, r in enumerate(self._advanced(until)):
            self.replications[i] = r

    def _advanced(self, until: Sequence[float]) -> Iterator[Replication]:
        """The replications at later times, in order."""
        pairs = list(zip(self.replications, until, strict=True))
        if self.executor is None:
            yield from (advanced(*pair) for pair in pairs)
            return
        futures = [_handed_in(self.executor, *pair) for pair in pairs]
        try:
            for pair, future in zip(pairs, futures, strict=True):
                yield _result(future, *pair)
        finally:
            for future in futures:
                if future is not None:
                    future.cancel()


def advanced(replication: Replication, until: float) -> Replication:
    """What a worker does: the replication at a later time."""
    replication.run(until)
    return replication


def _handed_in(executor: Executor, r: Replication, until: float) -> Future[Replication] | None:
    """The replication's future; None if the executor takes nothing any more."""
    try:
        return executor.submit(advanced, r, until)
    except RuntimeError:
        return None


def _result(future: Future[Replication] | None, r: Replication, until: float) -> Replication:
    if future is not None:
        try:
            return future.result()
        except QmodelError:
            raise
        except Exception:  # noqa: BLE001 - each executor has its own words for a lost worker
            return advanced(r, until)
    return advanced(r, until)


def _widest(counts: Sequence[Counts], controls: Array) -> float:
    """The widest relative half width of a class's response time; infinite of too few."""
    done = np.array([c.done for c in counts])
    response = np.array([c.response for c in counts])
    if any(0 < n < FEW * len(counts) for n in done.sum(axis=0)):
        return inf
    return max(ratio(response[:, c], done[:, c], controls).relative for c in range(done.shape[1]))


def _too_precise(precision: float, needed: float, speed: float, widest: float, total: float) -> str:
    hour = widest * (total / (3600.0 * speed)) ** 0.5
    return (
        f"precision {precision:g} needs about {needed:.1g} events, {needed / speed / 86400.0:.3g} "
        f"days at {speed / 1e6:.2g} million a second; an hour gives about {hour:.1g}"
    )


def truncation(series: Array) -> int | None:
    """How many observations the warm-up takes, or None if the series is too short to tell.

    MSER-5: observations are averaged in fives. Without the first d of the n averages Y, the squared
    half width of their mean is proportional to

        MSER(d) = sum over j > d of (Y_j - mean of Y_j, j > d)^2 / (n - d)^2,

    and the warm-up ends where that is least [3]. A minimum in the second half of a series says that
    it is too short. Here observations are means over the replications, which have less noise.

    Examples
    --------
    >>> noise = np.random.default_rng(1).normal(size=1000)
    >>> noise[:100] += np.linspace(9.0, 0.0, 100)
    >>> truncation(noise)
    95
    >>> truncation(np.linspace(9.0, 0.0, 1000)) is None
    True
    """
    n = len(series) // FIVE
    means = series[: n * FIVE].reshape(n, FIVE).mean(axis=1)
    left = np.arange(n, 0, -1)
    rest = np.cumsum(means[::-1])[::-1]
    squares = np.cumsum(means[::-1] ** 2)[::-1]
    variation = np.maximum(squares - rest**2 / left, 0.0) / left**2.0
    best = int(np.argmin(variation[: max(1, n - FIVE)]))
    return best * FIVE if best <= n // 2 else None
