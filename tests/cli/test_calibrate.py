"""``qmodel calibrate`` and ``qmodel predict``: their JSON, exit codes, and what they print."""

import json
import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from advisor.findings.words import load_text
from advisor.report.calibration_screen import alike, show_calibration
from calibration.estimation.data import ONE_RUN
from calibration.fitting.calibrate import calibrate
from calibration.model_evaluation.model import blank
from calibration.predicting.prediction import predict_all
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from tests.calibration.recordings.test_sysstat import data, entry
from tests.calibration.synthetic import model, runs, table
from tests.tables import rows, text_of

SMALL = table(model(), runs((1, 4, 12)), seed=7, digits=5)


@pytest.fixture
def small(written):
    return written("TABLE.csv", SMALL)


def test_json_holds_parameters_and_models(run, small):
    outcome = run("calibrate", small, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    found = json.loads(outcome.out)
    assert [p["name"] for p in found["parameters"]][:2] == ["demand of cpu", "demand of disk"]
    for each in found["parameters"]:
        assert set(each) == {"name", "value", "unit", "standard_error", "identified"}
        assert each["unit"] == "s"
        assert each["identified"] is True
    assert found["parameters"][0]["value"] == pytest.approx(0.2, rel=0.02)
    for each in found["models"]:
        assert set(each) == {"name", "admissible", "error"}
    assert found["models"][0]["admissible"]
    assert len(found["models"]) + len(found["refused"]) >= 7
    assert found["range"] == {"population": [1, 12]}
    assert len(found["residuals"]) == 12
    assert found["unknown"] == []


def test_calibrate_then_predict(run, small, tmp_path):
    kept = tmp_path / "server.toml"
    outcome = run("calibrate", small, "-o", kept)
    assert outcome.code == 0
    assert "USABLE" in outcome.out
    assert outcome.err == f"wrote {kept}   next: qmodel predict {kept}, qmodel init --from {kept}\n"
    assert run("calibrate", small, "-o", kept).code == 2
    assert run("calibrate", small, "-o", kept, "--force").code == 0
    found = json.loads(run("predict", kept, "--users", "6,24:48:24", "--json").out)
    assert [p["users"] for p in found["predictions"]] == [6, 24, 48]
    assert [p["extrapolated"] for p in found["predictions"]] == [False, True, True]
    for each in found["predictions"]:
        for metric in ("throughput", "response_time", "utilization:cpu", "utilization:disk"):
            said = each["metrics"][metric]
            assert 0.0 < said["low"] <= said["mid"] <= said["high"]
    assert found["saturation"]["users"]["low"] < 16.5 < found["saturation"]["users"]["high"]


@pytest.mark.parametrize(("text", "words"), rows(__file__, "what_cannot_be_calibrated"))
def test_what_cannot_be_calibrated_is_exit_code_3_with_what_to_measure(run, written, text, words):
    outcome = run("calibrate", written("TABLE.csv", text))
    assert (outcome.code, outcome.out) == (3, "")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err
    assert "measure" in outcome.err


@pytest.mark.usefixtures("few_laws")
def test_a_doubtful_table_is_exit_code_3_with_the_line(run, written):
    header, *rows = table(model(), runs((1, 4, 8, 12)), digits=4).splitlines()
    cells = rows[3].split(",")
    cells[4] = f"{float(cells[4]) / 1.5:.4g}"
    rows[3] = ",".join(cells)
    path = written("TABLE.csv", "\n".join([header, *rows]))
    outcome = run("calibrate", path)
    assert (outcome.code, outcome.out) == (3, "")
    assert f"{path}:5: utilization law: cpu utilization is " in outcome.err
    assert "--anyway" in outcome.err
    assert outcome.err.count("\n") == 1
    outcome = run("calibrate", path, "--anyway", "--json")
    assert outcome.code == 0
    assert "utilization law" in json.loads(outcome.out)["contradictions"][0]


@pytest.mark.usefixtures("few_laws")
def test_a_recording_joins_load_levels(run, written, tmp_path):
    levels, recorded = tmp_path / "LEVELS.csv", tmp_path / "sar.json"
    # 20 % of four processors at 2 /s: 0.4 s of processor an interaction.
    levels.write_text(
        "start,end,users,throughput [1/s],think_time [s]\n"
        "10:00:00,10:00:20,7,2.000,3\n10:00:20,10:00:40,14,3.990,3\n",
        encoding="utf-8",
    )
    idles = (75.0, 75.0, 55.1, 55.1)
    clocks = ("10:00:10", "10:00:20", "10:00:30", "10:00:40")
    nothing = {"disk": [], "network": {}}
    content = data(*(entry(c, idle=i) | nothing for c, i in zip(clocks, idles)))
    recorded.write_text(json.dumps(content), encoding="utf-8")
    outcome = run("calibrate", levels, recorded, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    parameters = {p["name"]: p["value"] for p in json.loads(outcome.out)["parameters"]}
    assert parameters["demand of cpu"] == pytest.approx(0.4, rel=0.03)
    outcome = run("calibrate", levels, written("bad.json", '{"sysstat": {}}'))
    assert outcome.code == 2
    assert "not what sadf -j writes" in outcome.err


REPEATED = text_of(__file__, "repeated")


@pytest.mark.usefixtures("few_laws")
def test_the_noise_of_repeated_rows(run, written):
    table = written("TABLE.csv", REPEATED)
    usual, own = (
        json.loads(run("calibrate", table, "--noise", noise, "--json").out)["parameters"][0]
        for noise in ("1", "repeats")
    )
    assert own["standard_error"] != usual["standard_error"]
    assert own["value"] == pytest.approx(usual["value"], rel=0.02)


TRUE = replace(blank(("users",), ("cpu", "disk")), demand=((0.0952, 0.0105),))


NUMBERS = text_of(__file__, "numbers")


@pytest.fixture(scope="module")
def several():
    """Two stations, 2 % of noise: several explanations fit, of those soon asked."""
    loads = (10, 25, 50, 75, 100, 125, 150)
    text = table(TRUE, runs(loads, 2.0, (8, 1)), seed=3, noise=ONE_RUN.scaled(1.4))
    names = ("product form", "hidden queue", "variable service", "coherency", "second thread",
             "quota")  # fmt: skip
    return calibrate(parse_user_table(text), [s for s in STRUCTURES if s.name in names])


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
    assert "fits its own runs to 1.1 % on average; good up to 300 users" in " ".join(first.split())
    assert re.search(
        r"^cpu +95\.\d ms ± 0\.4.* 8 cores; full at 8[34]", said(several), re.MULTILINE
    )
    assert re.search(r"First to fill +cpu, at \S+ /s; without waiting 17\d", said(several))


def test_explanations_that_say_the_same_are_counted_as_one(several):
    (far,) = predict_all(several, [300])
    together = alike(several, [far])
    assert several.best.name in together
    fit = len(several.admissible)
    assert fit > len(together) > 1  # one differs where it was not measured
    whole = " ".join(said(several).split())
    assert f"{fit} explanations fit; up to 150 users they differ by" in whole
    assert "One run with 300 users would settle it." in whole
    table_ = " ".join(said(several, width=120, models=True).split())
    assert f"{several.best.name} and {len(together) - 1} that say the same 69 %" in table_
    assert "that say the same" not in said(several, every=True).split("model ")[-1]


def test_one_that_does_not_reproduce_its_runs_is_not_usable():
    lines = said(calibrate(parse_user_table(NUMBERS), anyway=True)).splitlines()
    assert "✗ NOT USABLE" in " ".join(lines[:5])
    assert len(lines) <= 40
    assert [line for line in lines if re.match(r" +[48] ", line) and "!" in line]
    assert "Not settled" not in " ".join(lines)


def test_one_whose_response_time_is_not_known_to_a_factor_of_two_is_not_usable(several):
    wide = replace(several, models=tuple(m.widened(100.0) for m in several.models))
    assert "✗ NOT USABLE  the response time at the highest load is not" in said(wide)


@pytest.mark.usefixtures("few_laws")
def test_classes_are_named(run, written, tmp_path):
    """One server, at which a request of a takes 10 ms and of b 20; 60 % are of a at the most."""
    head = "throughput:a [1/s],throughput:b [1/s],response_time:a [ms],response_time:b [ms],cpu\n"
    text = "10,5,12.5,25,20\n10,10,14.29,28.57,30\n20,5,14.29,28.57,30\n30,20,33.33,66.67,70\n"
    path, kept = written("TABLE.csv", head + text), tmp_path / "kept.json"
    assert re.search(r"requests/s +response a +fitted", run("calibrate", path, "-o", kept).out)
    mix = "at the mix of the highest load: a 60 %, b 40 %"
    assert mix in run("predict", kept, "--rate", "20").out


def test_a_long_time_where_nothing_was_measured_may_be_a_pool(run, written):
    """An exact network: cpu of 4 at 40 ms, disk at 8 ms, 60 ms elsewhere, 2 s of thinking."""
    path = written(
        "delay.csv",
        "users,throughput [1/s],response_time [ms],cpu,disk [%],servers:cpu,think_time [s]\n"
        "20,9.485,108.6,9.48,7.59,4,2\n80,37.87,112.5,37.9,30.3,4,2\n"
        "160,74.86,137.3,74.9,59.9,4,2\n",
    )
    outcome = run("calibrate", path)
    assert outcome.code == 0
    said = " ".join(outcome.out.split())
    assert "by up to 4.49 requests at once: possibly in a pool of 5 or more" in said


def test_less_than_one_request_at_once_is_no_pool():
    text = table(model(hidden_delay=(0.3,)), runs((1, 6, 12)))
    some = [s for s in STRUCTURES if s.name in {"product form", "hidden delay"}]
    shown = said(calibrate(parse_user_table(text), some))
    assert "300 ms are spent somewhere unmeasured." in shown


def test_loads_are_shown_to_four_digits_and_without_an_exponent():
    assert [load_text(each) for each in (60.1496, 12345.0)] == ["60.15", "12345"]


def test_what_other_processors_cost_is_said(run):
    found = run("predict", "examples/calibrated/load_test.json", "--change", "servers:cpu=4")
    assert "not as measured: servers:cpu 4 (requests 11 % longer with each doubling" in found.out
