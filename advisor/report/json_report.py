"""A review and an agreement as plain data, in base units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from advisor.advice import Advice, Located, Review
from advisor.outlook import Outlook
from calibration.agreement import Agreement
from qmodel.formats.wording import show_key


def review_data(review: Review, growth: Sequence[tuple[Outlook, Outlook]]) -> dict[str, Any]:
    """All of a review: seconds, per second, fractions."""
    return {
        "title": review.configuration.settings.title,
        "bottleneck": review.outlook.bottleneck,
        "outlook": asdict(review.outlook),
        "users_alone": asdict(review.alone),
        "growth": [
            {"users": alone.users, "users_alone": asdict(alone), "with_batch": asdict(peak)}
            for alone, peak in growth
        ],
        "findings": [_finding(each) for each in review.findings],
        "advice": [_advice(each, review) for each in review.advice],
        "plan": {
            "steps": [
                {
                    "title": step.advice.option.change.title,
                    "effect": [asdict(each) for each in step.effect],
                    "gain": asdict(step.gain),
                    "missed": [asdict(each) for each in step.missed],
                }
                for step in review.plan.steps
            ],
            "missed": [asdict(each) for each in review.plan.missed],
            "most_users": review.plan.fit,
        },
        "rejected": [_advice(each, review) for each in review.rejected],
        "skipped": [asdict(each) for each in review.skipped],
        "notes": list(review.notes),
    }


def agreement_data(found: Agreement) -> dict[str, Any]:
    """All comparisons and summaries, in the units they are printed in."""
    return {
        "system": found.system.name,
        "summaries": [_flat(asdict(each)) for each in found.summaries()],
        "comparisons": [
            _flat(asdict(each)) | {"error": each.error(each.predicted.mid), "inside": each.inside}
            for each in found.comparisons
        ],
        "demands": [
            {
                "task": task,
                "value": estimate.value,
                "standard_error": estimate.standard_error,
                "variation": estimate.variation,
                "runs": len(estimate.by_run),
            }
            for task, estimate in found.demands
        ],
        "notes": list(found.system.notes),
    }


def _finding(located: Located) -> dict[str, Any]:
    finding = located.finding
    return {
        "rule": located.rule,
        "slug": located.slug,
        "level": finding.level,
        "state": finding.state,
        "message": finding.message,
        "key": show_key(finding.key),
        "line": located.line,
        "evidence": [asdict(each) for each in finding.evidence],
    }


def _advice(advice: Advice, review: Review) -> dict[str, Any]:
    option = advice.option
    return {
        "rule": advice.rule,
        "title": option.change.title,
        "settings": [
            {"key": key, "from": old, "to": new}
            for key, old, new in option.change.diff(review.configuration.data)
        ],
        "effect": [asdict(each) for each in advice.effect],
        "risk": {"resource": advice.risk[0], "utilization": advice.risk[1]}
        if advice.risk
        else None,
        "effort": option.effort,
        "benefit_beyond_the_model": option.benefit,
        "side_effects": list(option.side_effects),
        "valid": option.valid,
        "sources": list(option.sources),
        "rejected": advice.rejected,
    }


def _flat(data: dict[str, Any]) -> dict[str, Any]:
    """Pairs of name and number as objects."""
    return {
        key: dict(value) if key in ("by_member", "baselines") else value
        for key, value in data.items()
    }
