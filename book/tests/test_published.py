"""What lies beside the pages: wrong addresses, the feed of changes, the notebooks."""

from __future__ import annotations

import json
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from conftest import BUILT, Watched
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as NotInTime

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


NOTEBOOKS = sorted(
    p.relative_to(BUILT / "lite" / "files").with_suffix("").as_posix()
    for p in (BUILT / "lite" / "files").rglob("*.ipynb")
)
#: Whether every cell has been run; those that are folded have no number to be seen.
PROMPTS = """(() => {
    const said = [...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")]
        .map(e => e.textContent);
    const idle = document.querySelector(".jp-Notebook-ExecutionIndicator[data-status=idle]");
    return idle && said.some(t => t.includes("[1]"))
        && !said.some(t => t.includes("[*]") || t.includes("[ ]"));
})()"""
#: The interpreter has started: what is asked of the notebook before that may be lost. The notebook
#: calls itself idle before there is any, then unknown, then idle.
STARTED = """() => {
    const status = document.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status;
    if (status && status !== "idle") window.begun = true;
    return window.begun && status === "idle";
}"""
#: What a notebook shows that does not come to its end.
SHOWN = """() => [document.querySelector(".jp-Notebook-ExecutionIndicator")?.dataset.status,
    ...[...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt, .jp-Dialog")]
        .map(e => e.innerText)].join(" ")"""
ERRORS = """all => all.map(e => e.innerText.slice(-300))"""


@pytest.mark.parametrize("path", [p for p in NOTEBOOKS if p.startswith(("learn/", "decide/"))])
def test_a_notebook_runs_to_its_end(watched: Watched, path: str) -> None:
    page = watched.page
    page.goto(_notebook(watched, path))
    page.locator(".jp-CodeCell").first.wait_for(timeout=90_000)
    page.wait_for_function(STARTED, timeout=120_000)
    page.get_by_text("Run", exact=True).first.click()
    page.get_by_text("Run All Cells", exact=True).click()
    try:
        page.wait_for_function(PROMPTS, timeout=400_000)
    except NotInTime:
        pytest.fail(f"not at its end: {page.evaluate(SHOWN)}")
    failed = '[data-mime-type="application/vnd.jupyter.error"]'
    assert not page.eval_on_selector_all(failed, ERRORS)
    assert not [fault for fault in watched.faults if not fault.startswith("console: ")]


def _notebook(watched: Watched, chapter: str) -> str:
    """The notebook's address, as the chapter's own page has it below its title."""
    page: Page = watched.open(f"{chapter}.html")
    link = page.get_by_role("link", name="open it as a notebook")
    return str(link.evaluate("e => e.href"))
