"""The pieces that screens, pages and documents are made of."""

from types import SimpleNamespace as Some

import pytest
from rich.console import Console  # noqa: F401

from advisor.cli import app  # noqa: F401
from advisor.configuration.of_calibration import configuration_text  # noqa: F401
from advisor.findings import records, words  # noqa: F401
from advisor.findings.verdict import Verdict  # noqa: F401
from advisor.report import budget, calibration_screen, fleet, growth, load_curve, prediction, sizing  # noqa: F401
from advisor.report.first_screen import held, next_step  # noqa: F401
from advisor.report.plain import fields  # noqa: F401
from advisor.report.screen import bar, short, targets_kept  # noqa: F401
from advisor.sizing.prices import priced  # noqa: F401
from advisor.versions import versions  # noqa: F401
from calibration.estimation.interval import Range
from qmodel.errors import FileError  # noqa: F401
from tests.tables import asked, rows

ONE = Range(1.0, 2.0, 3.0)
TIME = Range(0.0169, 0.0171, 0.0174)
CURVE = Some(outlooks=[Some(
    load=399.372, extrapolated=True, arrival_rate=1.0, resource=lambda _: Some(utilization=TIME),
    classes=[Some(name=n, batch=0, response_time=TIME, throughput=ONE) for n in ("a", "checkout")],
)])  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), rows(__file__, "said"))
def test_a_piece_says(call, expected):
    assert asked(call, globals()) == expected
