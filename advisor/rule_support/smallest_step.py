"""The smallest of several steps that is enough: for the targets, or to be below a threshold."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.configuration.changes import Settings
from advisor.findings.targets import missed, promised
from advisor.findings.words import percent
from advisor.predicting.outlook import WITHOUT_OUTLOOK, Outlook
from advisor.rule_support.rule import Case

_NAMES = {"disk": "every drive"}


@dataclass(frozen=True, slots=True)
class SmallestStep:
    """A step of a ladder, and what it is enough for."""

    #: Which step, from 0.
    place: int
    #: What it is enough for, as in "to meet the targets"; empty if no step is enough.
    enough: str


def smallest_step(
    case: Case, steps: Sequence[Settings], resource: str, threshold: float, moves: Settings = (),
    *, ordered: bool = True,
) -> SmallestStep:  # fmt: skip
    """The first step that meets the targets, or takes a resource below a threshold; else the first.

    Targets that this resource has no part in, such as the utilization of another one, are left to
    other rules. Where the targets are met as it is, or no step meets them, the threshold decides.
    Steps go from the smallest to the largest; ``ordered`` if all beyond one that is enough
    are. ``moves`` are made first, such as batch tasks that leave the peak.
    """

    def holds(step: Settings, condition: Callable[[Outlook], bool]) -> bool:
        try:
            return condition(case.outlook_with((*moves, *step)))
        except WITHOUT_OUTLOOK:
            return False

    def on_target(outlook: Outlook) -> bool:
        here = (f"utilization of {resource}",)
        late = missed(case.configuration, outlook)
        return not any(each.unit == "s" or each.what in here for each in late)

    def below(outlook: Outlook) -> bool:
        return outlook.resource(resource).utilization.mid < threshold

    beyond = ""
    if promised(case.configuration) and not holds((), on_target):
        place = _first(steps, lambda step: holds(step, on_target), ordered=ordered)
        if place is not None:
            return SmallestStep(place, "to meet the targets")
        beyond = "; nothing tried meets the targets"
    place = _first(steps, lambda step: holds(step, below), ordered=ordered)
    if place is not None:
        what = _NAMES.get(resource, resource)
        return SmallestStep(place, f"to keep {what} below {percent(threshold)}{beyond}")
    return SmallestStep(0, "")


def _first(
    steps: Sequence[Settings], enough: Callable[[Settings], bool], *, ordered: bool
) -> int | None:
    """Place of the first step that is enough, None if none is; ordered ones by bisection."""
    if not ordered:
        return next((place for place, step in enumerate(steps) if enough(step)), None)
    if not steps or not enough(steps[-1]):
        return None
    return bisect_left(steps[:-1], True, key=enough)
