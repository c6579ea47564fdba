"""The advisor's counterpart of a printed number, with its interval and where it comes from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from advisor.configuration.changed_keys import change_of
from advisor.configuration.configuration import Configuration
from advisor.findings.records import Finding
from advisor.planning.alternatives import whatif
from advisor.predicting.outlook import Outlook
from advisor.rule_support.rule import Case
from calibration.agreements.agreement import Agreement, agreement
from calibration.agreements.comparison import Status
from calibration.estimation.interval import Range
from calibration.systems import load_system
from qmodel.documents.wording import show_key
from scripts.paper_coverage.outcome import Counterpart, How
from scripts.paper_coverage.recommendation import Quantity

#: How a number of the agreement report is known, the best evidence first.
_STATUSES: dict[Status, How] = {
    "held out": "computed",
    "left out": "computed from the other rows",
    "fitted": "fitted",
}
#: Units in which base units are shown, and their sizes.
_SIZES = {"%": 0.01, "s": 1.0, "ms": 1e-3}


def counterpart(
    quantity: Quantity, case: Case | None, findings: Sequence[Finding]
) -> Counterpart | None:
    """The advisor's number for a printed one, None if it has none.

    Parameters
    ----------
    quantity : Quantity
        The printed one.
    case : Case, optional
        Of the row's example; None if it has none.
    findings : sequence of Finding
        What the row's rules found there.
    """
    if quantity.of == "comparison":
        return _compared(quantity)
    if case is None:
        return None
    if quantity.of == "change":
        return _changed(quantity, case.configuration)
    if quantity.of in {"outlook", "alone"}:
        return _foreseen(quantity, case.outlook if quantity.of == "outlook" else case.alone)
    if quantity.of == "option":
        return _offered(quantity, findings)
    return _evident(quantity, findings)


def _compared(quantity: Quantity) -> Counterpart | None:
    found = {
        each.status: each.predicted
        for each in reversed(_agreement(quantity.metric.partition("/")[0]).comparisons)
        if each.published.cell == quantity.metric and each.unit == quantity.unit
    }
    for status, how in _STATUSES.items():
        if status in found:
            return _computed(found[status], 1.0, how)
    return None


@lru_cache(maxsize=8)
def _agreement(name: str) -> Agreement:
    return agreement(load_system(name))


def _changed(quantity: Quantity, configuration: Configuration) -> Counterpart | None:
    change = change_of(configuration, quantity.settings)
    (alternative,) = whatif(configuration, [change]).alternatives
    for each in alternative.differences:
        if f"{each.quantity} of {each.of}" == quantity.metric:
            found = each.difference if quantity.unit == "points" else each.change
            return None if found is None else _computed(found, 0.01)
    return None


def _foreseen(quantity: Quantity, outlook: Outlook) -> Counterpart | None:
    kind, _, name = quantity.metric.partition(" of ")
    if kind == "response time":
        found = outlook.time_of(name)
    else:
        found = next((r.utilization for r in outlook.resources if r.name == name), None)
    return None if found is None else _computed(found, _SIZES[quantity.unit])


def _computed(found: Range, size: float, how: How = "computed") -> Counterpart:
    low, mid, high = sorted((found.low / size, found.mid / size, found.high / size))
    return Counterpart(low, mid, high, how)


def _evident(quantity: Quantity, findings: Sequence[Finding]) -> Counterpart | None:
    for finding in findings:
        for each in finding.evidence:
            if each.metric == quantity.metric and each.unit == quantity.unit:
                if quantity.of == "threshold":
                    return None if each.threshold is None else _single(each.threshold, "given")
                how: dict[str, How] = {"measured": "taken over", "computed": "computed"}
                return _single(each.value, how.get(each.how, "given"))
    return None


def _offered(quantity: Quantity, findings: Sequence[Finding]) -> Counterpart | None:
    offered = []
    for finding in findings:
        for option in finding.options:
            for key, value in option.change.settings:
                if show_key(key) == quantity.metric:
                    number, unit = _number(value)
                    if number is not None and unit == quantity.unit:
                        offered.append(number)
    if not offered:
        return None
    return _single(min(offered, key=lambda number: abs(number - quantity.printed)), "taken over")


def _single(value: float, how: How) -> Counterpart:
    return Counterpart(value, value, value, how)


def _number(value: object) -> tuple[float | None, str]:
    if isinstance(value, int | float):
        return float(value), ""
    found = re.fullmatch(r"\s*([-+]?\d+(?:\.\d+)?)\s*(\D*)", str(value))
    return (float(found[1]), found[2].strip()) if found else (None, "")
