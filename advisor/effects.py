"""What a change does: two predictions held against each other, calibration by calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.advice import Effect
from advisor.outlook import Prediction
from calibration.ensemble import Variant, combine

#: An effect below this changes nothing that anybody could measure: replicates differ by 1 %.
NOTICEABLE = 0.01

#: One number for each variant.
Values = tuple[Sequence[Variant], Sequence[float]]


def effects(before: Prediction, after: Prediction) -> Iterator[Effect]:
    """Response time of each class of users at work, then utilization of each resource.

    Parameters
    ----------
    before, after : Prediction
        Of two configurations with the same classes of users.
    """
    after_classes = after.outlook.classes
    for c, each in enumerate(before.outlook.classes):
        if each.batch or not each.population or not after_classes[c].population:
            continue
        yield _effect(
            f"response time of {each.name}",
            "s",
            (before.ways, [times[c] for times in before.times]),
            (after.ways, [times[c] for times in after.times]),
        )
    for resource in before.outlook.resources:
        if resource.name != "unseen":
            yield _effect(
                f"utilization of {resource.name}",
                "1",
                (before.ways, [u[resource.name] for u in before.utilizations]),
                (after.ways, [u[resource.name] for u in after.utilizations]),
            )


def _effect(metric: str, unit: str, before: Values, after: Values) -> Effect:
    (ways, old), (_, new) = before, after
    # Each calibration against itself: what it does not know, it does not know twice.
    relative = [n / o - 1.0 if o else 0.0 for o, n in zip(old, new, strict=True)]
    own = {w.member: r for w, r in zip(ways, relative, strict=True) if w.axis == 0}
    middle = sum(own.values()) / len(own)
    return Effect(
        metric,
        unit,
        combine(ways, old),
        combine(ways, new),
        combine(ways, relative),
        tuple(m for m, r in own.items() if r * middle < 0 and abs(r) > NOTICEABLE),
    )
