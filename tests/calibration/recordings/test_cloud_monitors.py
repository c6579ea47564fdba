"""Exports of cloud monitors, made up by their documentation: minutes that Prometheus has too."""

from pathlib import Path

import pytest

from calibration.recordings.importing import columns_of, import_files
from calibration.recordings.joining import joined
from calibration.recordings.loading import load_recordings
from calibration.recordings.source import opened
from qmodel.errors import FileError
from tests.tables import rows

HERE = Path(__file__).parent / "cloud_monitors"
ALIAS = {"vol-1": "sda", "disk": "sda", "network": "eth0"}


def means(*names):
    together = joined(load_recordings([opened(str(HERE / name)) for name in names]))
    found = {(s.quantity, ALIAS.get(s.of, s.of)): s.mean(*together.span) for s in together.series}
    return {key: mean for key, mean in found.items() if mean is not None}, together.span


@pytest.mark.parametrize(("names", "quantities"), rows(__file__, "files"))
def test_the_same_minutes_are_those_of_prometheus(names, quantities):
    found, span = means(*names.split())
    truth, whole = means("prometheus.json")
    assert (span, {quantity for quantity, _ in found}) == (whole, set(quantities))
    assert found == {key: pytest.approx(truth[key], rel=2e-5) for key in found}


@pytest.mark.parametrize(("text", "name", "values"), rows(__file__, "read"))
def test_a_metric_is_taken_in_its_unit_and_for_its_interval(tmp_path, text, name, values):
    (tmp_path / "a.json").write_text(text)
    (found,) = load_recordings([opened(str(tmp_path / "a.json"))])[0].series
    assert (found.name, found.value.tolist()) == (name, pytest.approx(values))


@pytest.mark.parametrize(("text", "columns", "said"), rows(__file__, "said"))
def test_what_is_not_certain_is_asked_or_said(tmp_path, text, columns, said):
    (tmp_path / "a.json").write_text(text)
    try:
        made = import_files([str(tmp_path / "a.json")], columns_of(columns))
        answer = "; ".join((*made.notes, *(each.quantity for each in made.table.columns)))
    except FileError as error:
        answer = str(error)
    assert said in answer
