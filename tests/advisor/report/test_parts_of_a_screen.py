"""The pieces that screens, pages and documents are made of."""

from types import SimpleNamespace as Some  # noqa: F401, named in the table

import pytest

from advisor.cli import app  # noqa: F401
from advisor.findings import records, words  # noqa: F401
from advisor.findings.verdict import Verdict  # noqa: F401
from advisor.report import calibration_screen, fleet, growth, load_curve, prediction, sizing  # noqa: F401
from advisor.report.first_screen import held, next_step  # noqa: F401
from advisor.report.plain import fields  # noqa: F401
from advisor.report.screen import bar, short, targets_kept  # noqa: F401
from advisor.sizing.prices import priced  # noqa: F401
from advisor.versions import versions  # noqa: F401
from calibration.estimation.interval import Range
from qmodel.errors import FileError  # noqa: F401
from tests.tables import asked, rows

ONE = Range(1.0, 2.0, 3.0)


@pytest.mark.parametrize(("call", "expected"), rows(__file__, "said"))
def test_a_piece_says(call, expected):
    assert asked(call, globals()) == expected
