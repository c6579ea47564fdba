"""All that the advisor has to say of one configuration, as a record."""

from __future__ import annotations

from dataclasses import dataclass, field

from advisor.configuration.configuration import Configuration
from advisor.findings.plan_records import Plan
from advisor.findings.records import Advice, Located, Skipped, Suppressed, reaches
from advisor.findings.verdict import Verdict
from advisor.predicting.checked import Check
from advisor.predicting.outlook import Outlook


@dataclass(frozen=True, slots=True)
class Review:
    """All that the advisor has to say of one configuration.

    Parameters
    ----------
    configuration : Configuration
        What it is about.
    outlook, alone : Outlook
        At the worst peak hour, with and without batch tasks.
    findings : tuple of Located
        Gravest first, without suppressed ones.
    advice : tuple of Advice
        Options that are recommended: what ends failures first, then by the mean time of all users.
    plan : Plan
        Those that together serve best, in order.
    trades : tuple of Advice
        Options that bring something else than speed and cost response time, the cheapest first.
    rejected : tuple of Advice
        Options that were tried and are not worth it, with the reason.
    skipped : tuple of Skipped
        Rules that had nothing to go by.
    notes : tuple of str
        What the calibration cannot tell.
    suppressed : tuple of Suppressed
        The configuration's suppressions; options of suppressed findings are not tried.
    verdict : Verdict
        Whether the users fit, and how many would.
    after, verdict_after : Outlook and Verdict, optional
        With all steps of the plan; None where it has none.
    measure : str
        The one measurement that would tell most; empty if there is none.
    checks : tuple of Check
        The networks now and after the plan, simulated; none unless that is asked for.
    """

    configuration: Configuration
    outlook: Outlook
    alone: Outlook
    verdict: Verdict
    findings: tuple[Located, ...]
    advice: tuple[Advice, ...]
    plan: Plan
    trades: tuple[Advice, ...] = ()
    rejected: tuple[Advice, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = field(default=())
    suppressed: tuple[Suppressed, ...] = ()
    after: Outlook | None = None
    verdict_after: Verdict | None = None
    measure: str = ""
    checks: tuple[Check, ...] = ()

    def reaches(self, level: str) -> bool:
        """Whether some finding is of this level or graver."""
        return reaches(self.findings, level)
