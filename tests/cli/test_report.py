"""Files that the advisor writes, what it is told not to count, and what it explains."""

import json
import re
import sys

import pytest

from advisor.cli import main
from tests.advisor.configurations import OVERLOADED, ROOT

CONFIG = "examples/overloaded.toml"
TODAY = ("--today", "2026-06-01")


@pytest.fixture
def suppressing(tmp_path):
    """The example with every error suppressed, and one suppression that has ended."""
    path = tmp_path / "server.toml"
    text = OVERLOADED.read_text(encoding="utf-8")
    for code in ("CAP001", "MEM001", "TGT001"):
        text += f'\n[[suppress]]\nrule = "{code}"\nreason = "known"\n'
    text += '\n[[suppress]]\nrule = "CPU001"\nreason = "ordered"\nuntil = 2026-01-31\n'
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["new_server", "processor_of_today"])
def test_report_writes_one_file(run, tmp_path, name):
    path = tmp_path / "report.html"
    words = ("report", f"examples/{name}.toml", "-o")
    written = run(*words, path)
    assert (written.code, written.out) == (0, "")
    assert written.err == f"wrote {path}\n"
    assert list(tmp_path.iterdir()) == [path]
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert run(*words, "-").out == page


def test_without_a_name_the_page_is_called_like_the_configuration(monkeypatch, capsys, tmp_path):
    config = tmp_path / "my.server.toml"
    config.write_bytes((ROOT / "examples/new_server.toml").read_bytes())
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

    def report(*more):
        monkeypatch.setattr("sys.argv", ["qmodel", "report", str(config), *more])
        with pytest.raises(SystemExit) as caught:
            main()
        return caught.value.code, capsys.readouterr().err

    # Neither the page nor its pictures need what is not installed by default.
    for name in [n for n in sys.modules if n.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert report() == (0, "wrote my.server.html\n")
    page = (here / "my.server.html").read_text(encoding="utf-8")
    assert 'from <span class="code">my.server.toml</span>' in page
    assert str(tmp_path) not in page
    code, said = report()
    assert code == 2
    assert "my.server.html: exists already; use --force" in said
    assert report("--force")[0] == 0


def test_png_is_refused_before_the_work_where_matplotlib_is_not(run, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("advisor.predicting.load_curve.predict_users", None)
    outcome = run("predict", CONFIG, "--plot", tmp_path / "a.png")
    assert outcome.code == 2
    assert outcome.err.endswith("pip install 'qmodel-capacity[plot]'\n")
    assert outcome.err.count("\n") == 1


def test_suppressed_findings_do_not_fail(run, suppressing):
    assert run("advise", CONFIG, "--fail-on", "error").code == 1
    outcome = run("advise", suppressing, "--fail-on", "error", *TODAY, "--findings")
    assert outcome.code == 0
    assert "error MEM001 documented-need: 32 MB is less" in " ".join(outcome.out.split())
    assert "(suppressed: known)" in " ".join(outcome.out.split())
    ended = "he suppression of CPU001 ended on 2026-01-31: its findings count again"
    assert ended in " ".join(outcome.out.split())
    short = " ".join(run("advise", suppressing, *TODAY).out.split())
    assert ended in short
    assert "suppressed --findings" in short
    assert run("advise", suppressing, "--fail-on", "warning", *TODAY).code == 1


def test_only_new_findings_fail_against_a_baseline(run, tmp_path):
    old = tmp_path / "old.json"
    old.write_text(run("advise", CONFIG, "--json").out, encoding="utf-8")
    data = json.loads(old.read_text(encoding="utf-8"))
    count = len(data["findings"])
    same = run("advise", CONFIG, "--baseline", old, "--fail-on", "note")
    assert same.code == 0
    assert f"against the earlier run: 0 new, {count} unchanged, 0 gone" in same.out
    gone = {**data["findings"][0], "fingerprint": "0" * 16, "message": "was here"}
    data["findings"] = [gone, *data["findings"][:-1]]
    old.write_text(json.dumps(data), encoding="utf-8")
    more = run("advise", CONFIG, "--baseline", old, "--fail-on", "note", "--findings")
    assert more.code == 1
    assert f"1 new, {count - 1} unchanged, 1 gone" in more.out
    assert re.search(rf"^gone +{gone['rule']} [a-z-]+: was here", more.out, re.MULTILINE)
    printed = json.loads(run("advise", CONFIG, "--baseline", old, "--json").out)
    assert len(printed["baseline"]["new"]) == 1


def test_sarif_is_written_beside_the_advice(run, tmp_path):
    path = tmp_path / "advice.sarif"
    outcome = run("advise", CONFIG, "--sarif", path)
    assert outcome.out == run("advise", CONFIG).out
    log = json.loads(path.read_text(encoding="utf-8"))
    assert log["version"] == "2.1.0"
    (place, *_) = log["runs"][0]["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == CONFIG
    first = path.read_bytes()
    assert run("advise", CONFIG, "--sarif", path).code == 2
    assert run("advise", CONFIG, "--sarif", path, "--force").code == 0
    assert path.read_bytes() == first


def test_a_finding_is_explained_by_code_slug_and_fingerprint(run):
    by_code = run("explain", "MEM001", CONFIG)
    assert by_code.code == 0
    assert by_code.out.startswith(f"MEM001 documented-need on {CONFIG}\n")
    assert run("explain", "documented-need", CONFIG).out == by_code.out
    (mark,) = re.findall(r"fingerprint ([0-9a-f]{16})", by_code.out)
    assert run("explain", mark, CONFIG).out == by_code.out
    data = json.loads(run("explain", mark, CONFIG, "--json").out)
    assert data["findings"][0]["fingerprint"] == mark
