"""What a change does: two predictions held against each other, calibration by calibration.

Variants of the two are held each against its like. A change of hardware leaves the variants as they
are; one of tasks may bring uncertain parameters or take some away.
"""

from collections.abc import Iterator, Sequence
from math import inf, isfinite

from advisor.findings.records import Effect
from advisor.predicting.outlook import Prediction
from calibration.agreements.ensemble import Variant, combine, combine_changes
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range
from qmodel.errors import InvalidInput

#: An effect below this changes nothing that anybody could measure: replicates differ by 1 %.
NOTICEABLE = 0.01

#: One number for each variant.
Values = tuple[Sequence[Variant], Sequence[float]]


def effects(before: Prediction, after: Prediction, first: str = "") -> Iterator[Effect]:
    """Response time of each class of users at work, then utilization of each resource.

    ``first`` is the class that comes first; else they are in the order of the configuration.
    """
    there = {c.name for c in after.outlook.classes}
    for each in sorted(before.outlook.classes, key=lambda c: c.name != first):
        if each.batch or each.name not in there:
            continue
        yield _effect(
            f"response time of {each.name}", "s",
            (before.ways, [times[each.name] for times in before.times]),
            (after.ways, [times[each.name] for times in after.times]), weight=each.throughput.mid,
        )  # fmt: skip
    for resource in before.outlook.resources:
        if resource.name != NOT_MEASURED or before.ways[0].weight:
            yield _effect(
                f"utilization of {resource.name}", "1",
                (before.ways, [u[resource.name] for u in before.utilizations]),
                (after.ways, [u[resource.name] for u in after.utilizations]), most=1.0,
            )  # fmt: skip


def _effect(
    metric: str, unit: str, before: Values, after: Values, most: float = inf, weight: float = 0.0
) -> Effect:
    (ways, old), (ways_after, new) = before, after
    # Each calibration against itself: what it does not know, it does not know twice.
    pairs = variant_pairs(ways, ways_after)
    relative = [relative_change(old[i], new[j]) for _, i, j in pairs]
    own = {w.member: r for (w, _, _), r in zip(pairs, relative, strict=True) if w.axis == 0}
    middle = sum(own.values()) / len(own)
    was, will = combine(ways, old, most), combine(ways_after, new, most)
    change = combine_changes([way for way, _, _ in pairs], relative)
    return Effect(
        metric, unit, was, will, with_middle(change, relative_change(was.mid, will.mid)),
        tuple(m for m, r in own.items() if r * middle < 0 and abs(r) > NOTICEABLE), weight,
    )  # fmt: skip


def relative_change(before: float, after: float) -> float:
    """A change over what there was; 0 from nothing, or from what has no bound to the like. [1]"""
    if not before or before == after:
        return 0.0
    return after / before - 1.0


def with_middle(found: Range, middle: float) -> Range:
    """The range of a change, in its middle what the two numbers shown beside it make."""
    if not isfinite(middle):
        return found
    return Range(min(found.low, middle), middle, max(found.high, middle))


def felt(found: Sequence[Effect]) -> float:
    """What users feel: relative change of the response time, classes weighted by interactions."""
    times = [e for e in found if e.unit == "s"]
    weights = [e.weight for e in times]
    return sum(w * e.change.mid for w, e in zip(weights, times, strict=True)) / sum(weights)


#: A variant and where it stands among those before and among those after.
Pairs = Sequence[tuple[Variant, int, int]]


def variant_pairs(before: Sequence[Variant], after: Sequence[Variant]) -> Pairs:
    """Variants of both, each with its like; one without is held against its member itself.

    Raises
    ------
    qmodel.InvalidInput
        If the two do not have the same members.
    """
    if {w.member for w in before} != {w.member for w in after}:
        raise InvalidInput(
            "an alternative with other demands cannot be compared within one calibration; "
            "advise it on its own"
        )
    old, new = _places(before), _places(after)
    found = []
    for key in dict.fromkeys((*old, *new)):
        centre = (key[0], 0, 0)
        i, j = old.get(key, old[centre]), new.get(key, new[centre])
        found.append((before[i] if key in old else after[j], i, j))
    return found


def _places(ways: Sequence[Variant]) -> dict[tuple[str, int, int], int]:
    found: dict[tuple[str, int, int], int] = {}
    for i, way in enumerate(ways):
        side = (way.member, way.axis, 0)
        found[side if side not in found else (way.member, way.axis, 1)] = i
    return found
