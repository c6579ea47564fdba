"""Queues at processors, one for each priority, and at what rates they are served.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/processors.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from qmodel.model.layered_model import Layered
from qmodel.numerics.arrays import Array
from qmodel.solvers.layered.nodes import queue_at

#: Customers of a stream that are followed at a resource, at most.
FOLLOWED = 1000


class Processors:
    """The queues of a model at processors with a number of cores."""

    def __init__(self, model: Layered) -> None:
        processors = {p.name: p for p in model.processors}
        #: Of each queue its servers, and its processor and priority.
        self.cores: dict[str, int] = {}
        self.level: dict[str, tuple[str, int]] = {}
        for service in model.services:
            at = processors.get(service.processor or "")
            queue = queue_at(at, service.priority)
            if at is not None and queue is not None:
                self.cores[queue], self.level[queue] = at.cores or 1, (at.name, service.priority)
        #: Of each queue those of higher priority, the highest first; all that are.
        self.higher = {
            queue: sorted(
                (q for q, (at, p) in self.level.items() if at == here and p > priority),
                key=lambda q: -self.level[q][1],
            )
            for queue, (here, priority) in self.level.items()
        }
        self.above = {queue for some in self.higher.values() for queue in some}
        self.forget()

    def forget(self) -> None:
        """Take the queues that lower priorities wait for as empty."""
        #: How long it takes to be empty, apart from others [s]; and load that comes meanwhile [1].
        self.clearing = dict.fromkeys(self.above, 0.0)
        self.coming = dict.fromkeys(self.above, 0.0)

    def loads(
        self, work: Sequence[Mapping[str | None, float]], rates: Sequence[float]
    ) -> dict[str, float]:
        """Utilization of each core by each queue. [1]"""
        load = dict.fromkeys(self.cores, 0.0)
        for times, rate in zip(work, rates, strict=True):
            for queue, time in times.items():
                if queue is not None:
                    load[queue] += rate * time / self.cores[queue]
        return load

    def speeds(self, queue: str, load: Mapping[str, float], work: float) -> Array:
        """Work done with 1, 2 ... there, the last going on, for customers of so much work. [1]"""
        cores = np.arange(1.0, self.cores[queue] + 1.0)
        higher = self.higher[queue]
        if not higher:
            return cores
        count, busy, wait = float(cores[-1]), 0.0, 0.0
        for each in higher:
            left_over = max(0.001, 1.0 - busy - self.coming[each])
            wait = (wait * (1.0 - busy) + self.clearing[each]) / left_over
            busy = min(0.999, busy + load[each])
        wait *= busy ** (count - 1.0)
        n = np.arange(1.0, FOLLOWED + 1.0)
        left: Array = np.minimum(n * (1.0 - busy**count), count * (1.0 - busy))
        return np.asarray(left * n / (n + (1.0 - busy) * wait / work))

    def clear(self, queue: str, number: Array, work: float, part: float, comes: float) -> None:
        """Add one caller's part of how long a queue takes to be empty, from 0, 1 ... there.

        The sum over n of P(N >= n)^2 / (p(n) mu(n)), by the flows of a birth-death process; of one
        that others interrupt it is of n p(n) / mu(n), and the load ``comes`` comes meanwhile.
        """
        there = number[: int(np.searchsorted(-number, 0.0))]
        n = np.arange(1.0, len(there))
        weights = n * there[1:]
        if self.higher[queue]:
            self.coming[queue] += part * comes
        else:
            weights = np.cumsum(there[::-1])[::-1][1:] ** 2 / there[1:]
        times = work / np.minimum(n, self.cores[queue])
        self.clearing[queue] += part * float(weights @ times)
