"""An option on trial: applied, solved again, and taken or rejected with a reason."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.configuration.configuration import Configuration
from advisor.findings.records import Advice, Finding, Option
from advisor.findings.targets import missed, most_missed, promised
from advisor.planning.effects import effects
from advisor.planning.rejection import served, trade, why_rejected, without_answer
from advisor.predicting.outlook import WITHOUT_OUTLOOK, Prediction
from advisor.predicting.prediction import predict
from advisor.predicting.workload import measured_loads
from qmodel.errors import Unstable


def tried(
    rule: str, finding: Finding, option: Option, configuration: Configuration, now: Prediction
) -> Advice:
    """What an option brings, by solving the changed configuration.

    Parameters
    ----------
    rule : str
        Code of the rule that proposes it.
    finding : Finding
        Why.
    option : Option
        What.
    configuration : Configuration
        As it is.
    now : Prediction
        Of ``configuration``.

    Returns
    -------
    Advice
        Rejected, with the reason, where it cannot be built, has no steady state, lies outside the
        range in which it is known to hold, is worse, or brings nothing that could be measured; not
        where it ends a missed target and causes no new one. A trade where it is for something else
        than speed and costs response time.
    """
    try:
        after = option.change.apply(configuration)
        changed = predict(after)
        if changed.unstable:
            raise Unstable(changed.unstable)
    except WITHOUT_OUTLOOK as error:
        rejection = without_answer(error)
        return Advice(rule, finding, option, (), None, rejection.why, rejection.reason)
    found = tuple(effects(now, changed, most_missed(configuration, now.outlook)))
    busiest = max(changed.outlook.resources, key=lambda r: r.utilization.high)
    then = missed(configuration, changed.outlook)
    targets = served(missed(configuration, now.outlook), then)
    rejected = why_rejected(option, found, targets)
    return Advice(
        rule=rule,
        finding=finding,
        option=option,
        effect=found,
        risk=(busiest.name, busiest.utilization.high),
        rejected=rejected.why if rejected else "",
        reason=rejected.reason if rejected else None,
        beyond=tuple(beyond(after)),
        trade=None
        if rejected
        else trade(option, found, targets, then, promised=promised(configuration)),
        ends=targets.ended if targets.serves and not rejected else (),
    )


def beyond(configuration: Configuration) -> Iterator[str]:
    """What a prediction of the configuration rests on that was never measured.

    Loads outside those of the fitted runs, for each class whose task was fitted.
    """
    workload = configuration.settings.workload
    load, unit = float(workload.users), "users"
    if workload.arrival_rate is not None:
        load, unit = workload.arrival_rate, "requests/s"
    for each in workload.classes:
        measured = measured_loads(configuration).get(each.task_name, [])
        outside = [m for m in measured if not m[0] * (1 - 1e-9) <= load <= m[1] * (1 + 1e-9)]
        if outside:
            low, high = min(m[0] for m in outside), max(m[1] for m in outside)
            fitted = f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}"
            yield f"{load:.6g} {unit} are extrapolated: {each.name} was measured at {fitted}"
