"""What a change does: two predictions held against each other, calibration by calibration."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from advisor.advice import Effect
from advisor.outlook import Prediction
from calibration.ensemble import combine

#: An effect below this changes nothing that anybody could measure: replicates differ by 1 %.
NOTICEABLE = 0.01


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
            before, after, f"response time of {each.name}", "s", lambda p, i, c=c: p.times[i][c]
        )
    for resource in before.outlook.resources:
        if resource.name != "unseen":
            yield _effect(
                before,
                after,
                f"utilization of {resource.name}",
                "1",
                lambda p, i, name=resource.name: p.utilizations[i][name],
            )


def _effect(
    before: Prediction,
    after: Prediction,
    metric: str,
    unit: str,
    value: Callable[[Prediction, int], float],
) -> Effect:
    indices = range(len(before.ways))
    old = [value(before, i) for i in indices]
    new = [value(after, i) for i in indices]
    # Each calibration against itself: what it does not know, it does not know twice.
    relative = [n / o - 1.0 if o else 0.0 for o, n in zip(old, new, strict=True)]
    own = {w.member: r for w, r in zip(before.ways, relative, strict=True) if w.axis == 0}
    middle = sum(own.values()) / len(own)
    return Effect(
        metric,
        unit,
        combine(before.ways, old),
        combine(after.ways, new),
        combine(before.ways, relative),
        tuple(m for m, r in own.items() if r * middle < 0 and abs(r) > NOTICEABLE),
    )
