"""A calibration as a file: there and back, and what a file must not hold."""

import json
from dataclasses import replace
from functools import reduce
from operator import getitem

import pytest

from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import load_calibration, save_calibration
from calibration.predicting.prediction import predict
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from qmodel.errors import FileError
from tests.calibration.synthetic import model, runs, table
from tests.tables import rows

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


def test_an_existing_file_is_kept(fitted, written):
    path = written("a.json", "mine")
    with pytest.raises(FileError, match="exists already"):
        save_calibration(fitted, path)
    save_calibration(fitted, path, force=True)


@pytest.mark.parametrize(
    ("place", "value", "words"), rows(__file__, "a_file_that_is_no_calibration_is_one_line")
)
def test_a_file_that_is_no_calibration_is_one_line(fitted, tmp_path, place, value, words):
    path = tmp_path / "a.json"
    save_calibration(fitted, path)
    data = json.loads(path.read_text(encoding="utf-8"))
    *keys, last = json.loads(place)
    part = reduce(getitem, keys, data)
    part[last] = json.loads(value)
    if value == "null":
        del part[last]
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    with pytest.raises(FileError) as caught:
        load_calibration(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_another_kind_of_file_is_named(written):
    path = written("a.toml", "")
    with pytest.raises(FileError, match="empty calibration"):
        load_calibration(path)
