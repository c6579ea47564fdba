"""Predictions of a configuration with changes made one after the other, each solved once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.findings.records import Advice, Missed
from advisor.findings.targets import missed, most_missed
from advisor.planning.rejection import without_answer
from advisor.predicting.outlook import WITHOUT_OUTLOOK, Prediction
from advisor.predicting.prediction import predict
from qmodel.errors import Unstable


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
        return missed(self.start, reached.outlook)

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
