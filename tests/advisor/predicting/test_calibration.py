"""Advice on a server's own calibration."""

import json
from pathlib import Path

import pytest

from advisor.configuration.changed_keys import change_of
from advisor.loading import load_config
from advisor.predicting.prediction import outlook
from advisor.predicting.workload import system_of
from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import save_calibration
from calibration.predicting.prediction import predict
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from qmodel.errors import FileError
from tests.advisor.configurations import ROOT
from tests.calibration.synthetic import model, runs, table
from tests.tables import rows

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


@pytest.mark.parametrize(("workload", "words"), rows(__file__, "mistakes"))
def test_mistakes_are_one_line(plain, tmp_path, workload, words):
    path = configured(tmp_path, plain, **workload)
    with pytest.raises(FileError) as caught:
        load_config(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


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


@pytest.mark.parametrize("name", ["mail_server_calibrated", "domino46_mail_discussion"])
def test_users_pause_as_measured_only_where_nothing_is_said(name):
    """Of a calibration and of a measured system: a pause of 0 is not the measured one."""
    found = load_config(EXAMPLE.with_name(f"{name}.toml"))
    none, short = (
        outlook(change_of(found, [f"workload.think_time={time}"]).apply(found)).response_time.mid
        for time in ("0 s", "1 ms")
    )
    assert none == pytest.approx(short, rel=0.01)
    assert none > 1.2 * outlook(found).response_time.mid
