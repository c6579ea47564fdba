"""What a configuration names lies beside it or below it, whatever way it is written."""

import shutil

import pytest

from tests.advisor.configurations import ROOT

CALIBRATED = (ROOT / "examples" / "mail_server_calibrated.toml").read_text(encoding="utf-8")
NAMED = 'calibration = "calibrated/load_test.json"'


@pytest.fixture
def folder(tmp_path):
    """A folder of a configuration, and a good calibration outside of it."""
    inside = tmp_path / "inside"
    (inside / "deep").mkdir(parents=True)
    source = ROOT / "examples" / "calibrated" / "load_test.json"
    for place in (tmp_path / "k.json", inside / "deep" / "k.json"):
        shutil.copy(source, place)
    return inside


def advised(run, folder, name):
    path = folder / "server.toml"
    path.write_text(CALIBRATED.replace(NAMED, f"calibration = '{name}'"), encoding="utf-8")
    return run("predict", path, "--users", "20")


@pytest.mark.parametrize("name", ["deep/k.json", "./deep/k.json", "deep/../deep/k.json"])
def test_a_file_below_is_read(run, folder, name):
    assert advised(run, folder, name).code == 0


@pytest.mark.parametrize(
    "name", ["../k.json", "deep/../../k.json", "{outside}/k.json", "C:/k.json", "//host/k.json",
             "link/k.json", "link.json", "/etc/passwd", "circle/k.json"]
)  # fmt: skip
def test_a_file_elsewhere_is_refused(run, folder, name):
    (folder / "link").symlink_to(folder.parent)
    (folder / "link.json").symlink_to(folder.parent / "k.json")
    (folder / "circle").symlink_to(folder / "circle")
    done = advised(run, folder, name.format(outside=folder.parent))
    assert (done.code, done.out) == (2, "")
    assert "workload.calibration: " in done.err or "cannot read" in done.err
    if name != "circle/k.json":
        assert "leads out of the folder of this file; put it beside or below" in done.err
    assert "server.toml:" in done.err or name == "circle/k.json"


def test_a_catalogue_elsewhere_is_refused(run, folder):
    path = folder / "server.toml"
    text = (ROOT / "examples" / "new_server.toml").read_text(encoding="utf-8")
    path.write_text(text + '\n[catalogue]\nfile = "../own.toml"\n', encoding="utf-8")
    done = run("advise", path)
    assert (done.code, done.out) == (2, "")
    assert 'catalogue.file: "../own.toml" leads out of the folder' in done.err
