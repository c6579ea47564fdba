"""A calibration as a file: there and back, and what a file must not hold."""

import json
from dataclasses import replace

import pytest

from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import load_calibration, save_calibration
from calibration.predicting.prediction import predict
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from qmodel.errors import FileError
from tests.calibration.synthetic import model, runs, table

SOME = [s for s in STRUCTURES if s.name in {"product form", "hidden delay", "background load"}]


@pytest.fixture(scope="module")
def fitted():
    return calibrate(parse_user_table(table(model(), runs((1, 4, 12)), seed=7)), candidates=SOME)


@pytest.mark.parametrize("name", ["server.json", "server.toml"])
def test_there_and_back(fitted, tmp_path, name):
    path = tmp_path / name
    save_calibration(fitted, path)
    again = load_calibration(path)
    assert again == fitted
    assert predict(again, 30) == predict(fitted, 30)


def test_classes_and_unknown_think_times(tmp_path):
    text = "population,share:b [%],throughput [1/s],response_time [s],cpu\n"
    text += "10,20,1.812,0.48,43.8\n10,40,1.773,0.65,46.5\n20,25,3.367,1.0,81.7\n"
    fitted = calibrate(parse_user_table(text), candidates=SOME[:1])
    for name in ("a.json", "a.toml"):
        save_calibration(fitted, tmp_path / name)
        assert load_calibration(tmp_path / name) == fitted


def test_what_the_data_do_not_see_survives(fitted, tmp_path):
    """An infinite standard error has no place in JSON."""
    best = replace(fitted.best, standard_errors=(float("inf"), *fitted.best.standard_errors[1:]))
    blind = replace(fitted, models=(best, *fitted.models[1:]))
    save_calibration(blind, tmp_path / "a.json")
    assert load_calibration(tmp_path / "a.json") == blind


def test_an_existing_file_is_kept(fitted, tmp_path):
    path = tmp_path / "a.json"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FileError, match="exists already"):
        save_calibration(fitted, path)
    save_calibration(fitted, path, force=True)


def broken(key, value):
    """A change of the file's data at a path of keys."""

    def change(data):
        *path, last = key
        for step in path:
            data = data[step]
        if value is None:
            del data[last]
        else:
            data[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (broken(("schema",), 2), "schema"),
        (broken(("reference",), -1.0), "reference: must be > 0"),
        (broken(("reference",), None), "reference: required"),
        (broken(("colour",), "red"), "colour: unknown key"),
        (broken(("models", 0, "covariance"), [[1.0]]), "models[0].covariance: must be 2 rows"),
        (broken(("models", 0, "covariance"), [[1.0, 2.0], [3.0, 4.0]]), "must be symmetric"),
        (broken(("models", 0, "parameters", 0, "value"), -0.1), "must be > 0, got -0.1"),
        (broken(("models", 0, "parameters", 0, "place"), [0, 7]), "[0, 7] is no place of demand"),
        (broken(("models", 0, "parameters", 0, "place"), [0]), "demand needs 2 position(s)"),
        (broken(("models", 0, "parameters", 0, "field"), "colour"), "field"),
        (broken(("models", 0, "residuals"), [0.0]), "must be one for each number"),
        (broken(("models", 0, "admissible"), False), "the first must be admissible"),
        (broken(("numbers", 0, "run"), 99), "no run 99"),
        (broken(("numbers", 0, "quantity"), "colour"), "quantity"),
        (broken(("runs", 0, "servers"), [1]), "must be one for each station: 2"),
        (broken(("runs", 0, "population"), None), "needs a population, or an arrival_rate"),
        (broken(("runs", 0, "population"), [-1]), "must be >= 0"),
        (broken(("runs", 0, "think_time"), {"nobody": 1.0}), "no class 'nobody'"),
        (
            broken(("models", 0, "name"), "background load at cpu"),
            "models: each needs a name of its own",
        ),
        (broken(("models", 0, "parameters", 0, "value"), 1e300), "must be < 1e+15"),
        (broken(("servers_assumed",), ["tape"]), "no station 'tape'"),
        (broken(("noise", "utilization"), "much"), "noise.utilization: expected number"),
    ],
)
def test_a_file_that_is_no_calibration_is_one_line(fitted, tmp_path, change, words):
    path = tmp_path / "a.json"
    save_calibration(fitted, path)
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    with pytest.raises(FileError) as caught:
        load_calibration(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_another_kind_of_file_is_named(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="empty calibration"):
        load_calibration(path)
