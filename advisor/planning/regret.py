"""Regret: what a plan costs in response time if another admissible calibration is the true one.

Each calibration alone would choose a plan. Every plan so found is held against the others in the
world of every calibration; what it is longer there than the best of them is its regret (L. J.
Savage, Journal of the American Statistical Association 46(253), 1951, pp. 55-67).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from advisor.configuration.changes import Change
from advisor.findings.plan_records import Regret
from advisor.findings.records import Advice
from advisor.predicting.outlook import Prediction
from calibration.agreements.ensemble import combine

#: Models of a calibration that plans are made for.
MODELS = 6


class Predictions(Protocol):
    """Whatever knows the prediction after some changes."""

    def prediction(self, changes: tuple[Change, ...]) -> Prediction | str:
        """Of the configuration with the changes made, or why there is none."""
        ...


def members(prediction: Prediction) -> tuple[str, ...]:
    """The admissible calibrations, of many models those that count most; none if it is but one."""
    found = {way.member: way.weight or 0.0 for way in prediction.ways}
    most = sorted(found, key=lambda name: -found[name])[:MODELS]
    return tuple(name for name in found if name in most) if len(found) > 1 else ()


def regrets(
    now: Prediction,
    solved: Predictions,
    chosen: Sequence[Advice],
    plans: Mapping[str, Sequence[Advice]],
) -> tuple[Regret, ...]:
    """The chosen plan and the others considered, in the world of each calibration.

    ``now`` says how often each class waits; ``plans`` has the steps that each calibration alone
    would choose, and is empty for a single one.
    """
    if not plans:
        return ()
    # The order of the steps is no matter here: the last to be named stands for the same set.
    every = {_set(steps): tuple(steps) for steps in ((), *plans.values(), chosen)}
    times: dict[frozenset[Change], dict[str, float]] = {}
    for changes, steps in every.items():
        after = solved.prediction(tuple(a.option.change for a in steps))
        if not isinstance(after, str):
            times[changes] = {m: mean_time(now, after, m) for m in plans}
    best = {m: min(each[m] for each in times.values()) for m in plans}
    found = [
        Regret(
            steps=tuple(a.option.change.title for a in every[changes]),
            chosen=changes == _set(chosen),
            best_for=tuple(m for m, steps in plans.items() if _set(steps) == changes),
            times=tuple(mine.items()),
            regrets=tuple((m, time / best[m] - 1.0) for m, time in mine.items()),
        )
        for changes, mine in times.items()
    ]
    return tuple(sorted(found, key=lambda r: (not r.chosen, r.worst[1])))


def mean_time(now: Prediction, after: Prediction, member: str) -> float:
    """Mean response time of the users by one calibration, weighted by how often they wait. [s]"""
    (way,) = (i for i, w in enumerate(now.ways) if (w.member, w.axis) == (member, 0))
    (then,) = (i for i, w in enumerate(after.ways) if (w.member, w.axis) == (member, 0))
    total = weights = 0.0
    for each in now.outlook.classes:
        if not each.batch:
            weight = now.throughputs[way][each.name]
            total += weight * after.times[then][each.name]
            weights += weight
    return total / weights


def seen_by(prediction: Prediction, member: str) -> Prediction:
    """A prediction as one calibration alone makes it; the same where none is named."""
    if not member:
        return prediction
    mine = [i for i, way in enumerate(prediction.ways) if way.member == member]
    ways = tuple(prediction.ways[i] for i in mine)
    tails = tuple(prediction.tails[i] for i in mine)
    times, throughputs, utilizations, queues = (
        tuple(values[i] for i in mine)
        for values in (
            prediction.times,
            prediction.throughputs,
            prediction.utilizations,
            prediction.queue_lengths,
        )
    )
    outlook = prediction.outlook
    classes = tuple(
        replace(
            each,
            response_time=combine(ways, [t[each.name] for t in times]),
            throughput=combine(ways, [x[each.name] for x in throughputs]),
            tails=tuple(
                (share, combine(ways, [t[each.name, share] for t in tails]))
                for share, _ in each.tails
            ),
        )
        for each in outlook.classes
    )
    resources = tuple(
        replace(
            each,
            utilization=combine(ways, [u[each.name] for u in utilizations], 1.0),
            queue_length=combine(ways, [q[each.name] for q in queues]),
        )
        for each in outlook.resources
    )
    return Prediction(
        replace(
            outlook,
            classes=classes,
            resources=resources,
            by_member=tuple(each for each in outlook.by_member if each[0] == member),
            hidden=tuple(each for each in outlook.hidden if each == member),
        ),
        ways,
        times,
        utilizations,
        throughputs,
        queues,
        tails,
    )


def _set(steps: Sequence[Advice]) -> frozenset[Change]:
    return frozenset(each.option.change for each in steps)
