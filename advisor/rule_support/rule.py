"""A rule: a stable code, a slug, a claim, a manual, a check, and what it has to go by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from advisor.configuration.configuration import Configuration
from advisor.findings.records import Finding, State
from advisor.predicting.calibrated import changeable
from advisor.rule_support.case import Case


class NothingToGoBy(Exception):
    """A rule lacks what it needs: ``state`` is not-applicable or no-evidence."""

    def __init__(self, reason: str, *, evidence: bool = False) -> None:
        super().__init__(reason)
        self.state: State = "no-evidence" if evidence else "not-applicable"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    #: Stable: three or four letters of the topic and three digits.
    code: str
    #: Stable name in words.
    slug: str
    #: One line: what holds where the rule is content.
    claim: str
    #: What it does, why it matters, threshold and source, example, limits.
    manual: str
    #: Case to findings; raises `NothingToGoBy` where it cannot tell.
    check: Callable[[Case], Iterator[Finding]]
    #: The measured systems whose sources document what it holds a configuration against; empty for
    #: a rule that goes by the model.
    systems: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        module: str,
        claim: str,
        manual: str | None,
        check: Callable[[Case], Iterator[Finding]],
        systems: tuple[str, ...] = (),
    ) -> Rule:
        """The rule of a module, whose name is its code and its slug.

        Examples
        --------
        >>> Rule.of("advisor.rules.cap002_headroom", "", "", lambda case: iter(())).slug
        'headroom'
        """
        code, _, slug = module.rpartition(".")[2].partition("_")
        return cls(code.upper(), slug.replace("_", "-"), claim, manual or "", check, systems)

    def judge(self, case: Case) -> list[Finding]:
        """What it finds in a case.

        Raises
        ------
        NothingToGoBy
            If it cannot tell, or the workload is of no system that its sources document.
        """
        if self.systems and case.system is None:
            raise NothingToGoBy(
                "the workload names no measured system, whose source would document it"
            )
        if self.systems and case.system_name not in self.systems:
            source = (
                f"the source of {case.system_name}" if case.of_a_paper else "your own measurement"
            )
            raise NothingToGoBy(f"{source} does not document it")
        return list(self.check(case))


#: Tables of configurations by the beginnings of the codes of rules.
_TABLES = {
    "CPU": "server",
    "DSK": "disk",
    "RAID": "disk",
    "STR": "disk",
    "CTL": "disk",
    "LAN": "lan",
    "INP004": "disk",
}


def check_device(configuration: Configuration, rule: Rule) -> None:
    """Raise unless the configuration describes the device that a rule is about.

    Raises
    ------
    NothingToGoBy
        If it does not, or if a calibration measured the device and nobody said what it was.
    """
    table = next((t for code, t in _TABLES.items() if rule.code.startswith(code)), None)
    if table is None:
        return
    if table != "server" and not configuration.settings.describes(table):
        raise NothingToGoBy(f"the configuration has no table [{table}]")
    if rule.code.startswith("STR") and "stripe" not in configuration.settings.disk.model_fields_set:
        raise NothingToGoBy("disk.stripe is not given")
    if not changeable(configuration, table):
        raise NothingToGoBy(
            f"what was measured of the {table} is not known; add [{table}.measured_on]",
            evidence=True,
        )


#: Stands before every gain that is passed on and not predicted.
LABEL = "documented, not modelled"


def documented(gain: str) -> str:
    """A gain as an option's benefit.

    Examples
    --------
    >>> documented("storage 20 % less")
    'documented, not modelled: storage 20 % less'
    """
    return f"{LABEL}: {gain}"
