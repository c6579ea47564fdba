"""How long an entry takes, to its answer and to its end: mean and variance.
Theory and sources: `qmodel/solvers/THEORY.md`, layered/durations.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from scipy.special import gammainc

from qmodel.model.layered_steps import Answer, Choice, Repeat, Step, Steps, Together, Work, works_of
from qmodel.solvers.layered.nodes import Behaviour

#: Points of the integral over the last of several branches, and how far it goes. [deviations]
POINTS, WIDTH = 400, 9.0


class Span(NamedTuple):
    """Mean [s] and variance [s^2] of a time."""

    mean: float
    variance: float

    def then(self, other: "Span") -> "Span":
        """One after the other."""
        return Span(self.mean + other.mean, self.variance + other.variance)

    @property
    def scv(self) -> float:
        """Squared coefficient of variation; 1 where it takes no time. [1]"""
        return self.variance / self.mean**2 if self.mean else 1.0


NOTHING = Span(0.0, 0.0)


class Duration(NamedTuple):
    """From acceptance to the answer, and to the end."""

    answer: Span
    end: Span


class Durations:
    """Durations of entries.

    ``stretch`` is the time at each processor over the demand there; ``calls`` are the times to the
    answer of entries of pools, waits included.
    """

    def __init__(
        self, behaviours: Mapping[str, Behaviour], stretch: Mapping[str | None, float],
        calls: Mapping[str, Span], cores: Mapping[str, int] | None = None,
    ) -> None:  # fmt: skip
        self.behaviours, self.stretch, self.calls = behaviours, stretch, calls
        self.cores = cores or {}
        self.known: dict[str, Duration] = {}

    def of(self, name: str) -> Duration:
        """Of an entry, or of an interaction of users."""
        if name not in self.known:
            behaviour = self.behaviours[name]
            early, end = self._steps(behaviour.steps, behaviour)
            self.known[name] = Duration(end if early is None else early, end)
        return self.known[name]

    def mixed(self, weights: Mapping[str, float]) -> Span:
        """To the end of a mix of entries."""
        return mixed((weight, self.of(name).end) for name, weight in weights.items())

    def _work(self, work: Work, at: Behaviour) -> Span:
        made = at.resolve(work.calls)
        count = sum(made.values())
        time = work.demand / at.speed
        slice_ = (time * self.stretch[at.processor if time else None] + work.think) / (1.0 + count)
        mean = within = square = 0.0
        for other, n in made.items():
            each = self.calls.get(other) or self.of(other).answer
            mean += n * each.mean
            within += n * each.variance
            square += n * each.mean**2
        variance = (1.0 + count) * slice_**2 + within
        if count and not work.fixed:
            one = mean / count
            variance += square - count * one**2 + count * (1.0 + count) * (slice_ + one) ** 2
        return Span((1.0 + count) * slice_ + mean, variance)

    def _steps(self, steps: Steps, at: Behaviour) -> tuple[Span | None, Span]:
        answer, total = None, NOTHING
        for step in steps:
            if isinstance(step, Answer):
                answer = total
                continue
            early, end = self._step(step, at)
            if early is not None:
                answer = total.then(early)
            total = total.then(end)
        return answer, total

    def _step(self, step: Step, at: Behaviour) -> tuple[Span | None, Span]:
        if isinstance(step, Work):
            return None, self._work(step, at)
        if isinstance(step, Repeat):
            _, (mean, variance) = self._steps(step.steps, at)
            y = step.times
            return None, Span(y * mean, y * variance + y * (1.0 + y) * mean**2)
        assert isinstance(step, Choice | Together)
        if isinstance(step, Together):
            parts = [self._steps(branch, at) for branch in step.branches]
            end = last(e for _, e in parts)
            if at.processor is not None:  # all cores together need as long at least
                need = sum(times * work.demand for times, work in works_of((step,))) / at.speed
                end = Span(max(end.mean, need / self.cores.get(at.processor, 1)), end.variance)
            return next((a for a, _ in parts if a is not None), None), end
        parts = [self._steps(branch, at) for _, branch in step.branches]
        shares = [p for p, _ in step.branches]
        end = mixed((p, e) for p, (_, e) in zip(shares, parts, strict=True))
        if all(a is None for a, _ in parts):
            return None, end
        return mixed(
            (p, e if a is None else a) for p, (a, e) in zip(shares, parts, strict=True)
        ), end


def mixed(parts: Iterable[tuple[float, Span]]) -> Span:
    """One of several at random, nothing with what is left of probability 1."""
    first = second = 0.0
    for weight, span in parts:
        first += weight * span.mean
        second += weight * (span.variance + span.mean**2)
    return Span(first, max(0.0, second - first**2))


def last(spans: Iterable[Span]) -> Span:
    """The longest of independent times, by the gamma distributions of their moments."""
    some = [span for span in spans if span.mean > 0.0]
    if len(some) < 2:
        return some[0] if some else NOTHING
    far = max(m + WIDTH * v**0.5 for m, v in some)
    # Finer near 0, where short branches end.
    t = far * (np.arange(POINTS) + 0.5) ** 2 / POINTS**2
    step = far * 2.0 * (np.arange(POINTS) + 0.5) / POINTS**2
    done = np.ones(POINTS)
    for mean, variance in some:
        shape = mean**2 / max(variance, 1e-4 * mean**2)
        done *= gammainc(shape, t * shape / mean)
    left = (1.0 - done) * step
    first, second = float(left.sum()), float(2.0 * t @ left)
    return Span(first, max(0.0, second - first**2))
