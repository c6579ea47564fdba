"""What a source documents and no model produces: passed on as such, never as a prediction."""

from __future__ import annotations

from advisor.rule_support.case import Case
from advisor.rule_support.rule import NothingToGoBy

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


def source_of(case: Case, *systems: str) -> str:
    """Name of the measured system, if it is one of those that a rule knows documents of.

    Raises
    ------
    NothingToGoBy
        If it is none of them.
    """
    if case.system is None:
        raise NothingToGoBy("of a measured system, which the workload does not name")
    if case.system.name not in systems:
        source = f"the source of {case.system.name}" if case.of_a_paper else "your own measurement"
        raise NothingToGoBy(f"{source} does not document it")
    return case.system.name
