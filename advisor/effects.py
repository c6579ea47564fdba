"""What a change does: two predictions held against each other, calibration by calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.advice import Effect, Option
from advisor.outlook import Prediction
from calibration.evidence.ensemble import Variant, combine, combine_changes

#: An effect below this changes nothing that anybody could measure: replicates differ by 1 %.
NOTICEABLE = 0.01

#: A response time that grows by more than this is worse; less is inside the model's own error.
WORSE = 0.01

#: One number for each variant.
Values = tuple[Sequence[Variant], Sequence[float]]


def effects(before: Prediction, after: Prediction) -> Iterator[Effect]:
    """Response time of each class of users at work, then utilization of each resource.

    Parameters
    ----------
    before, after : Prediction
        Of two configurations with the same classes of users.
    """
    there = {c.name for c in after.outlook.classes}
    for each in before.outlook.classes:
        if each.batch or each.name not in there:
            continue
        yield _effect(
            f"response time of {each.name}",
            "s",
            (before.ways, [times[each.name] for times in before.times]),
            (after.ways, [times[each.name] for times in after.times]),
            weight=each.throughput.mid,
        )
    for resource in before.outlook.resources:
        if resource.name != "unseen":
            yield _effect(
                f"utilization of {resource.name}",
                "1",
                (before.ways, [u[resource.name] for u in before.utilizations]),
                (after.ways, [u[resource.name] for u in after.utilizations]),
                most=1.0,
            )


def _effect(
    metric: str,
    unit: str,
    before: Values,
    after: Values,
    most: float = float("inf"),
    weight: float = 0.0,
) -> Effect:
    (ways, old), (_, new) = before, after
    # Each calibration against itself: what it does not know, it does not know twice.
    relative = [n / o - 1.0 if o else 0.0 for o, n in zip(old, new, strict=True)]
    own = {w.member: r for w, r in zip(ways, relative, strict=True) if w.axis == 0}
    middle = sum(own.values()) / len(own)
    return Effect(
        metric,
        unit,
        combine(ways, old, most),
        combine(ways, new, most),
        combine_changes(ways, relative),
        tuple(m for m, r in own.items() if r * middle < 0 and abs(r) > NOTICEABLE),
        weight,
    )


def felt(found: Sequence[Effect]) -> float:
    """What users feel: relative change of the response time, classes weighted by interactions."""
    times = [e for e in found if e.unit == "s"]
    weights = [e.weight for e in times]
    return sum(w * e.change.mid for w, e in zip(weights, times, strict=True)) / sum(weights)


def why_rejected(option: Option, found: Sequence[Effect]) -> str:
    """Why an option with these effects is not worth taking; empty if it is.

    It is not if it makes some class of users wait longer by more than the model's own error, or
    if it changes nothing that anybody could measure and ends no failure the model cannot see.
    """
    times = [e for e in found if e.unit == "s"]
    worst = max(times, key=lambda e: e.change.mid)
    if worst.change.mid > WORSE:
        price = f"{worst.metric} would grow by {worst.change.mid:.1%}"
        return f"{price}; for that, {option.benefit}" if option.benefit else price
    if option.benefit or min(e.change.mid for e in times) <= -NOTICEABLE:
        return ""
    busy = [e for e in found if e.unit == "1"]
    best = min(busy, key=lambda e: e.after.mid - e.before.mid)
    points = best.after.mid - best.before.mid
    if points <= -NOTICEABLE:
        return ""
    return (
        f"changes nothing that could be measured (response times {felt(found):+.1%}, "
        f"{best.metric} {points * 100:+.1f} points)"
    )
