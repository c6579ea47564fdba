"""An option on trial: applied, solved again, and taken or rejected with a reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.findings.records import Advice, Finding, Missed, Option
from advisor.findings.targets import missed, most_missed, promised
from advisor.planning.effects import effects
from advisor.planning.rejection import served, trade, why_rejected, without_answer
from advisor.predicting.outlook import WITHOUT_OUTLOOK, Prediction
from advisor.predicting.prediction import predict
from advisor.predicting.workload import load_of_one, unmeasured_loads
from qmodel.errors import Unstable


def tried(
    rule: str, finding: Finding, option: Option, configuration: Configuration, now: Prediction
) -> Advice:
    """What an option of a rule's finding brings, by solving the changed configuration.

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
    then = missed(after, changed.outlook)
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
    load, unit = load_of_one(configuration)
    for each, outside in unmeasured_loads(configuration):
        low, high = min(m[0] for m in outside), max(m[1] for m in outside)
        fitted = f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}"
        yield f"{load:.6g} {unit} are extrapolated: {each.name} was measured at {fitted}"


@dataclass(slots=True)
class Solved:
    """Predictions of a configuration with changes made one after the other, each solved once."""

    start: Configuration
    now: Prediction
    known: dict[tuple[Change, ...], Prediction | str] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The class that misses its target by most as it is, empty if none does."""
        return most_missed(self.start, self.now.outlook)

    def missed(self, reached: Prediction) -> tuple[Missed, ...]:
        """The targets that are or may be missed then."""
        changes = next((c for c, each in self.known.items() if each is reached), ())
        return missed(self.configuration(changes), reached.outlook)

    def configuration(self, changes: tuple[Change, ...]) -> Configuration:
        """The configuration with the changes made."""
        found = self.start
        for change in changes:
            found = change.apply(found)
        return found

    def prediction(self, changes: tuple[Change, ...]) -> Prediction | str:
        """Of the configuration with the changes made, or why there is none."""
        if not changes:
            return self.now
        if changes not in self.known:
            try:
                found = predict(self.configuration(changes))
                if found.unstable:
                    raise Unstable(found.unstable)
                self.known[changes] = found
            except WITHOUT_OUTLOOK as error:
                self.known[changes] = without_answer(error).why
        return self.known[changes]


def changes_of(steps: Sequence[Advice]) -> tuple[Change, ...]:
    """The changes of some steps, in order."""
    return tuple(each.option.change for each in steps)


def keys_of(advice: Advice) -> set[tuple[str | int, ...]]:
    """What an option sets."""
    return {key for key, _ in advice.option.change.settings}
