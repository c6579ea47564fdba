"""An agreement as plain data, in the units the numbers are printed in.

The open end of a limit is infinite, which JSON has as null.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from advisor.report.plain import fields
from calibration.agreements.agreement import Agreement, coverage, unseen
from calibration.agreements.comparison import Comparison


def agreements_data(found: Sequence[Agreement]) -> dict[str, Any]:
    """All systems, and the coverage of all their intervals together."""
    every = [c for each in found for c in each.comparisons]
    blind = unseen(every)
    return {
        "coverage": [asdict(each) for each in coverage(every)],
        "unseen": None if blind is None else asdict(blind) | {"status": "held out or left out"},
        "systems": [agreement_data(each) for each in found],
    }


def agreement_data(found: Agreement) -> dict[str, Any]:
    """One system: what was fitted, every comparison, and what no model speaks to."""
    system = found.system
    return {
        "system": system.name, **fields(system, "title", "source"),
        "coverage": [asdict(each) for each in found.coverage()],
        "models": [asdict(each) for each in system.models],
        "summaries": [
            asdict(each) | {"by_model": dict(each.by_model), "baselines": dict(each.baselines)}
            for each in found.summaries()
        ],
        "comparisons": [_comparison(each) for each in found.comparisons],
        "not_modelled": [asdict(each) for each in system.not_modelled], **fields(system, "notes"),
    }  # fmt: skip


def _comparison(each: Comparison) -> dict[str, Any]:
    number = each.published
    return {
        **fields(each, "subject", "metric", "case", "status", "model"),
        **fields(number, "source", "cell", "unit"),
        "measured": fields(number, "low", "high", "half_unit"), "predicted": asdict(each.predicted),
        **fields(each, "error", "inside"), "by_model": dict(each.by_model),
        "baselines": dict(each.baselines),
        **{name: getattr(each, name) or None for name in ("extrapolated", "known_failure", "note")},
    }  # fmt: skip
