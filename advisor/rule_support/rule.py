"""A rule: a stable code, a slug, a claim, a manual, and a check of a case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from advisor.findings.records import Finding, State
from advisor.rule_support.case import Case


class NothingToGoBy(Exception):
    """A rule lacks what it needs: ``state`` is not-applicable or no-evidence."""

    def __init__(self, reason: str, *, evidence: bool = False) -> None:
        super().__init__(reason)
        self.state: State = "no-evidence" if evidence else "not-applicable"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Parameters
    ----------
    code : str
        Stable: three or four letters of the topic and three digits.
    slug : str
        Stable name in words.
    claim : str
        One line: what holds where the rule has nothing to report.
    manual : str
        Code, slug and one plain sentence; then what it does, why it matters, threshold and source,
        example, limits.
    check : callable
        Case to findings; raises `NothingToGoBy` where it cannot tell.
    """

    code: str
    slug: str
    claim: str
    manual: str
    check: Callable[[Case], Iterator[Finding]]

    @property
    def sentence(self) -> str:
        """What the rule is for, in one sentence."""
        return self.manual.strip().partition("\n")[0].partition(": ")[2]
