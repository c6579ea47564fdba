"""Agreement: predictions held against published numbers, next to the naive baselines."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from calibration.agreements.comparison import STATUSES, Comparison, Status
from calibration.agreements.system import System


@dataclass(frozen=True, slots=True)
class Summary:
    """Comparisons of one subject, metric, case and status: mean absolute relative errors."""

    #: What they have in common.
    subject: str
    metric: str
    case: str
    status: Status
    #: How many.
    count: int
    #: Mean and largest absolute relative error. [1]
    error: float
    worst: float
    #: Mean absolute relative error of each rival model and naive baseline that predicts all.
    by_model: tuple[tuple[str, float], ...]
    baselines: tuple[tuple[str, float], ...]
    #: Numbers in their 90 % intervals.
    inside: int
    #: Median half-width of the intervals over the prediction. [1]
    half_width: float
    #: Numbers at which the model is known to fail; they count in everything above.
    known_failures: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many numbers of one status lie in their intervals, and how wide these are.

    Limits, such as "under 21 %", are counted apart: any interval would do for them.
    """

    #: Whether a fit saw the numbers.
    status: Status
    #: Numbers, and those in their intervals.
    count: int
    inside: int
    #: Mean absolute relative error, and median half-width of the intervals over the
    #: prediction. [1]
    error: float
    half_width: float
    #: Numbers at which the model is known to fail; they count in all of the above.
    known_failures: int
    #: The error without them. [1]
    error_but_failures: float
    #: Limits, and those that the prediction keeps.
    limits: int
    limits_kept: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """All comparisons of a system."""

    system: System
    comparisons: tuple[Comparison, ...]

    def summaries(self) -> tuple[Summary, ...]:
        """Errors by subject, metric, case and status, limits left out."""
        return tuple(
            _summary(rows)
            for rows in _grouped(
                (c for c in self.comparisons if not c.published.is_limit),
                lambda c: (c.subject, c.metric, c.case, c.status),
            )
        )

    def coverage(self) -> tuple[Coverage, ...]:
        """Coverage and width of the intervals, by status."""
        return coverage(self.comparisons)


def agreement(system: System) -> Agreement:
    """Predict every published number of a system that its models can speak to, and compare.

    Examples
    --------
    >>> from calibration.systems import load_system
    >>> found = agreement(load_system("notes31"))
    >>> [(s.metric, s.count) for s in found.summaries() if s.status == "held out"][:3]
    [('completion time', 3), ('utilization', 3), ('LAN volume', 3)]
    """
    return Agreement(system, tuple(system.compare()))


def coverage(comparisons: Sequence[Comparison]) -> tuple[Coverage, ...]:
    """Coverage and width of the intervals of any comparisons, by status."""
    return tuple(
        _coverage(status, rows)
        for status in STATUSES
        if (rows := [c for c in comparisons if c.status == status])
    )


def unseen(comparisons: Sequence[Comparison]) -> Coverage | None:
    """Coverage of all numbers that the fit behind their prediction did not see."""
    rows = [c for c in comparisons if c.status != "fitted"]
    return _coverage("held out", rows) if rows else None


def _coverage(status: Status, rows: Sequence[Comparison]) -> Coverage:
    numbers = [c for c in rows if not c.published.is_limit]
    limits = [c for c in rows if c.published.is_limit]
    others = [c for c in numbers if not c.known_failure]
    return Coverage(
        status=status, count=len(numbers), inside=sum(c.inside for c in numbers),
        error=_mean_error(numbers),
        half_width=median(c.half_width for c in numbers) if numbers else 0.0,
        known_failures=len(numbers) - len(others), error_but_failures=_mean_error(others),
        limits=len(limits), limits_kept=sum(c.inside for c in limits),
    )  # fmt: skip


def _mean_error(rows: Sequence[Comparison]) -> float:
    return fmean(abs(c.error) for c in rows) if rows else 0.0


def _summary(rows: Sequence[Comparison]) -> Summary:
    errors = [abs(c.error) for c in rows]
    first = rows[0]
    return Summary(
        subject=first.subject, metric=first.metric, case=first.case, status=first.status,
        count=len(rows), error=fmean(errors), worst=max(errors),
        by_model=_mean_errors(rows, [c.by_model for c in rows]),
        baselines=_mean_errors(rows, [c.baselines for c in rows]),
        inside=sum(c.inside for c in rows), half_width=median(c.half_width for c in rows),
        known_failures=sum(bool(c.known_failure) for c in rows),
    )  # fmt: skip


def _mean_errors(
    rows: Sequence[Comparison], predictions: Sequence[tuple[tuple[str, float], ...]]
) -> tuple[tuple[str, float], ...]:
    """Mean absolute relative error of each named prediction that every row has."""
    named = [dict(each) for each in predictions]
    return tuple(
        (name, fmean(abs(c.error_of(each[name])) for c, each in zip(rows, named, strict=True)))
        for name, _ in predictions[0]
        if all(name in each for each in named)
    )


def _grouped(
    comparisons: Iterable[Comparison], key: Callable[[Comparison], tuple[str, ...]]
) -> list[list[Comparison]]:
    """Comparisons with the same key, in order of first appearance."""
    groups: dict[tuple[str, ...], list[Comparison]] = {}
    for each in comparisons:
        groups.setdefault(key(each), []).append(each)
    return list(groups.values())
