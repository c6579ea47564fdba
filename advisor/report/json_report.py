"""A review as plain data, in base units, in the form of ``forms/answers.schema.json``."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from advisor.findings.baseline import Baseline
from advisor.findings.plan_records import Plan
from advisor.findings.records import Advice, Located
from advisor.findings.review import Review
from advisor.predicting.outlook import Outlook
from advisor.report.plain import fields, settings_data
from advisor.report.prediction_data import prediction_data, verdict_data
from qmodel.documents.wording import show_key


def review_data(
    review: Review, curve: Sequence[tuple[Outlook, Outlook]], baseline: Baseline | None = None
) -> dict[str, Any]:
    """All of a review: seconds, per second, fractions; ``curve`` as of `html_report`'s growth."""
    known = (
        {}
        if baseline is None
        else {
            "new": [each.fingerprint for each in baseline.new],
            "unchanged": [each.fingerprint for each in baseline.unchanged],
            "gone": [each.model_dump() for each in baseline.gone],
        }
    )
    return {
        "title": review.configuration.settings.title,
        "verdict": verdict_data(review.verdict),
        "now": prediction_data(review.outlook),
        "after": prediction_data(review.after) if review.after else None,
        "alone": prediction_data(review.alone),
        "predictions": [
            {
                "users": alone.users,
                "alone": prediction_data(alone),
                "with_batch": prediction_data(peak),
            }
            for alone, peak in curve
        ],
        "findings": [finding_data(each) for each in review.findings],
        "advice": [advice_data(each, review) for each in review.advice],
        "plan": plan_data(review.plan, review.configuration.data),
        "trades": [advice_data(each, review) for each in review.trades],
        "rejected": [advice_data(each, review) for each in review.rejected],
        "skipped": [asdict(each) for each in review.skipped],
        "checks": [
            {
                **fields(each, "when", "member"),
                "agrees": each.found.agrees if each.found else None,
                "verdict": each.found.verdict if each.found else each.refused,
                "half_widths": each.half_widths if each.found else None,
            }
            for each in review.checks
        ],
        "suppressed": [
            {
                **fields(each, "rule", "reason", "until", "state", "line"),
                "findings": [finding_data(located) for located in each.findings],
            }
            for each in review.suppressed
        ],
        "notes": list(review.notes),
        **({"baseline": known} if known else {}),
    }


def plan_data(plan: Plan, configured: dict[str, Any]) -> dict[str, Any]:
    """A plan for what is configured: its steps, and what is left out and why."""
    return {
        "steps": [
            {
                "title": step.advice.option.change.title, "rule": step.advice.rule,
                "settings": settings_data(step.advice.option.change.diff(configured)),
                "effect": [asdict(each) for each in step.effect], "gain": asdict(step.gain),
                "missed": [asdict(each) for each in step.missed],
            }
            for step in plan.steps
        ],
        "left": [
            {
                "title": each.advice.option.change.title, "rule": each.advice.rule,
                **fields(each, "reason", "why"), "alone": asdict(each.advice.effect[0]),
                "gain": asdict(each.gain) if each.gain else None,
            }
            for each in plan.left
        ],
        "missed": [asdict(each) for each in plan.missed],
        "most_users": plan.fit,
    }  # fmt: skip


def finding_data(located: Located) -> dict[str, Any]:
    """A finding."""
    finding = located.finding
    return {
        **fields(located, "rule", "slug"), **fields(finding, "level", "state", "message"),
        "key": show_key(finding.key), **fields(located, "line", "fingerprint"),
        "evidence": [asdict(each) for each in finding.evidence],
    }  # fmt: skip


def advice_data(advice: Advice, review: Review) -> dict[str, Any]:
    """An option with its effects."""
    option = advice.option
    return {
        "rule": advice.rule, "title": option.change.title,
        "settings": settings_data(option.change.diff(review.configuration.data)),
        "effect": [asdict(each) for each in advice.effect],
        "risk": {"resource": advice.risk[0], "utilization": advice.risk[1]}
        if advice.risk
        else None,
        "effort": option.effort, "benefit_beyond_the_model": option.benefit,
        **fields(option, "side_effects", "valid", "sources"),
        **fields(advice, "rejected", "reason"), "beyond_what_was_measured": list(advice.beyond),
        "trade": asdict(advice.trade) if advice.trade else None,
    }  # fmt: skip
