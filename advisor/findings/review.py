"""All that the advisor has to say of one configuration, as a record."""

from dataclasses import dataclass, field
from math import inf
from typing import Any

from advisor.configuration.configuration import Configuration
from advisor.findings.plan_records import Plan
from advisor.findings.records import Advice, Located, Missed, Skipped, Suppressed, reaches
from advisor.findings.targets import missed, unseen
from advisor.findings.verdict import Verdict
from advisor.findings.words import counted, crowd, missed_text, percent
from advisor.predicting.checked import Check
from advisor.predicting.outlook import Outlook
from advisor.predicting.reproduced import caveat
from qmodel.tabular import Tabular


@dataclass(frozen=True, slots=True)
class Review(Tabular):
    """All that the advisor has to say of one configuration.
    As a table: the steps of the plan, with the change of the first response time by each, then
    the findings.
    """

    configuration: Configuration
    #: At the worst peak hour, with and without batch tasks.
    outlook: Outlook
    alone: Outlook
    #: Whether the users fit, and how many would.
    verdict: Verdict
    #: Gravest first, without suppressed ones.
    findings: tuple[Located, ...]
    #: Options that are recommended: what ends failures first, then by the mean time of all users.
    advice: tuple[Advice, ...]
    #: Those that together serve best, in order.
    plan: Plan
    #: Options that bring something else than speed and cost response time, the cheapest first.
    trades: tuple[Advice, ...] = ()
    #: Options that were tried and are not worth it, with the reason.
    rejected: tuple[Advice, ...] = ()
    #: Rules that had nothing to go by.
    skipped: tuple[Skipped, ...] = ()
    #: What the calibration cannot tell.
    notes: tuple[str, ...] = field(default=())
    #: The configuration's suppressions; options of suppressed findings are not tried.
    suppressed: tuple[Suppressed, ...] = ()
    #: With all steps of the plan; None where it has none.
    after: Outlook | None = None
    verdict_after: Verdict | None = None
    #: The one measurement that would tell most; empty if there is none.
    measure: str = ""
    #: The networks now and after the plan, simulated; none unless that is asked for.
    checks: tuple[Check, ...] = ()

    def reaches(self, level: str) -> bool:
        """Whether some finding is of this level or graver."""
        return reaches(self.findings, level)

    @property
    def load(self) -> str:
        """How many users there are, or how often they arrive."""
        return crowd(self.outlook.users, self.configuration.settings.workload.arrival_rate)

    @property
    def sentence(self) -> str:
        """The verdict in words, without its state."""
        verdict, who = self.verdict, self.load + self.configuration.settings.lost
        most = verdict.would()
        if verdict.state == "NOT KNOWN":
            return f"{who}; nothing known to the model limits them"
        if verdict.state == "FITS":
            if not verdict.most:
                return f"{who}; nothing in the model limits the load"
            more = float(verdict.loaded(verdict.most.mid)) / verdict.load - 1.0
            room = f"{1.0 + more:.3g} times as many" if more >= 9.0 else f"{percent(more)} more"
            room = f"Room for {room}" if more >= 0.0005 else "No room for more"
            return f"{who}; {most}, then {verdict.limited()}. {room}."
        why, worst = "", max(missed(self.configuration, self.outlook), key=_gravest, default=None)
        if worst is not None:
            why = f": {missed_text(worst)}"
        elif unseen(verdict.limited_by) and verdict.state == "OVERLOADED":
            of = verdict.limited_by.removeprefix("utilization of ")
            why = f": the {of} that the runs show is full"
        elif verdict.state == "AT RISK" and caveat(self.configuration):
            why = ": the calibration is not usable"
        elif verdict.state == "OVERLOADED" and verdict.most:
            why = f": {verdict.limited('is above')}"
        does = "does" if verdict.counted and verdict.load == 1.0 else "do"
        may = f"{does} not fit"
        if verdict.state == "AT RISK":
            may, most = "may not fit", verdict.estimated or most
        after, then = "", self.verdict_after
        if then is not None:
            these = counted(len(self.plan.steps), "step")
            some = self.plan.fit or (then.most and then.loaded(then.most.mid))
            fewer = then.most and verdict.most and then.most.mid <= verdict.most.mid
            if not self.plan.missed and (then.fits or not then.most):
                after = f" After {these} all fit."
            elif some and some != "0" and not fewer:
                after = f" After {these} {some} do."
        return f"{who} {may}{why}. {most[0].upper()}{most[1:]}.{after}"

    def _caption(self) -> str:
        title = self.configuration.settings.title or "Your server"
        return f"{title}: {self.verdict.state}, {self.sentence}"

    def _columns(self) -> dict[str, list[Any]]:
        rows = [
            (f"step {i}", s.advice.rule, s.advice.option.change.title, s.gain.change.mid)
            for i, s in enumerate(self.plan.steps, 1)
        ]
        said = [(f.finding.level, f.rule, f.finding.message, None) for f in self.findings]
        heads = ("kind", "rule", "what", "change")
        return {head: [row[i] for row in (*rows, *said)] for i, head in enumerate(heads)}


def _gravest(late: Missed) -> tuple[bool, float]:
    """A response time beyond its target before all else, then what is beyond it by most."""
    ratio = late.predicted.mid / late.limit if late.limit else inf
    return late.unit == "s" and ratio > 1.0, ratio
