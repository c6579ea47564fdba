"""A drive that serves side by side, its monitor, and operations that merge, from made-up tables."""

from dataclasses import replace
from math import exp

import pytest

from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import load_calibration, save_calibration
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.model_evaluation.network import any_there
from calibration.predicting.prediction import predict
from calibration.recordings.user_table import parse_user_table
from tests.calibration.synthetic import runs, table

#: The drive has more work than the processor, and never fills.
TRUE = replace(
    blank(("users",), ("cpu", "disk"), reference=50.0), demand=((0.004, 0.008),),
    parallel=(0.0, 0.9),
)  # fmt: skip
THINK = 0.2


def measured(loads, true=TRUE, repeat=2):
    return parse_user_table(table(true, runs(loads, THINK, (1, 1)), seed=2, repeat=repeat))


def test_any_request_is_seen_less_often_than_work_is_done():
    assert any_there(0.7, 0.0) == 0.7
    assert any_there(0.7, 1.0) == pytest.approx(1.0 - exp(-0.7), abs=1e-9)
    assert any_there(3.0, 1.0) < 1.0 == any_there(40.0, 1.0)
    assert 0.5034 < any_there(0.7, 0.5) < 0.7


def test_it_is_no_bottleneck_though_its_monitor_shows_nine_tenths(tmp_path):
    found = calibrate(measured((5, 10, 20, 30, 40)))
    assert found.best.structure == "parallel service"
    save_calibration(found, tmp_path / "a.json")
    for each in (found, load_calibration(tmp_path / "a.json")):
        said = predict(each, [120])
        assert said["throughput"].mid == pytest.approx(1 / 0.004, rel=0.02)
        assert said.saturation is not None
        assert said.saturation.station == "cpu"
        assert said["utilization:disk"].mid < 0.9


def test_at_low_loads_what_the_monitor_bends_by_tells():
    found = calibrate(measured((2, 4, 6, 8), repeat=3))
    assert "parallel" in {p.sets for p in found.best.parameters}
    (true,) = answers(TRUE, runs((60,), THINK, (1, 1)))
    assert predict(found, [60])["throughput"].mid == pytest.approx(true.throughput[0], rel=0.05)


def test_operations_that_merge_widen_nothing():
    loads = (5, 10, 15, 20, 30)
    plain = replace(TRUE, parallel=(0.0, 0.0))
    head, *rows = table(plain, runs(loads, THINK, (1, 1)), seed=2).splitlines()
    lines = [f"{head},operations:disk [1/s]"]
    for n, row in zip(loads, rows, strict=True):
        lines.append(f"{row},{float(row.split(',')[2]) * 3.0 * (n / 50.0) ** -0.3:.5g}")
    found = calibrate(parse_user_table("\n".join(lines) + "\n"))
    assert found.best.structure == "merging"
    assert found.widening < 1.5
    said = [predict(found, [n]) for n in (5, 20)]
    few, more = (each["operations:disk"].mid / each["throughput"].mid for each in said)
    assert few / more == pytest.approx(4.0**0.3, rel=0.05)
