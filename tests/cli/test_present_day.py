"""A server of today on a calibration of its own: the made load test, its fit, and the advice."""

import json
import re

import pytest

from scripts import make_load_test as maker
from tests.advisor.configurations import EXAMPLES, ROOT
from tests.advisor.reports import reviewed

LOAD_TEST = EXAMPLES / "order_server_load_test.csv"
FITTED = EXAMPLES / "calibrated" / "order_server.json"
SERVER = EXAMPLES / "order_server_calibrated.toml"
#: Parts, programs and papers of the measured systems; none of them is this server's business.
OLD = (
    "1994|1995|1997|199\\d|486|Pentium|ProLiant|Netfinity|NetWare|Intranet|Notes|Domino|GroupWise|"
    "Compaq|TechNote|Lotus|IBM|view|local replica|packet receive|10 Mb/s"
)


def test_the_load_test_is_what_the_script_makes_and_says_that_it_is_made():
    text = LOAD_TEST.read_text(encoding="utf-8")
    assert text == maker.text()
    assert text.startswith("# SYNTHETIC, an illustration: nobody measured this.")
    assert "scripts/make_load_test.py" in text


def test_calibrating_the_load_test_gives_the_calibration_that_lies_there(run, tmp_path):
    target = tmp_path / "order_server.json"
    outcome = run("calibrate", LOAD_TEST.relative_to(ROOT), "-o", target)
    assert outcome.code == 0
    made, kept = (json.loads(path.read_text(encoding="utf-8")) for path in (target, FITTED))
    assert made["source"] == kept["source"]
    assert [m["name"] for m in made["models"]] == [m["name"] for m in kept["models"]]
    for one, other in zip(made["models"], kept["models"], strict=True):
        values = [p["value"] for p in other.get("parameters", ())]
        assert [p["value"] for p in one.get("parameters", ())] == pytest.approx(values, rel=1e-3)


def test_the_calibration_finds_what_the_load_test_was_made_of():
    best = json.loads(FITTED.read_text(encoding="utf-8"))["models"][0]
    assert best["name"] == "hidden delay"
    truth = {
        "demand of cpu": maker.CPU, "hidden delay": maker.DELAY,
        "volume of nvme0n1": maker.DISK_VOLUME * 1e6, "volume of eth0": maker.LAN_VOLUME * 1e6,
    }  # fmt: skip
    found = {each["name"]: each for each in best["parameters"]}
    assert found.keys() == truth.keys()
    for name, value in truth.items():
        assert abs(found[name]["value"] - value) < 4 * found[name]["standard_error"], name


def test_the_advice_is_sensible():
    """The reports leave the day; nothing is bought, since the targets are met without them."""
    review, _ = reviewed(SERVER)
    assert review.outlook.bottleneck == "cpu"
    assert not review.outlook.extrapolated
    assert {"SCH001", "TGT001"} <= {f.rule for f in review.findings}
    (step,) = review.plan.steps
    assert step.advice.rule == "SCH001"
    assert step.advice.option.change.settings == ((("batch", 0, "window"), ("20:00", "06:00")),)
    assert step.gain.change.high < -0.01
    assert not step.missed
    bought = [each for each in review.plan.left if each.advice.option.effort == "part"]
    assert bought
    assert all(each.reason == "not needed" for each in bought)


@pytest.mark.parametrize("more", [(), ("--details",), ("--json",)])
def test_nothing_about_old_parts_and_programs_is_said(run, more):
    outcome = run("advise", SERVER.relative_to(ROOT), *more)
    assert (outcome.code, outcome.err) == (0, "")
    # Rules that were not asked are named by their code, and say no more than that.
    said = [line for line in outcome.out.splitlines() if "not asked" not in line]
    assert len(said) >= 15
    numbers = re.compile(r"\d+\.\d+|[0-9a-f]{16,}")
    found = {word for line in said for word in re.findall(OLD, numbers.sub("", line))}
    assert not found
