"""Findings, options and their predicted effects: what the advisor says, as records."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from math import inf
from typing import Any, Literal

from advisor.configuration.changes import Change, named_key
from advisor.configuration.suppressions import Standing
from calibration.estimation.interval import Range
from qmodel.documents.wording import show_key

Level = Literal["error", "warning", "note"]
#: Gravest first.
LEVELS: tuple[Level, ...] = ("error", "warning", "note")
State = Literal["problem", "symptom", "not-applicable", "no-evidence", "fine"]
Effort = Literal["setting", "schedule", "rebuild", "part", "server"]
#: What an option takes, least first. Those before "part" cost no hardware.
EFFORTS: tuple[Effort, ...] = ("setting", "schedule", "rebuild", "part", "server")
#: How evidence is called that is a load beyond which something holds no longer.
UP_TO = "load up to which"
#: Why an option that was tried is not recommended.
Reason = Literal[
    "worse", "too small", "not buildable", "no steady state", "no answer", "dominated",
    "outside range",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Evidence:
    """A number behind a finding."""

    metric: str
    #: The number, in ``unit``.
    value: float
    #: As printed.
    unit: str
    #: From a source, from the model, or from the configuration.
    how: Literal["measured", "computed", "given"]
    #: The reference, or how it was computed.
    source: str
    #: What it is held against, in ``unit``.
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """A change that a rule proposes; what it brings is for the model to say."""

    change: Change
    #: What speaks for it.
    sources: tuple[str, ...]
    #: What it takes, least first.
    effort: Effort
    side_effects: tuple[str, ...] = ()
    #: Range in which the advice holds.
    valid: str = ""
    #: What the model cannot show, such as failures that were measured; empty if nothing.
    benefit: str = ""
    #: How the server lies outside the range in which this is known to hold; the option is then
    #: tried and listed, and not recommended. Empty if it lies inside.
    outside: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found."""

    #: How grave, what kind, and one sentence.
    level: Level
    state: State
    message: str
    #: Key path in the configuration the finding is about.
    key: tuple[str | int, ...]
    evidence: tuple[Evidence, ...]
    options: tuple[Option, ...] = ()

    @property
    def holds_up_to(self) -> float:
        """The load up to which there is nothing to find, infinite where no evidence names one."""
        return min((e.value for e in self.evidence if e.metric.startswith(UP_TO)), default=inf)


@dataclass(frozen=True, slots=True)
class Effect:
    """What an option does to one metric, by re-solving the model with the change applied."""

    #: What, and in which unit it is printed.
    metric: str
    unit: str
    #: Predicted without and with the change.
    before: Range
    after: Range
    #: Relative change, after / before - 1, each calibration against itself. [1]
    change: Range
    #: Calibrations that differ on the sign of the change.
    disagree: tuple[str, ...] = ()
    #: Interactions per second of the class before the change; 0 for a resource. [1/s]
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Missed:
    """A target that is or may be missed."""

    #: The metric, the class or resource that has it, "s" or "1", and the key in the
    #: configuration's targets.
    what: str
    of: str
    unit: str
    key: str
    predicted: Range
    #: What was promised, and of a percentile its share. [1]
    limit: float
    share: float | None = None

    @property
    def certain(self) -> bool:
        """Whether all of the interval is beyond the limit; it may be missed if not."""
        return self.predicted.low > self.limit


@dataclass(frozen=True, slots=True)
class Trade:
    """What an option costs in response time whose benefit is something else than speed.

    It is neither recommended nor rejected: whether the benefit is worth it is not for a model to
    say.
    """

    #: The response time that grows most. [s]
    cost: Effect
    #: Whether the configuration has targets at all.
    promised: bool
    #: Targets that are or may be missed with it.
    missed: tuple[Missed, ...]
    #: Those of them that are met today, or missed less certainly.
    newly: tuple[Missed, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """One option with its predicted effects: recommended, a trade, or rejected."""

    #: Code of the rule that proposes it.
    rule: str
    finding: Finding
    option: Option
    #: Response time of each class of users, then utilization of each resource.
    effect: tuple[Effect, ...]
    #: The busiest resource afterwards and the upper end of its utilization; None where there
    #: is no steady state. [1]
    risk: tuple[str, float] | None
    #: Why it is rejected; empty if it is recommended or a trade.
    rejected: str = ""
    #: The kind of reason; None if it is not rejected.
    reason: Reason | None = None
    #: What the prediction rests on that was never measured, such as so many users.
    beyond: tuple[str, ...] = ()
    #: What it costs, if it brings something else than speed and costs response time;
    #: it is then not recommended. None otherwise.
    trade: Trade | None = None
    #: Targets missed as it is that it ends, where it causes no new one; it is then recommended
    #: whatever it costs.
    ends: tuple[Missed, ...] = ()

    @property
    def recommended(self) -> bool:
        """Whether it is worth taking: neither rejected nor a trade."""
        return not self.rejected and self.trade is None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A rule that had nothing to go by: skipped is not passed."""

    rule: str
    state: State
    reason: str


@dataclass(frozen=True, slots=True)
class Located:
    """A finding with its rule and its place in the file."""

    rule: str
    slug: str
    finding: Finding
    #: Line of the finding's key in the file.
    line: int | None
    #: The same for the same finding of another day; see `advisor.findings.records`.
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A suppression and what came of it."""

    rule: str
    #: Why its findings are not to count.
    reason: str
    #: Last day on which it holds, as 2026-12-31; empty if it holds for ever.
    until: str
    #: Expired ones suppress nothing; unused ones found nothing to suppress.
    state: Standing
    #: Where it stands in the file.
    line: int | None
    findings: tuple[Located, ...] = ()

    @property
    def notice(self) -> str:
        """What the user should know of it; empty while it does its work."""
        if self.state == "expired":
            return f"the suppression of {self.rule} ended on {self.until}: its findings count again"
        if self.state == "unused":
            return f"the suppression of {self.rule} has nothing to suppress"
        return ""


def reaches(findings: Iterable[Located], level: str) -> bool:
    """Whether one of some findings is of this level or graver."""
    limit = list[str](LEVELS).index(level)
    return any(LEVELS.index(each.finding.level) <= limit for each in findings)


_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def fingerprint(rule: str, finding: Finding, data: dict[str, Any]) -> str:
    """Sixteen hexadecimal digits that stay while the finding is about the same thing.

    Elements of arrays go by their names in the configuration as written, so that a task before
    another one changes nothing; numbers in the names of metrics are left out, as is every value.
    """
    metrics = [_NUMBER.sub("#", each.metric) for each in finding.evidence]
    told = [rule, show_key(named_key(data, finding.key)), *metrics]
    return sha256("\n".join(told).encode()).hexdigest()[:16]
