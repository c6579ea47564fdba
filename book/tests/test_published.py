"""What lies beside the pages: wrong addresses, the feed of changes, the notebooks."""

from __future__ import annotations

import json
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from conftest import BUILT, Watched
from playwright.sync_api import Page

ATOM = "{http://www.w3.org/2005/Atom}"


def test_page_for_wrong_addresses_leads_to_every_chapter(watched: Watched) -> None:
    page = watched.open("404.html")
    links = page.eval_on_selector_all("a", "all => all.map(a => a.href)")
    assert len(links) > 20
    for link in links:
        path = urlsplit(link).path.removeprefix("/qmodel/")
        assert (BUILT / path).is_file(), path
    page.get_by_label("Search the handbook").fill("asymptotes")
    page.get_by_role("button", name="Search").click()
    page.wait_for_selector("#search-results li a")
    assert not watched.faults


def test_feed_is_named_by_pages_and_parses(watched: Watched) -> None:
    page = watched.open("learn/hockey_stick.html")
    address = page.eval_on_selector('link[type="application/atom+xml"]', "e => e.href")
    assert address.endswith("/qmodel/changes.atom")
    feed = ET.fromstring((BUILT / "changes.atom").read_bytes())
    assert feed.tag == f"{ATOM}feed"
    for each in [feed, *feed.findall(f"{ATOM}entry")]:
        for tag in ("id", "title", "updated"):
            assert each.findtext(f"{ATOM}{tag}")


def test_every_chapter_is_a_notebook() -> None:
    files = BUILT / "lite" / "files"
    chapters = [p for part in ("learn", "decide") for p in (BUILT / part).glob("*.html")]
    assert chapters
    for chapter in chapters:
        path = files / chapter.relative_to(BUILT).with_suffix(".ipynb")
        text = path.read_text(encoding="utf-8")
        assert json.loads(text)["metadata"]["kernelspec"]["name"] == "python"
        assert ":::" not in text
        assert "{math}" not in text


@pytest.mark.parametrize("chapter", ["hockey_stick"])
def test_a_notebook_answers_in_the_browser(watched: Watched, chapter: str) -> None:
    page = watched.page
    page.goto(_notebook(watched, chapter))
    cell = page.locator(".jp-CodeCell").first
    cell.wait_for(timeout=60_000)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("import qmodel as qm; print(qm.__name__, 6 * 7)")
    page.keyboard.press("Shift+Enter")
    cell.locator(".jp-OutputArea-output", has_text="qmodel 42").wait_for(timeout=120_000)
    assert not [fault for fault in watched.faults if not fault.startswith("console: ")]


def _notebook(watched: Watched, chapter: str) -> str:
    """The notebook's address, as the chapter's own page has it."""
    page: Page = watched.open(f"learn/{chapter}.html")
    link = page.get_by_role("link", name="This chapter as a notebook in your browser")
    return str(link.evaluate("e => e.href"))
