"""What several comparisons of models with published numbers share."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from calibration.agreements.comparison import Comparison, Status, for_one_more
from calibration.agreements.ensemble import Variant
from calibration.agreements.fitted_formula import FittedLaw, Law, Point, fit_law
from calibration.agreements.published import Published
from calibration.estimation.interval import Range
from calibration.systems.domino85.runs import METRICS, deviation

T = TypeVar("T")
At = TypeVar("At")


def by_status(fitted: Iterable[T], held_out: Iterable[T]) -> Iterator[tuple[Status, T]]:
    """What a fit saw and then what none saw, each with its status."""
    for each in fitted:
        yield "fitted", each
    for each in held_out:
        yield "held out", each


def with_ends(
    ways: Sequence[Variant], middle: T, *unknown: Sequence[T]
) -> tuple[tuple[Variant, T], ...]:
    """Each variant with what is known, and for each thing that is not one more axis to its ends."""
    last = max(way.axis for way in ways)
    return (
        *((way, middle) for way in ways),
        *(
            (replace(way, axis=last + 1 + i), end)
            for way in ways
            if way.axis == 0
            for i, ends in enumerate(unknown)
            for end in ends
        ),
    )


def left_out(law: Law[At], points: Sequence[Point[At]]) -> tuple[FittedLaw[At], ...]:
    """The law fitted without each point in turn."""
    return tuple(
        fit_law(law, [other for other in points if other is not point]) for point in points
    )


def compared(number: Published, metric: str, predicted: Range, **more: Any) -> Comparison:
    """A number of one server's mail against its prediction from another run."""
    name, noise = METRICS[metric]
    interval = for_one_more(predicted, deviation(number, predicted.mid, noise))
    return Comparison(published=number, subject="mail", metric=name, predicted=interval, **more)


def by_member(ways: Sequence[Variant], values: Sequence[float]) -> tuple[tuple[str, float], ...]:
    """What each member says at its centre."""
    pairs = zip(ways, values, strict=True)
    return tuple((way.member, value) for way, value in pairs if way.axis == 0)
