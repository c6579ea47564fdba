"""An option on trial: applied, solved again, and taken or rejected with a reason."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.configuration.schema import Configuration
from advisor.findings.records import Advice, Finding, Option
from advisor.planning.effects import effects, why_rejected
from advisor.planning.trades import trade
from advisor.predicting.outlook import Prediction
from advisor.predicting.prediction import predict
from advisor.predicting.workload import members_of
from qmodel.errors import FileError, NotConverged, Unstable


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
        range in which it is known to hold, is worse, or brings nothing that could be measured. A
        trade where it is for something else than speed and costs response time.
    """
    try:
        after = option.change.apply(configuration)
        changed = predict(after)
    except FileError as error:
        why = f"{error.key}: {error.problem}" if error.key else error.problem
        return Advice(rule, finding, option, (), None, why, "not buildable")
    except Unstable as unstable:
        why = f"there would be no steady state: {unstable}"
        return Advice(rule, finding, option, (), None, why, "no steady state")
    except NotConverged as error:
        return Advice(rule, finding, option, (), None, f"no answer was found: {error}", "no answer")
    found = tuple(effects(now, changed))
    busiest = max(changed.outlook.resources, key=lambda r: r.utilization.high)
    rejection = why_rejected(option, found)
    return Advice(
        rule=rule,
        finding=finding,
        option=option,
        effect=found,
        risk=(busiest.name, busiest.utilization.high),
        rejected=rejection.why if rejection else "",
        reason=rejection.reason if rejection else None,
        beyond=tuple(beyond(after)),
        trade=None
        if rejection
        else trade(option, found, (configuration, now.outlook), (after, changed.outlook)),
    )


def beyond(configuration: Configuration) -> Iterator[str]:
    """What a prediction of the configuration rests on that was never measured.

    Numbers of users outside those of the fitted runs, for each class whose task was fitted.
    """
    workload = configuration.settings.workload
    if workload.arrival_rate is not None:
        return
    for each in workload.classes:
        measured = [
            fitted.populations
            for member in members_of(configuration)
            for fitted in member.fitted
            if fitted.task.name == each.task_name
        ]
        outside = [m for m in measured if not m[0] <= workload.users <= m[1]]
        if outside:
            low, high = min(m[0] for m in outside), max(m[1] for m in outside)
            yield (
                f"{workload.users} users are extrapolated: {each.name} was measured at {low} to "
                f"{high}"
            )
