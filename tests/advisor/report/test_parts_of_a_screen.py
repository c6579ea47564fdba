"""The pieces that screens, pages and documents are made of."""

import pytest

from advisor.report.first_screen import held
from advisor.report.fleet import load, what
from advisor.report.plain import fields
from advisor.report.screen import bar, short, targets_kept
from advisor.versions import versions
from calibration.estimation.interval import Range

ONE = Range(1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([held(ONE, limit) for limit in (None, 1.5, 2.5, 3.0)], ["", "✗", "?", "✓"]),
        ((what("utilization of cpu"), what("p95 of page")), ("cpu", "p95 of page")),
        (load({"fits": 412.7, "unit": "users"}, "fits"), "412"),
        (load({"fits": 0.5, "unit": "1/s"}, "fits"), "0.5/s"),
        (fields(ONE, "low", "high"), {"low": 1.0, "high": 3.0}),
        (bar(0.5).plain, "█████████░░░░░░░░░"),
        (bar(0.5, 0.8).plain, "█████████░░░░░|░░░"),
        (short(Range(0.08, 0.09, 0.1)), "90 ms (80-100)"),
        (
            targets_kept(["response_time", "utilization"]),
            "from the file: target of response time, of utilization",
        ),
        (sorted(versions()), ["packages", "python", "qmodel"]),
    ],
)
def test_a_piece_says(said, expected):
    assert said == expected
