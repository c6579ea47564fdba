"""What is published beside the handbook's pages: the feed, wrong addresses, versions, notebooks."""

import json
import re
import tomllib
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.tables import text_of

ROOT = Path(__file__).parents[2]
ATOM = "{http://www.w3.org/2005/Atom}"
CHANGELOG = text_of(__file__, "changelog")


@pytest.fixture
def published(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "book" / "extensions"))
    return import_module("published")


@pytest.fixture
def publish_book(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return import_module("publish_book")


@pytest.fixture
def notebooks(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return import_module("make_notebooks")


def test_feed_has_an_entry_a_version(published):
    feed = ET.fromstring(published.feed(CHANGELOG, "2026-05-04T03:02:01Z", "A & B"))
    assert feed.findtext(f"{ATOM}updated") == "2026-05-04T03:02:01Z"
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "A & B"
    entries = feed.findall(f"{ATOM}entry")
    assert [e.findtext(f"{ATOM}updated") for e in entries] == [
        "2026-05-04T03:02:01Z", "2026-03-01T00:00:00Z", "2026-01-31T00:00:00Z",
    ]  # fmt: skip
    assert [e.findtext(f"{ATOM}title") for e in entries][1:] == ["qmodel: 1.1.0", "qmodel: 1.0.0"]
    assert "<li>A dial for <code>a &lt; b</code>.</li>" in entries[0].findtext(f"{ATOM}content")
    assert len({e.findtext(f"{ATOM}id") for e in [feed, *entries]}) == 4


def test_what_is_not_released_waits_where_its_day_is_unknown(published):
    feed = ET.fromstring(published.feed(CHANGELOG, None, "us"))
    assert len(feed.findall(f"{ATOM}entry")) == 2
    assert feed.findtext(f"{ATOM}updated") == "2026-03-01T00:00:00Z"


def test_page_for_wrong_addresses_links_from_the_root(published):
    page = published.not_found("/q/latest/", {"learn/lans": "Local <networks>"})
    assert '<a href="/q/latest/learn/lans.html">Local &lt;networks&gt;</a>' in page
    assert 'action="/q/latest/search.html"' in page
    assert "src=" not in page


@pytest.fixture
def book(tmp_path):
    made = tmp_path / "book"
    made.mkdir()
    for name in ("index.html", "404.html"):
        (made / name).write_text(name, encoding="utf-8")
    return made


def test_versions_stand_side_by_side(publish_book, book, tmp_path):
    site = tmp_path / "site"
    for tag in ("v1.9.0", "v1.10.0", ""):
        publish_book.publish(book, site, publish_book.folder_of(tag))
    (book / "index.html").write_text("corrected", encoding="utf-8")
    publish_book.publish(book, site, publish_book.folder_of("v1.9.3"))
    assert json.loads((site / "versions.json").read_text()) == ["latest", "v1.10", "v1.9"]
    assert (site / "v1.9" / "index.html").read_text() == "corrected"
    assert (site / "v1.10" / "index.html").read_text() == "index.html"
    assert "url=latest/index.html" in (site / "index.html").read_text()
    assert (site / "404.html").exists()
    for name in ("latest", "v1.10", "v1.9"):
        assert f'href="{name}/index.html"' in (site / "versions.html").read_text()


def test_packages_of_python_are_there_once_for_all_versions(publish_book, book, tmp_path):
    (book / "pyodide").mkdir()
    packages = {n: {"name": n, "file_name": f"{n}-1.whl", "sha256": 64 * n[0]}
                for n in ("numpy", "qmodel-capacity")}  # fmt: skip
    for name in packages:
        (book / "pyodide" / f"{name}-1.whl").write_text(name)
    (book / "pyodide" / "pyodide-lock.json").write_text(json.dumps({"packages": packages}))
    site = tmp_path / "site"
    for tag in ("v1.9.0", ""):
        publish_book.publish(book, site, publish_book.folder_of(tag))
    assert [p.name for p in site.rglob("numpy-1.whl")] == ["numpy-1.whl"]
    assert len(list(site.rglob("qmodel-capacity-1.whl"))) == 2
    home = site / "latest" / "pyodide"
    found = json.loads((home / "pyodide-lock.json").read_text())["packages"]
    assert (home / found["numpy"]["file_name"]).resolve().read_text() == "numpy"
    assert json.loads((site / "versions.json").read_text()) == ["latest", "v1.9"]


@pytest.mark.parametrize("tag", ["1.0", "v1", "v1.2-rc1", "../v1.2"])
def test_a_tag_that_is_no_release_is_refused(publish_book, tag):
    with pytest.raises(ValueError, match="expected one such as"):
        publish_book.folder_of(tag)


def test_what_is_not_built_is_not_published(publish_book, tmp_path):
    with pytest.raises(ValueError, match="make book"):
        publish_book.publish(tmp_path / "none", tmp_path / "site", "latest")


def test_workflow_builds_with_make_and_holds_no_secret():
    text = (ROOT / ".github" / "workflows" / "handbook.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert "make book" in [step.get("run") for step in jobs["build"]["steps"]]
    assert jobs["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert "secrets." not in text.partition("name:")[2]


def test_a_chapter_becomes_a_notebook(notebooks):
    def cell(kind, source, *tags):
        metadata = {"tags": list(tags)} if tags else {}
        return {"cell_type": kind, "metadata": metadata, "source": source}

    text = (
        ":::{anywidget} lans\n:title: The wire\n{}\n:::\n\nSee [there](../a.md#b) and "
        "[that](https://example.org/x.html).\n\n:::{dropdown} Why\nFor $x$.\n:::\n\n"
        "```{math}\nN = 1\n```\n\n:::{ask} How long?\n:answer: 4\n:within: 5\n:unit: s\n:::\n"
        "\n:::{ask} And then?\n:answer: 5\n\n$4 + 1$.\n:::\n"
    )
    outputs = [{"text": ["a\n", "b"]}, {"data": {"text/plain": ["2", "\n3"]}}]
    cells = [
        cell("markdown", text),
        cell("code", "said(1)", "remove-cell"),
        cell("code", "from qmodel.pictures.plot import sheet", "needs-arrays"),
        cell("code", "1 + 1", "hide-cell") | {"outputs": outputs},
    ]
    made = notebooks.notebook({"nbformat": 4, "nbformat_minor": 5, "cells": cells})
    first, *rest = made["cells"]
    assert first["source"].endswith("\nimport numpy, scipy, matplotlib")
    made["cells"] = rest
    sources = [each["source"] for each in rest]
    assert len(sources) == 3
    assert ":::" not in sources[0]
    assert "*The dial The wire is on the chapter's page.*" in sources[0]
    assert "See there and [that](https://example.org/x.html)." in sources[0]
    assert "<details><summary>Why</summary>\n\nFor $x$.\n\n</details>" in sources[0]
    assert "\n$$\nN = 1\n$$\n" in sources[0]
    assert "<details><summary>How long?</summary>\n\n4 s\n</details>" in sources[0]
    assert "And then?</summary>\n\n5 \n\n$4 + 1$.\n</details>" in sources[0]
    assert sources[1].endswith("import sheet")
    assert made["cells"][2]["metadata"]["jupyter"]["source_hidden"]
    assert sources[2] == "1 + 1"
    assert made["cells"][2]["outputs"] == [{"text": "a\nb"}, {"data": {"text/plain": "2\n3"}}]


def test_every_wheel_of_the_browser_is_pinned_with_its_digest():
    text = (ROOT / "book" / "wheels.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all("==" in line for line in lines[::2])
    assert all(line.strip().startswith("--hash=sha256:") for line in lines[1::2])
    assert len(lines) % 2 == 0


def test_what_is_optional_is_told_and_exists():
    """Each extra that users may install stands in the handbook, and no other."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (ROOT / "book/look_up/installation.md").read_text(encoding="utf-8")
    told = set(re.findall(r"qmodel-capacity\[(\w+)\]", page))
    assert told == {*extras["optional-dependencies"]} - {"test", "check", "docs"}
