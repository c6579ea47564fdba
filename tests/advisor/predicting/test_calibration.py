"""Advice on a server's own calibration."""

import json
from pathlib import Path

import pytest

from advisor.engine import review
from advisor.loading import load_config
from advisor.predicting.hardware import hardware_of
from advisor.predicting.prediction import outlook
from advisor.predicting.workload import system_of
from calibration.agreements.calibrated_system import calibrated_system
from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import load_calibration, save_calibration
from calibration.predicting.prediction import predict
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from qmodel import NotApplicable
from qmodel.errors import FileError
from tests.advisor.configurations import ROOT
from tests.calibration.synthetic import model, runs, table

EXAMPLE = ROOT / "examples" / "mail_server_calibrated.toml"
FITTED = ROOT / "examples" / "calibrated" / "load_test.json"
BY_NAME = {s.name: s for s in STRUCTURES}


def configured(folder, fitted, **workload):
    """A configuration beside a calibration."""
    save_calibration(fitted, folder / "server.json", force=True)
    data = {
        "server": {"cpus": 1},
        "disk": {"raid": "raid0", "drives": 1, "stripe": "16 KB"},
        "lan": {"rate": "100 Mb/s"},
        "workload": {
            "calibration": "server.json", "users": 20, "class": [{"name": "users"}], **workload,
        },
    }  # fmt: skip
    path = folder / "config.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def plain():
    text = table(model(), runs((1, 4, 12)), seed=7)
    return calibrate(parse_user_table(text), candidates=[BY_NAME["product form"]])


def test_the_example_predicts_what_its_calibration_does():
    found = outlook(load_config(EXAMPLE))
    said = predict(load_calibration(FITTED), 40)
    assert found.classes[0].response_time.mid == pytest.approx(said["response_time"].mid, rel=0.01)
    cpu = found.resource("cpu").utilization
    assert cpu.mid == pytest.approx(said["utilization:cpu"].mid, rel=0.01)
    assert not found.extrapolated


def test_the_demands_are_those_measured_on_the_hardware_as_written(plain, tmp_path):
    configuration = load_config(configured(tmp_path, plain))
    found = outlook(configuration)
    said = predict(plain, 20)
    assert found.resource("cpu").utilization.mid == pytest.approx(
        said["utilization:cpu"].mid, rel=1e-6
    )
    assert found.resource("disk").utilization.mid == pytest.approx(
        said["utilization:disk"].mid, rel=1e-6
    )
    assert found.classes[0].response_time.mid == pytest.approx(said["response_time"].mid, rel=1e-6)


def test_a_change_is_one_against_the_hardware_as_written(plain, tmp_path):
    from advisor.configuration.changes import Change

    configuration = load_config(configured(tmp_path, plain))
    four = Change("", ((("disk", "drives"), 4),)).apply(configuration)
    before, after = (outlook(c).resource("disk").utilization.mid for c in (configuration, four))
    assert after < 0.3 * before
    two = Change("", ((("server", "cpus"), 2),)).apply(configuration)
    said = predict(plain, 20, {"servers:cpu": 2})
    assert outlook(two).classes[0].response_time.mid == pytest.approx(
        said["response_time"].mid, rel=1e-6
    )


def test_a_review_runs_on_it():
    found = review(load_config(EXAMPLE))
    assert found.outlook.bottleneck == "cpu"
    assert any("hidden" in name for name, _ in found.outlook.by_member)


def test_what_a_task_cannot_hold_is_left_out_or_refused(tmp_path):
    text = table(model(background=(0.2, 0.0)), runs(), seed=7)
    fitted = calibrate(parse_user_table(text), candidates=[BY_NAME["background load"]])
    assert fitted.best.value("background load of cpu") > 0.1
    path = configured(tmp_path, fitted)
    with pytest.raises(NotApplicable, match="a configuration has no background load of cpu"):
        outlook(load_config(path))


def test_a_station_without_a_place_is_named():
    text = "users,think_time [s],throughput [1/s],utilization:gpu [%]\n"
    text += "1,2,0.400,20.0\n4,2,1.379,68.9\n"
    fitted = calibrate(parse_user_table(text), candidates=[BY_NAME["product form"]])
    hardware = hardware_of(load_config(EXAMPLE))
    with pytest.raises(NotApplicable, match="station 'gpu' of the calibration has no place"):
        calibrated_system(fitted, hardware)


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        ({"calibration": "nowhere.json"}, "nowhere.json: cannot read: no such file"),
        ({"system": "notes31"}, "give either system or calibration, not both"),
        ({"class": [{"name": "edit"}]}, 'unknown task "edit"; there is users'),
        ({"calibration": "config.json"}, "config.json"),
    ],
)
def test_mistakes_are_one_line(plain, tmp_path, workload, words):
    path = configured(tmp_path, plain, **workload)
    with pytest.raises(FileError) as caught:
        load_config(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_without_a_utilization_are_not_counted_twice(tmp_path):
    """What the disk took is in the hidden delay that was fitted; a data sheet would add to it."""
    text = "users,think_time [s],throughput [1/s],response_time [s],cpu [%],volume:vda [KB/s]\n"
    text += "".join(
        f"{n},2,{x:.4f},{n / x - 2.0:.4f},{20 * x:.2f},{300 * x:.1f}\n"
        for n, x in ((1, 0.3846), (3, 1.12), (6, 2.13), (9, 3.0))
    )
    fitted = calibrate(parse_user_table(text), candidates=[BY_NAME["hidden delay"]])
    path = configured(tmp_path, fitted, users=6)
    found, said = outlook(load_config(path)), predict(fitted, 6)
    assert found.classes[0].response_time.mid == pytest.approx(said["response_time"].mid, rel=0.02)
    (note,) = [n for n in system_of(load_config(path)).notes if "is not used" in n]
    assert note.startswith("volume of vda is not used: without its utilization")


def test_one_device_of_the_system_may_be_an_array(plain, tmp_path):
    """A controller shows several drives as one: all together have the demand that was measured."""
    path = configured(tmp_path, plain)
    data = json.loads(path.read_text(encoding="utf-8"))
    data["disk"].update(raid="raid1", drives=2)
    data["workload"]["users"] = 1
    path.write_text(json.dumps(data), encoding="utf-8")
    found, said = outlook(load_config(path)), predict(plain, 1)
    assert found.classes[0].response_time.mid == pytest.approx(said["response_time"].mid, rel=1e-6)


def test_the_system_names_its_source():
    system = system_of(load_config(EXAMPLE))
    assert system.source == "35 numbers of 7 runs"
    assert Path(FITTED).exists()
