"""What a change does: two predictions held against each other, calibration by calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.findings.records import Effect, Option, Reason
from advisor.findings.words import percent, points, signed
from advisor.predicting.outlook import Prediction
from advisor.predicting.variant_pairs import variant_pairs
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
    (ways, old), (ways_after, new) = before, after
    # Each calibration against itself: what it does not know, it does not know twice.
    pairs = variant_pairs(ways, ways_after)
    relative = [new[j] / old[i] - 1.0 if old[i] else 0.0 for _, i, j in pairs]
    own = {w.member: r for (w, _, _), r in zip(pairs, relative, strict=True) if w.axis == 0}
    middle = sum(own.values()) / len(own)
    return Effect(
        metric,
        unit,
        combine(ways, old, most),
        combine(ways_after, new, most),
        combine_changes([way for way, _, _ in pairs], relative),
        tuple(m for m, r in own.items() if r * middle < 0 and abs(r) > NOTICEABLE),
        weight,
    )


def felt(found: Sequence[Effect]) -> float:
    """What users feel: relative change of the response time, classes weighted by interactions."""
    times = [e for e in found if e.unit == "s"]
    weights = [e.weight for e in times]
    return sum(w * e.change.mid for w, e in zip(weights, times, strict=True)) / sum(weights)


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why an option that was tried is not recommended: the kind of reason, and in words."""

    reason: Reason
    why: str


def why_rejected(option: Option, found: Sequence[Effect]) -> Rejection | None:
    """Why an option with these effects is not worth taking; None if it is.

    It is not if the server lies outside the range in which it is known to hold, if it makes some
    class of users wait longer by more than the model's own error, or if it changes nothing that
    anybody could measure and ends no failure the model cannot see. What is for something else than
    speed is never rejected for being slower: it is a trade then, see `advisor.planning.trades`.
    """
    if option.outside:
        return Rejection("outside range", option.outside)
    if option.benefit:
        return None
    if longer := waits_longer(found):
        grows = f"{longer.metric} would grow by {percent(longer.change.mid)}"
        return Rejection("worse", grows)
    times = [e for e in found if e.unit == "s"]
    if min(e.change.mid for e in times) <= -NOTICEABLE:
        return None
    busy = [e for e in found if e.unit == "1"]
    best = min(busy, key=lambda e: e.after.mid - e.before.mid)
    if best.after.mid - best.before.mid <= -NOTICEABLE:
        return None
    return Rejection(
        "too small",
        f"changes nothing that could be measured (response times {signed(felt(found))}, "
        f"{best.metric} {points(best.before.mid, best.after.mid)})",
    )


def waits_longer(found: Sequence[Effect]) -> Effect | None:
    """The response time that grows most, if by more than the model's own error."""
    worst = max((e for e in found if e.unit == "s"), key=lambda e: e.change.mid)
    return worst if worst.change.mid > WORSE else None
