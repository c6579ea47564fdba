"""The engine: asks every rule, and the model about every option."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from advisor.advice import (
    LEVELS,
    Advice,
    Effect,
    Finding,
    Located,
    Option,
    Review,
    Skipped,
)
from advisor.case import Case
from advisor.config import Configuration
from advisor.outlook import Outlook, Prediction, outlook, predict
from advisor.rule import NothingToGoBy, Rule
from advisor.rules import RULES
from advisor.workload import system_of
from calibration.ensemble import combine

#: A response time that grows by more than this is worse; less is inside the model's own error.
WORSE = 0.01
#: An effect below this changes nothing that anybody could measure: replicates differ by 1 %.
NOTICEABLE = 0.01
_EFFORT = ("setting", "schedule", "part", "server")


def case_of(configuration: Configuration) -> Case:
    """All that rules may see of a configuration."""
    now = predict(configuration)
    return Case(
        configuration=configuration,
        system=system_of(configuration),
        outlook=now.outlook,
        alone=outlook(configuration, batch=False),
        tasks=now.ways[0].tasks,
        most_users=lambda condition: _most_users(configuration, condition),
    )


def review(configuration: Configuration, rules: Sequence[Rule] = RULES) -> Review:
    """Ask every rule, solve every option, and rank what helps.

    Parameters
    ----------
    configuration : Configuration
        From `advisor.load_config`.
    rules : sequence of Rule
        The rules to ask.

    Returns
    -------
    Review
        Findings by level; advice by effect; options that the model says are worse, or that
        change nothing, with the reason; rules that had nothing to go by.
    """
    case = case_of(configuration)
    now = predict(configuration)
    findings: list[Located] = []
    skipped: list[Skipped] = []
    advice: list[Advice] = []
    for rule in rules:
        try:
            found = list(rule.check(case))
        except NothingToGoBy as nothing:
            skipped.append(Skipped(rule.code, nothing.state, str(nothing)))
            continue
        for finding in found:
            line = configuration.line(finding.key)
            findings.append(Located(rule.code, rule.slug, finding, line))
            advice.extend(
                _advice(rule, finding, option, configuration, now) for option in finding.options
            )
    findings.sort(key=lambda each: LEVELS.index(each.finding.level))
    return Review(
        configuration=configuration,
        outlook=case.outlook,
        alone=case.alone,
        findings=tuple(findings),
        advice=tuple(sorted((a for a in advice if not a.rejected), key=_rank)),
        rejected=tuple(a for a in advice if a.rejected),
        skipped=tuple(skipped),
        notes=case.system.notes if case.system else (),
    )


def _advice(
    rule: Rule, finding: Finding, option: Option, configuration: Configuration, now: Prediction
) -> Advice:
    changed = predict(option.change.apply(configuration))
    effects = tuple(_effects(now, changed))
    busiest = max(changed.outlook.resources, key=lambda r: r.utilization.high)
    return Advice(
        rule=rule.code,
        finding=finding,
        option=option,
        effect=effects,
        risk=(busiest.name, busiest.utilization.high),
        rejected=_why_rejected(option, effects),
    )


def _effects(before: Prediction, after: Prediction) -> Iterator[Effect]:
    """Response time of each class of users, then utilization of each resource."""
    users = [c.name for c in before.outlook.classes if not c.batch]
    for c, name in enumerate(users):
        yield _effect(
            before, after, f"response time of {name}", "s", lambda p, i, c=c: p.times[i][c]
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


def _why_rejected(option: Option, effects: Sequence[Effect]) -> str:
    times = [e for e in effects if e.unit == "s"]
    worst = max(times, key=lambda e: e.change.mid)
    if worst.change.mid > WORSE:
        return f"{worst.metric} would grow by {worst.change.mid:.1%}"
    best = min(effects, key=lambda e: e.change.mid)
    if not option.benefit and best.change.mid > -NOTICEABLE:
        return f"changes nothing that could be measured ({best.metric} {best.change.mid:+.1%})"
    return ""


def _rank(advice: Advice) -> tuple[float, ...]:
    """Failures that were measured first, then the largest cut in the users' response time."""
    failure = advice.finding.level == "error" and bool(advice.option.benefit)
    return (
        0.0 if failure else 1.0,
        round(advice.effect[0].change.mid, 3),
        float(LEVELS.index(advice.finding.level)),
        float(_EFFORT.index(advice.option.effort)),
    )


def _most_users(configuration: Configuration, condition: Callable[[Outlook], bool]) -> int:
    """Largest number of users, up to the configured one, that meets a condition."""

    @cache
    def met(users: int) -> bool:
        return condition(outlook(configuration.with_users(users), batch=False))

    low, high = 0, configuration.settings.workload.users
    if met(high):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if met(middle) else (low, middle)
    return low
