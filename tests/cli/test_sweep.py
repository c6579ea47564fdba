"""``qmodel sweep``: the same figures as the library."""

import csv
import json

import pytest

import qmodel as qm
from tests.tables import asked, rows, text_of

MODEL = text_of(__file__, "model")


@pytest.fixture
def model(written):
    return written("model.toml", MODEL)


GRID = ("--vary", "users=1:200", "--vary", "demand.cpu=0.1s:0.3s:0.05s")
VARY = {"users": range(1, 201), "demand.cpu": [0.1, 0.15, 0.2, 0.25, 0.3]}


def test_the_command_gives_the_figures_of_the_library(run, model, tmp_path):
    done = run("sweep", model, *GRID, "--to", tmp_path / "a.csv")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"wrote {tmp_path / 'a.csv'}: 1000 points\n"
    columns = qm.sweep(qm.load_network(model), VARY).columns()
    with (tmp_path / "a.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1000
    for name, values in columns.items():
        assert [float(row[name]) for row in rows] == values.tolist()
    data = json.loads(run("sweep", model, *GRID, "--json").out)
    assert data["columns"] == {name: values.tolist() for name, values in columns.items()}
    assert (data["points"], data["methods"], data["problems"]) == (1000, ["mva"], {})


def test_a_short_table_for_people_and_a_cut_one(run, model, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("sweep", model, "--vary", "users=1:30").out.splitlines()
    assert lines[0] == "30 points, solved by mva"
    heads = "users response_time throughput utilization utilization"
    assert lines[2].split() == heads.split()
    assert lines[3].split() == ["[s]", "[/s]", "cpu", "disk"]
    alone = qm.solve(qm.load_network(model))
    shown = ["20", f"{alone.response_times[0]:.6g}", f"{alone.throughputs[0]:.6g}"]
    assert lines[3 + 20].split()[:3] == shown
    assert len(lines) == 30 + 4
    assert run("sweep", model, "--vary", "users=1").out.startswith("1 point, solved by")
    assert "1 more point: --all" in run("sweep", model, "--vary", "users=1:31").out
    cut = run("sweep", model, *GRID).out.splitlines()
    assert any("970 more points: --all" in line for line in cut)
    assert len(cut) <= 40
    assert len(run("sweep", model, *GRID, "--all").out.splitlines()) > 1000


def test_a_file_and_workers(run, model, tmp_path):
    done = run("sweep", model, *GRID, "-o", tmp_path / "a.csv", "--workers", "2", "--json")
    summary = json.loads(done.out)
    assert summary.pop("provenance")["methods"] == ["mva"]
    assert summary == {
        "schema": 3, "command": "sweep", "path": str(tmp_path / "a.csv"), "points": 1000,
        "resumed": 0, "without_answer": 0, "methods": ["mva"],
    }  # fmt: skip
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 1001


def test_points_without_an_answer_are_named(run, tmp_path):
    (tmp_path / "open.toml").write_text(
        '[[station]]\nname = "cpu"\nkind = "queueing"\n'
        '[[class]]\nname = "mail"\narrival_rate = "1 /s"\ndemand = { cpu = "0.5 s" }\n'
    )
    some = run("sweep", tmp_path / "open.toml", "--vary", "arrival_rate=1/s:3/s:1/s")
    assert some.code == 0
    assert some.err.startswith("2 of 3 points have no answer; point 1: class 'mail'")
    assert "nan" in some.out
    none = run("sweep", tmp_path / "open.toml", "--vary", "arrival_rate=3/s:5/s:1/s", "--json")
    assert none.code == 3
    assert json.loads(none.out)["columns"]["throughput"] == [None] * 3


@pytest.mark.parametrize(("arguments", "said"), rows(__file__, "mistakes"))
def test_a_mistake_is_exit_code_2(run, model, arguments, said):
    done = run("sweep", model, *asked(arguments, globals()))
    assert (done.code, done.out) == (2, "")
    assert said in done.err
