"""Sweeps on disk: whole or going on, never another one's, never half a row."""

import json

import numpy as np
import pytest

import qmodel as qm
from qmodel.analysis.sweep.csv_store import CsvStore
from qmodel.errors import FileError
from tests.tables import asked, rows

NETWORK = qm.Network(
    [qm.QueueingStation("cpu"), qm.DelayStation("lan, far")],
    [qm.ClosedClass("people", 1, think_time=5.0)], [[0.4, 0.1]],
)  # fmt: skip
VARY = {"demand.cpu": [0.1, 0.2, 0.3, 0.0, 0.7], "population": range(1, 9)}
OPEN = qm.Network([qm.QueueingStation("cpu")], [qm.OpenClass("a, b", 1.0)], [[0.4]])
NAME = "sweep.csv"


class Stopped(Exception):
    """What Ctrl-C is in these tests."""


def test_progress_begins_behind_what_is_done(tmp_path):
    seen = []
    with pytest.raises(Stopped):
        qm.sweep(NETWORK, VARY, to=tmp_path / "a.csv", chunk=7, progress=stop_after(14))
    qm.sweep(
        NETWORK, VARY, to=tmp_path / "a.csv", chunk=7,
        progress=lambda done, points: seen.append((done, points)),
    )  # fmt: skip
    assert seen == [(done, 40) for done in (14, 21, 28, 35, 40)]


def stop_after(points):
    def progress(done, _points):
        if done >= points:
            raise Stopped

    return progress


def everything(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def same(found, expected):
    assert list(found) == list(expected)
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)


def test_what_is_on_disk_is_what_memory_would_hold(tmp_path):
    stored = qm.sweep(NETWORK, VARY, to=tmp_path / NAME, chunk=7)
    expected = qm.sweep(NETWORK, VARY, chunk=7)
    assert (stored.points, stored.resumed, stored.without_answer) == (40, 0, 0)
    assert stored.methods == expected.methods
    columns = stored.columns()
    columns.pop("problem", None)
    same(columns, expected.columns())


@pytest.mark.parametrize("stops", [[7], [14, 21], [1, 1, 40]])
def test_a_sweep_goes_on_where_it_was_stopped(tmp_path, stops):
    (tmp_path / "whole").mkdir()
    whole = qm.sweep(NETWORK, VARY, to=tmp_path / "whole" / NAME, chunk=7)
    (tmp_path / "part").mkdir()
    for points in stops:
        with pytest.raises(Stopped):
            qm.sweep(
                NETWORK, VARY, to=tmp_path / "part" / NAME, chunk=7, progress=stop_after(points)
            )
        assert not (tmp_path / "part" / NAME).exists()
        with (tmp_path / "part" / "sweep.csv.partial").open("ab") as file:
            file.write(b"half a ro")  # what was written when it was killed
    stored = qm.sweep(NETWORK, VARY, to=tmp_path / "part" / NAME, chunk=7)
    assert stored.points == whole.points
    assert stored.resumed >= min(7 * len(stops), 35)
    same(stored.columns(), whole.columns())
    assert everything(tmp_path / "part") == everything(tmp_path / "whole")


def test_another_request_is_refused(tmp_path):
    to = tmp_path / NAME
    with pytest.raises(Stopped):
        qm.sweep(NETWORK, VARY, to=to, chunk=7, progress=stop_after(7))
    before = everything(tmp_path)
    others = [
        lambda: qm.sweep(NETWORK, {**VARY, "population": range(1, 10)}, to=to, chunk=7),
        lambda: qm.sweep(NETWORK, VARY, to=to, chunk=8),
        lambda: qm.sweep(NETWORK, VARY, to=to, chunk=7, method="bard-schweitzer"),
        lambda: qm.sweep(NETWORK.with_population(2), VARY, to=to, chunk=7),
        lambda: qm.sweep([NETWORK], to=to, chunk=7),
        lambda: qm.sweep(NETWORK, rows={"users": [1, 2]}, to=to, chunk=7),
    ]
    for other in others:
        with pytest.raises(FileError, match="holds another sweep"):
            other()
    assert everything(tmp_path) == before
    assert qm.sweep(OPEN, {"arrival_rate": [1.0]}, to=to, force=True).points == 1


