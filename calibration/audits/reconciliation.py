"""Least squares behind the laws that tie rates, throughput and population; see THEORY.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import NormalDist, median
from typing import Any

import numpy as np

from calibration.audits.contradiction import Contradiction, Place
from calibration.audits.group import Group
from calibration.audits.measurements import Measurements, judged_by_scatter, measurements

#: A direction is not testable if less than this share of its information is left over.
LEFT_OVER = 1e-6

#: Advantage in the squared size that an effect on many rows needs over a mistake in one.
SYSTEMATIC_PRICE = 4.0

#: Numbers that can be tested before their scatter is told from noise.
LEAST_FOR_SCATTER = 8

#: Mistakes that are named in one group, at most.
MOST = 50


@dataclass(frozen=True, slots=True)
class Direction:
    """A way in which numbers of a group can be wrong together."""

    law: str
    #: Run, column of the measurements and weight.
    entries: tuple[tuple[int, int, float], ...]
    #: Makes a contradiction of it once it is found.
    explain: "Callable[[Shift], Contradiction]" = field(compare=False)
    #: Whether it is an effect of load on a whole series rather than a mistake.
    systematic: bool = False
    #: Whether only a positive shift means anything.
    positive: bool = False


@dataclass(frozen=True, slots=True)
class Shift:
    """A direction along which numbers are shifted, by how much, and how surely."""

    group: Group
    direction: Direction
    #: The shift of a logarithm, and its standard deviation. [1]
    value: float
    deviation: float
    #: Directions that explain the numbers equally well.
    also: tuple[Direction, ...] = ()
    #: What the other numbers say that each measured one should be. [base units]
    expected: dict[tuple[int, int], float] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> float:
        """The shift over its standard deviation. [1]"""
        return abs(self.value) / self.deviation

    @property
    def run(self) -> int:
        """The first run concerned."""
        return self.direction.entries[0][0]

    @property
    def column(self) -> int:
        """The first column concerned."""
        return self.direction.entries[0][1]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the runs that the direction itself concerns, in its order."""
        return tuple(self.group.runs[run].name for run, _, _ in self.direction.entries)

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the numbers of its column stand in those runs."""
        numbers = (self.group.number(run, self.column) for run, _, _ in self.direction.entries)
        return tuple(number.place for number in numbers if number is not None)

    @property
    def runs(self) -> tuple[int, ...]:
        """Runs concerned, those that cannot be told apart included."""
        every = (self.direction, *self.also)
        return tuple(sorted({entry[0] for each in every for entry in each.entries}))


class Reconciliation:
    """The least-squares problem of one group, and the directions that can be tested in it."""

    def __init__(self, group: Group, directions: Sequence[Direction]) -> None:
        self._group = group
        self._measured = measurements(group)
        problem = _Problem(judged_by_scatter(self._measured), ())
        self.directions = tuple(d for d in directions if problem.size(d)[1] > 0.0)

    def scatter(self, found: Sequence[Shift]) -> float | None:
        """How far all numbers lie off over what noise makes of it; None if that cannot be told.

        The median of all tests of one number, so that a few wrong ones do not matter; shifts found
        of many numbers together are taken out. [1]
        """
        wide = [shift.direction for shift in found if len(shift.direction.entries) > 1]
        problem = _Problem(self._measured, wide)
        sizes = [problem.size(d) for d in self.directions if len(d.entries) == 1]
        if len(sizes) < LEAST_FOR_SCATTER or self._group.labelled:
            return None  # of different configurations some scatter is to be expected
        normal = NormalDist().inv_cdf(0.75)
        return median(abs(value) * sqrt(information) for value, information in sizes) / normal

    def shifts(self, threshold: float) -> list[Shift]:
        """Directions that explain more than chance would, the clearest first.

        Each is accepted by its own test; its size and value are then those of all together.
        """
        found: list[Shift] = []
        accepted: tuple[Direction, ...] = ()
        offset: Any = 0.0
        problem = _Problem(judged_by_scatter(self._measured), accepted)
        while len(found) < MOST:
            sizes = [problem.size(d) for d in self.directions]
            if (best := _best(self.directions, sizes, threshold)) is None:
                break
            direction, (value, information) = self.directions[best], sizes[best]
            size = abs(value) * sqrt(information)
            also = tuple(
                d
                for d, (v, i) in zip(self.directions, sizes, strict=True)
                if d is not direction
                and len(d.entries) == len(direction.entries)
                and abs(abs(v) * sqrt(i) - size) < 1e-6 * size
            )
            accepted += (direction,)
            offset = offset + value * problem.vector(direction)
            problem = _Problem(judged_by_scatter(self._measured, offset), accepted)
            found.append(Shift(self._group, direction, value, 1.0 / sqrt(information), also))
        expected = problem.expected()
        return [
            # Where two shifts cannot be told apart the one found first keeps its own estimate.
            replace(shift, value=value, deviation=deviation, expected=expected)
            if deviation > 0.0 and abs(value) > threshold * deviation
            else replace(shift, expected=expected)
            for shift, (value, deviation) in zip(found, problem.together(), strict=True)
        ]


class _Problem:
    """Projections of the weighted least squares, with some directions let free."""

    def __init__(self, measured: Measurements, free: Sequence[Direction]) -> None:
        self._measured = measured
        self._weight = measured.weight
        self._row_weight = np.maximum(self._weight.sum(axis=1), 1e-300)
        self._free = len(free)
        self._design = np.stack([*measured.design, *map(self.vector, free)], axis=-1)
        self._projected = self._project(self._design)
        normal = np.einsum("ikp,ikq->pq", self._design, self._projected)
        own = np.diag(normal)
        scale = np.sqrt(np.where(own > 0.0, own, 1.0))
        scale = np.outer(scale, scale)
        self._inverse = np.linalg.pinv(normal / scale, rcond=1e-9, hermitian=True) / scale
        target = self._project(measured.value[..., None])[..., 0]
        self._solution = self._inverse @ np.einsum("ikp,ik->p", self._design, target)
        self._score = target - self._projected @ self._solution
        leverage = np.einsum("ikp,pq,ikq->ik", self._projected, self._inverse, self._projected)
        alone = self._weight - self._weight**2 / self._row_weight[:, None] - leverage
        alone = np.where(alone > LEFT_OVER * self._weight, alone, 0.0)
        # Plain lists: most directions are of one number, and are looked up one by one.
        self._alone = (self._score.tolist(), alone.tolist())

    def size(self, direction: Direction) -> tuple[float, float]:
        """Estimate of a shift and its information (one over its variance); (0, 0) if none."""
        if len(direction.entries) == 1:
            run, column, weight = direction.entries[0]
            information = self._alone[1][run][column]
            if information == 0.0:
                return 0.0, 0.0
            return self._alone[0][run][column] / information / weight, information * weight**2
        score = information = total = 0.0
        seen: Any = 0.0
        per_run: dict[int, tuple[float, float]] = {}
        for run, column, weight in direction.entries:
            own = self._weight[run, column]
            score += weight * self._score[run, column]
            seen = seen + weight * self._projected[run, column]
            total += own * weight * weight
            mean, square = per_run.get(run, (0.0, 0.0))
            per_run[run] = (mean + own * weight, square + own * weight * weight)
        for run, (mean, square) in per_run.items():
            information += square - mean * mean / self._row_weight[run]
        if total == 0.0:
            return 0.0, 0.0
        information -= float(seen @ self._inverse @ seen)
        if information <= LEFT_OVER * total:
            return 0.0, 0.0
        return float(score / information), float(information)

    def together(self) -> list[tuple[float, float]]:
        """Estimate and standard deviation of each shift let free, all of them at once."""
        if not self._free:
            return []
        values = self._solution[-self._free :].tolist()
        variances = self._inverse.diagonal()[-self._free :].tolist()
        return [(value, sqrt(max(v, 0.0))) for value, v in zip(values, variances, strict=True)]

    def expected(self) -> dict[tuple[int, int], float]:
        """Every measured number as the others imply it, the shifts let free taken out."""
        fitted = self._design @ self._solution
        residual = self._measured.value - fitted
        throughput = (self._weight * residual).sum(axis=1) / self._row_weight
        kept = fitted
        if self._free:
            kept = fitted - self._design[..., -self._free :] @ self._solution[-self._free :]
        numbers = np.exp(kept + throughput[:, None])
        rows, columns = np.nonzero(self._weight)
        return {
            (i, k): float(numbers[i, k] * self._measured.factor[i, k])
            for i, k in zip(rows.tolist(), columns.tolist(), strict=True)
        }

    def _project(self, values: Any) -> Any:
        """Take out of each run what its own throughput explains, and weigh."""
        mean = (self._weight[..., None] * values).sum(axis=1) / self._row_weight[:, None]
        return self._weight[..., None] * (values - mean[:, None, :])

    def vector(self, direction: Direction) -> Any:
        """The direction as an array like the measurements."""
        vector = np.zeros_like(self._weight)
        for run, column, weight in direction.entries:
            vector[run, column] = weight
        return vector


def _best(
    directions: Sequence[Direction], sizes: Sequence[tuple[float, float]], threshold: float
) -> int | None:
    """The direction that explains most, an effect on many rows paying for it."""
    best, most = None, 0.0
    for index, (direction, (value, information)) in enumerate(zip(directions, sizes, strict=True)):
        square = value * value * information
        if square <= threshold**2 or (direction.positive and value < 0.0):
            continue
        score = square - (SYSTEMATIC_PRICE if direction.systematic else 0.0)
        if score > most * (1.0 + 1e-9):
            best, most = index, score
    return best
