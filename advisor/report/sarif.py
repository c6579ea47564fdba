"""A review in SARIF 2.1.0, the interchange format of analysis results (OASIS, 2020).

Findings are results, suppressed ones with their suppression. Rules that had nothing to go by are
notifications of the run: no result would say that they passed.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from advisor.findings.baseline import Baseline
from advisor.findings.records import Advice, Finding, Located, Suppressed
from advisor.findings.review import Review
from advisor.findings.words import brings_range, busiest, evidence_text, of_metric
from advisor.report import planning
from advisor.rule_support.rule import Rule
from advisor.rules import RULES
from qmodel.documents.wording import show_key
from qmodel.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
#: Name of the fingerprint's way of being computed; a new way gets a new name.
FINGERPRINT = "qmodelFinding/v1"


def sarif_data(review: Review, baseline: Baseline | None = None) -> dict[str, Any]:
    """A SARIF log of a run; with the findings of an earlier one, results have a baseline state."""
    results = [_result(review, each, baseline) for each in review.findings]
    for suppressed in review.suppressed:
        results += [_suppressed(review, each, suppressed) for each in suppressed.findings]
    if baseline:
        results += [
            {
                **_of_rule(each.rule), "level": each.level, "message": _said(each.message),
                "locations": [_place(review, None)],
                "partialFingerprints": {FINGERPRINT: each.fingerprint}, "baselineState": "absent",
            }
            for each in baseline.gone
        ]  # fmt: skip
    rules, notes = [_rule(each) for each in RULES], [*_notifications(review)]
    driver = {"name": "qmodel", "semanticVersion": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver}, "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(review)}, "roles": ["analysisTarget"]}],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "results": results,
        "properties": {  # the plan in words: no result stands for it
            "plan": [each.advice.option.change.title for each in review.plan.steps],
            "planEffect": list(planning.plan_lines(review)),
            "notInThePlan": list(planning.left_lines(review.plan)),
        },
    }  # fmt: skip
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    manual = rule.manual.strip()
    does = re.search(r"^What it does\n((?:[ ].*\n?)+)", manual, re.MULTILINE)
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.slug.split("-")),
        "shortDescription": {"text": rule.sentence},
        "fullDescription": {"text": " ".join(does[1].split()) if does else manual},
        "help": {"text": manual, "markdown": f"```text\n{manual}\n```"},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(review: Review, located: Located, baseline: Baseline | None) -> dict[str, Any]:
    finding = located.finding
    options = [a for a in (*review.advice, *review.trades) if a.finding is finding]

    def told(some: Iterable[Advice], says: Callable[[Advice], str]) -> list[str]:
        return [f"{a.option.change.title}: {says(a)}" for a in some if a.finding is finding]

    place = _place(review, _region(review, finding.key, located.line))
    place["logicalLocations"] = [{"fullyQualifiedName": show_key(finding.key), "kind": "member"}]
    found = {
        **_of_rule(located.rule), "level": finding.level,
        "message": _said(_message(finding, options)), "locations": [place],
        "partialFingerprints": {FINGERPRINT: located.fingerprint},
        "properties": {
            "state": finding.state,
            "evidence": [evidence_text(each) for each in finding.evidence],
            "trades": told(review.trades, planning.trade_text),
            "rejected": told(review.rejected, planning.rejection_text),
        },
    }  # fmt: skip
    if baseline:
        found["baselineState"] = baseline.state(located)
    return found


def _suppressed(review: Review, located: Located, suppressed: Suppressed) -> dict[str, Any]:
    until = f" (until {suppressed.until})" if suppressed.until else ""
    said: dict[str, Any] = {"kind": "inSource", "status": "accepted"}
    said["justification"] = suppressed.reason + until
    if suppressed.line:
        said["location"] = _place(review, _region(review, ("suppress",), suppressed.line))
    return {**_result(review, located, None), "suppressions": [said]}


def _of_rule(code: str) -> dict[str, Any]:
    index = next((i for i, each in enumerate(RULES) if each.code == code), None)
    return {"ruleId": code, **({} if index is None else {"ruleIndex": index})}


def _message(finding: Finding, options: list[Advice]) -> str:
    lines = [f"{finding.message}."]
    for each in options:
        title = each.option.change.title
        if each.trade:
            lines.append(f"Trade: {title}: {planning.trade_text(each)}.")
            continue
        first = each.effect[0]
        risk = f"; then {busiest(each.risk)}" if each.risk else ""
        lines.append(f"Option: {title}: {of_metric(brings_range(first), first)}{risk}.")
    return "\n".join(lines)


def _said(text: str) -> dict[str, str]:
    """A message that means what it says: no placeholders and no links (SARIF 3.11.5, 3.11.6)."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "] (")}


def _place(review: Review, region: dict[str, int] | None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(review), "index": 0}}
    if region:
        place["region"] = region
    return {"physicalLocation": place}


def _region(review: Review, key: tuple[str | int, ...], line: int | None) -> dict[str, int] | None:
    """The key where it stands in its line, or the whole line."""
    if line is None:
        return None
    text = review.configuration.document.text.splitlines()[line - 1]
    for name in reversed([part for part in key if isinstance(part, str)]):
        found = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
        if found:
            start, end = found.span()
            return {"startLine": line, "startColumn": start + 1, "endColumn": end + 1}
    start = len(text) - len(text.lstrip())
    return {"startLine": line, "startColumn": start + 1, "endColumn": max(len(text), 1) + 1}


def _notifications(review: Review) -> Iterator[dict[str, Any]]:
    for skipped in review.skipped:
        yield {
            "level": "note",
            "message": _said(f"{skipped.rule} {skipped.state}: {skipped.reason}"),
            "associatedRule": {"id": skipped.rule, "index": _of_rule(skipped.rule)["ruleIndex"]},
        }
    for each in review.suppressed:
        if each.notice:
            place = _place(review, _region(review, ("suppress",), each.line))
            yield {"level": "warning", "message": _said(each.notice), "locations": [place]}


def _uri(review: Review) -> str:
    path = Path(review.configuration.document.path)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