def test_a_csv_file_that_is_there_is_not_overwritten(tmp_path):
    to = tmp_path / "sweep.csv"
    qm.sweep(NETWORK, VARY, to=to)
    assert [p.name for p in tmp_path.iterdir()] == ["sweep.csv"]
    with pytest.raises(FileError, match=r"exists already; use --force \(force=True\)"):
        qm.sweep(NETWORK, VARY, to=to)
    qm.sweep(NETWORK, {"users": [1]}, to=to, force=True)
    assert len(to.read_text().splitlines()) == 2


def test_points_without_answer_are_empty_cells_with_a_reason(tmp_path):
    stored = qm.sweep(OPEN, {"arrival_rate": [1.0, 9.0, 2.0]}, to=tmp_path / "a.csv", chunk=2)
    header, first, second, _ = (tmp_path / "a.csv").read_text().splitlines()
    assert header.split(",")[:3] == ["arrival_rate", "throughput", "response_time"]
    assert first.startswith("1.0,1.0,0.66666")
    assert second.startswith("9.0,,,,,,\"class 'a, b' at station 'cpu': utilization would be 360 %")
    assert (stored.without_answer, list(stored.problems)) == (1, [1])
    assert np.isnan(stored.columns()["throughput"][1])


def test_reasons_are_kept_of_the_first_and_counted_of_all(tmp_path):
    rates = np.linspace(3.0, 9.0, 500)
    stored = qm.sweep(OPEN, {"arrival_rate": rates}, to=tmp_path / "a.csv", chunk=50)
    assert (stored.without_answer, len(stored.problems)) == (500, 100)


def test_networks_go_to_disk_as_well(tmp_path):
    many = [NETWORK.with_population(n) for n in range(30)]
    with pytest.raises(Stopped):
        qm.sweep(many, to=tmp_path / "a.csv", chunk=4, progress=stop_after(9))
    with pytest.raises(FileError, match="holds another sweep"):
        qm.sweep(many[::-1], to=tmp_path / "a.csv", chunk=4)
    stored = qm.sweep(many, to=tmp_path / "a.csv", chunk=4)
    assert stored.resumed == 12
    assert stored.columns()["network"].tolist() == list(range(30))


@pytest.mark.parametrize(
    ("name", "said"), rows(__file__, "a_place_that_cannot_be_written_is_one_line")
)
def test_a_place_that_cannot_be_written_is_one_line(tmp_path, name, said):
    with pytest.raises(FileError, match=said):
        qm.sweep(NETWORK, VARY, to=tmp_path / name)


def test_a_folder_where_a_file_is_wanted(tmp_path):
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(FileError, match="exists already"):
        qm.sweep(NETWORK, VARY, to=tmp_path / "a.csv")


def test_a_partial_file_that_lost_something(tmp_path):
    to = tmp_path / "a.csv"
    with pytest.raises(Stopped):
        qm.sweep(NETWORK, VARY, to=to, chunk=7, progress=stop_after(14))
    CsvStore(to).partial.write_bytes(b"demand.cpu\n")
    with pytest.raises(FileError, match=r"is shorter than the .* bytes its manifest knows"):
        qm.sweep(NETWORK, VARY, to=to, chunk=7)


@pytest.mark.parametrize("spoilt", [spoilt for (spoilt,) in rows(__file__, "manifests")])
def test_a_manifest_that_was_changed_hides_no_points(tmp_path, spoilt):
    to = tmp_path / NAME
    with pytest.raises(Stopped):
        qm.sweep(NETWORK, VARY, to=to, chunk=7, progress=stop_after(7))
    manifest = CsvStore(to).manifest
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | asked(spoilt, globals())))
    with pytest.raises(FileError, match="is no manifest of a sweep; remove it, or use --force"):
        qm.sweep(NETWORK, VARY, to=to, chunk=7)
    assert qm.sweep(NETWORK, VARY, to=to, chunk=7, force=True).points == 40


@pytest.mark.parametrize(
    "content", [b"\xff\xfe{", b"[" * 100_000, b"[1]", b"null", b"{}", b"9" * 5000]
)
def test_a_manifest_that_is_something_else(tmp_path, content):
    to = tmp_path / "sweep.csv"
    CsvStore(to).manifest.write_bytes(content)
    with pytest.raises(FileError, match="is no manifest of a sweep; remove it, or use --force"):
        qm.sweep(NETWORK, VARY, to=to)
