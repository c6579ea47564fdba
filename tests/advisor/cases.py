"""Cases as rules see them, with utilizations and times put in by hand."""

from dataclasses import replace
from math import inf, nextafter

from advisor.configuration.configuration import Configuration
from advisor.engine import case_of, review
from advisor.findings.records import Finding
from advisor.findings.review import Review
from advisor.predicting.outlook import Outlook
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from advisor.rules import RULES
from calibration.estimation.interval import Range
from tests.advisor.configurations import quiet

BY_CODE = {rule.code: rule for rule in RULES}


def below(value: float) -> float:
    return nextafter(value, -inf)


def above(value: float) -> float:
    return nextafter(value, inf)


def rule(code: str) -> Rule:
    return BY_CODE[code]


def ask(code: str, case: Case | Configuration) -> list[Finding]:
    """What a rule finds in a case, or in a configuration as the model sees it."""
    if isinstance(case, Configuration):
        case = case_of(case)
    return rule(code).judge(case)


def reviewed(code: str, configuration: Configuration) -> Review:
    """A review in which no other rule is asked."""
    return review(configuration, [rule(code)])


def skipped(code: str, configuration: Configuration) -> tuple[str, str]:
    """State and reason of a rule that has nothing to go by."""
    try:
        found = ask(code, configuration)
    except NothingToGoBy as nothing:
        return nothing.state, str(nothing)
    raise AssertionError(f"{code} could judge: {found}")


def case_with(configuration: Configuration | None = None, **utilization: float) -> Case:
    """A case whose resources are busy as given, with and without batch tasks alike."""
    case = case_of(configuration or quiet())
    return replace(
        case, outlook=busy(case.outlook, **utilization), alone=busy(case.alone, **utilization)
    )


def busy(outlook: Outlook, **utilization: float | Range) -> Outlook:
    """An outlook with utilizations put in by hand; the bottleneck follows from them."""
    ranges = {n: u if isinstance(u, Range) else Range(u, u, u) for n, u in utilization.items()}
    resources = tuple(
        replace(r, utilization=ranges.get(r.name, r.utilization)) for r in outlook.resources
    )
    known = [r for r in resources if r.name != "not measured"]
    bottleneck = max(known, key=lambda r: r.utilization.mid).name
    return replace(outlook, resources=resources, bottleneck=bottleneck)
