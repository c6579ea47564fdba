"""What leaves the program is harmless where it is opened: spreadsheets, browsers, editors."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from qmodel.documents.writing import harmless_cell
from tests.advisor.configurations import ROOT

NEW = (ROOT / "examples" / "new_server.toml").read_text(encoding="utf-8")
MODEL = (ROOT / "examples" / "two_tier.toml").read_text(encoding="utf-8")
MARKUP = "<script>alert(1)</script>&'x' ]]>"


def harmless(text):
    return not any(cell.startswith(tuple("=+-@")) and not is_number(cell)
                   for row in csv.reader(io.StringIO(text)) for cell in row)  # fmt: skip


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1"])
def test_what_a_spreadsheet_would_compute_is_text(text):
    assert harmless_cell(text) == "'" + text
    assert harmless_cell("mail" + text) == "mail" + text


def test_no_cell_is_a_formula(run, tmp_path):
    name = "=1+1"
    server, model = tmp_path / "server.toml", tmp_path / "model.toml"
    server.write_text(NEW.replace('name = "mail"', f'name = "{name}"'), encoding="utf-8")
    model.write_text(MODEL.replace('"edit"', f'"{name}"'), encoding="utf-8")
    calls = (
        ("predict", server, "--users", "100", "-o", tmp_path / "a.csv"),
        ("simulate", model, "--until", "2s", "-o", tmp_path / "b.csv"),
        ("sweep", model, "--vary", "demand.report.cpu=0.1 s,0.2 s", "--to", tmp_path / "c.csv"),
    )
    for call in calls:
        done = run(*call)
        assert done.code == 0, done.err
        text = call[-1].read_text(encoding="utf-8")
        assert name in text or call[0] == "sweep"
        assert harmless(text)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, tuple(name for name, _ in attrs)))


def page(run, tmp_path, name):
    path, out = tmp_path / "server.toml", tmp_path / "a.html"
    path.write_text(NEW.replace('name = "mail"', f"name = {json.dumps(name)}"), encoding="utf-8")
    done = run("report", path, "-o", out, "--force")
    assert done.code == 0, done.err
    return out.read_text(encoding="utf-8")


def test_a_report_has_the_same_tags_whatever_a_class_is_called(run, tmp_path):
    plain, marked = Tags(), Tags()
    plain.feed(page(run, tmp_path, "mail"))
    marked.feed(page(run, tmp_path, MARKUP))
    assert marked.seen == plain.seen
    assert not any(name.startswith("on") for _, names in marked.seen for name in names)


def test_pictures_and_sarif_hold_names_as_text(run, written, tmp_path):
    path = written("server.toml", NEW.replace('name = "mail"', f"name = {json.dumps(MARKUP)}"))
    drawn, sarif = tmp_path / "a.svg", tmp_path / "a.sarif"
    assert run("predict", path, "--users", "100:400:100", "--plot", drawn).code == 0
    tree = ET.fromstring(drawn.read_text(encoding="utf-8"))
    assert not [each for each in tree.iter() if each.tag.endswith("script")]
    assert run("advise", path, "--sarif", sarif).code == 0
    assert json.loads(sarif.read_text(encoding="utf-8"))


def test_a_name_of_100_000_letters(run, written):
    long = "n" * 100_000
    done = run("advise", written("server.toml", NEW.replace('name = "mail"', f'name = "{long}"')))
    assert done.code in {0, 2}
    if done.code == 2:
        assert re.fullmatch(r".{1,400}\n", done.err)
    else:
        assert max(map(len, done.out.splitlines())) <= 100
