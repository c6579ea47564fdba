"""Asks the advisor about the example of each recommendation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from advisor.configuration.changed_keys import change_of
from advisor.engine import case_of
from advisor.findings.records import Finding
from advisor.loading import load_config
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from advisor.rules import RULES
from scripts.paper_coverage.counterpart import counterpart
from scripts.paper_coverage.outcome import Agreed, Compared, Counterpart, Outcome
from scripts.paper_coverage.recommendation import Quantity, Recommendation

#: Significant digits that are kept, as many as the papers print.
DIGITS = 4
_BY_CODE = {rule.code: rule for rule in RULES}


def outcomes(rows: Sequence[Recommendation], root: str | Path) -> tuple[Outcome, ...]:
    """Ask the advisor about the example of each recommendation.

    Parameters
    ----------
    rows : sequence of Recommendation
        From `load_recommendations`.
    root : path
        The folder that the rows' examples are told from.
    """
    return tuple(_outcome(row, Path(root)) for row in rows)


def _outcome(row: Recommendation, root: Path) -> Outcome:
    case = _case(root / row.example, row.settings) if row.example else None
    fired: list[str] = []
    silent: list[str] = []
    why: list[str] = []
    findings: list[Finding] = []
    for code in row.rules:
        if case is None:
            break
        found, silence = asked(_BY_CODE[code], case)
        findings += found
        (fired if found else silent).append(code)
        why.append(f"{code}: {'; '.join(each.message for each in found) or silence}")
    compared = (compare(each, counterpart(each, case, findings)) for each in row.quantity)
    return Outcome(row.id, tuple(fired), tuple(silent), tuple(why), tuple(compared))


@lru_cache(maxsize=64)
def _case(path: Path, settings: tuple[str, ...]) -> Case:
    configuration = load_config(path)
    if settings:
        configuration = change_of(configuration, settings).apply(configuration)
    return case_of(configuration)


def asked(rule: Rule, case: Case) -> tuple[tuple[Finding, ...], str]:
    """What a rule finds, as a review has it, and why it finds nothing if it does not."""
    try:
        return tuple(rule.judge(case)), f"content: {rule.claim}"
    except NothingToGoBy as nothing:
        return (), f"{nothing.state}, {nothing}"


def compare(quantity: Quantity, found: Counterpart | None) -> Compared:
    """Hold a printed number against the advisor's."""
    of = f", {', '.join(quantity.settings)}" if quantity.settings else ""
    low = quantity.printed
    high = low if quantity.printed_to is None else quantity.printed_to
    printed = f"{low:g}" if high == low else f"{low:g} to {high:g}"
    agreed: Agreed
    if found is None:
        agreed = "no number"
    elif low - quantity.tolerance <= found.mid <= high + quantity.tolerance:
        agreed = "within the tolerance"
    elif found.low <= high and found.high >= low:
        agreed = "inside the interval"
    elif quantity.erratum:
        agreed = "wrong in print"
    else:
        agreed = "outside"
    kept = (
        None
        if found is None
        else Counterpart(_kept(found.low), _kept(found.mid), _kept(found.high), found.how)
    )
    return Compared(f"{quantity.metric}{of}", printed, quantity.unit, kept, agreed, quantity.note)


def _kept(value: float) -> float:
    # Zero has no sign, and what is a rounding error of zero is zero.
    return 0.0 if abs(value) < 1e-9 else float(f"{value:.{DIGITS}g}")


def outcomes_text(found: Sequence[Outcome]) -> str:
    """Outcomes as JSON, one line for each number that could differ."""
    return json.dumps([asdict(each) for each in found], indent=1, ensure_ascii=False) + "\n"
