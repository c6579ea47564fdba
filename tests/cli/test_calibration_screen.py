"""The first screen of a calibration: usable or not, and which explanations say the same."""

import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from advisor.report.calibration_screen import alike, show_calibration
from calibration.estimation.data import ONE_RUN
from calibration.fitting.calibrate import calibrate
from calibration.model_evaluation.model import blank
from calibration.predicting.prediction import predict_all
from calibration.recordings.user_table import parse_user_table
from tests.calibration.synthetic import runs, table

TRUE = replace(blank(("users",), ("cpu", "disk")), demand=((0.0952, 0.0105),))
NUMBERS = """users,think_time [s],throughput [1/s],response_time [s],cpu
1,2,0.30,3.9,20
4,2,1.00,0.3,40
8,2,1.00,9.0,30
"""


@pytest.fixture(scope="module")
def several():
    """Two stations, 2 % of noise: several explanations fit."""
    loads = (10, 25, 50, 75, 100, 125, 150)
    text = table(TRUE, runs(loads, 2.0, (8, 1)), seed=3, noise=ONE_RUN.scaled(1.4))
    return calibrate(parse_user_table(text))


def said(calibration, width=80, **asked):
    out = StringIO()
    show_calibration(Console(width=width, file=out), calibration, **asked)
    return out.getvalue()


def test_a_usable_one_says_how_well_and_up_to_where(several):
    lines = said(several).splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    first = " ".join(lines[:5])
    assert "✓ USABLE" in first
    assert "predicts its own runs to 1.1 %; good up to 300 users" in " ".join(first.split())
    assert re.search(
        r"^cpu +95\.\d ms ± 0\.4.* 8 servers; full at 8[34]", said(several), re.MULTILINE
    )
    assert re.search(r"First to fill +cpu, at 17\d users", said(several))


def test_explanations_that_say_the_same_are_counted_as_one(several):
    (far,) = predict_all(several, [300])
    together = alike(several, [far])
    assert several.best.name in together
    fit = len(several.admissible)
    assert fit > 1
    assert len(together) == fit  # none lies outside the best one's interval
    whole = " ".join(said(several).split())
    assert f"{fit} explanations fit; to 300 users they say the same" in whole
    table_ = " ".join(said(several, width=120, models=True).split())
    assert f"{several.best.name} and {fit - 1} that say the same 100 %" in table_
    assert "that say the same" not in said(several, every=True).split("model ")[-1]


def test_one_that_does_not_reproduce_its_runs_is_not_usable():
    found = calibrate(parse_user_table(NUMBERS), anyway=True)
    lines = said(found).splitlines()
    assert "✗ NOT USABLE" in " ".join(lines[:5])
    assert len(lines) <= 40
