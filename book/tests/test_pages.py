"""Every page on a desktop and a phone, light and dark: quiet, narrow enough, accessible."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import BUILT, Watched, pages
from playwright.sync_api import Browser

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", pages())
def test_page(
    browser: Browser, site: str, path: str, width: int, mode: Literal["light", "dark"]
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=mode)
    watched = Watched(context, site)
    page = watched.open(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    faults = list(watched.faults)  # those of the page; axe asks for style sheets in its own way
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}})
    bad = [
        f"{v['id']}: {node['target']} {node['failureSummary'].splitlines()[-1].strip()}"
        for v in found.response["violations"]
        for node in v["nodes"]
    ]
    context.close()
    assert not faults
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("path", pages())
def test_page_reads_without_javascript(browser: Browser, site: str, path: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site + path)
    assert len(page.inner_text("main")) > 200
    for dial in page.locator("figure[data-dial]").all():
        assert len(dial.locator("noscript").inner_text()) > 20
    for picture in page.locator("main svg[role=img], main img").all():
        assert picture.get_attribute("aria-label") or picture.get_attribute("alt")
    context.close()


#: A word of the field, and a chapter that must be among what the search finds.
SEARCHED = {
    "asymptotes": "hockey", "Poisson": "what_a_queue", "PASTA": "what_a_queue",
    "FCFS": "what_a_queue", "latency": "what_a_queue", "steady state": "what_a_queue",
    "BCMP": "mean_value",
    "processor sharing": "mean_value", "Kingman": "variability", "Pollaczek": "variability",
    "SLO": "variability", "IOPS": "disks", "Amdahl": "scalability", "USL": "scalability",
    "Erlang": "what_a_queue", "coordinated omission": "open_and_closed", "throttled": "cloud",
    "backlog": "overload", "elasticity": "sensitivity", "saturation": "hockey",
}  # fmt: skip


@pytest.mark.parametrize(("word", "chapter"), SEARCHED.items())
def test_search_finds(watched: Watched, word: str, chapter: str) -> None:
    page = watched.open(f"search.html?q={word.replace(' ', '+')}")
    page.wait_for_selector("#search-results li a")
    page.wait_for_timeout(500)
    links = page.eval_on_selector_all("#search-results li a", "all => all.map(a => a.href)")
    assert any(chapter in link for link in links), links
    assert not watched.faults


@pytest.mark.parametrize("path", pages())
def test_page_is_not_too_long(path: str) -> None:
    assert (BUILT / path).stat().st_size < 500_000


CHAPTERS = [p for p in pages() if p.startswith(("learn/", "decide/"))]


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_says_where_it_breaks_and_has_six_exercises_from_easy_to_hard(path: str) -> None:
    text = (BUILT / path).read_text(encoding="utf-8")
    headings = re.findall(r"<h2>(.*?)<a ", text)
    assert any("breaks" in h or "where it fails" in h for h in headings), headings
    stars = re.findall(r"<p>(★+) ", text)
    assert len(stars) == 6
    assert stars == sorted(stars)


def test_a_number_is_checked(watched: Watched) -> None:
    page = watched.open("learn/littles_law.html")
    box = page.locator(".ask").first
    for given, words in (("5", "too large"), ("x", "Give a number"), ("4", "Right.")):
        box.locator("input").fill(given)
        box.get_by_role("button", name="Check").click()
        assert words in box.locator(".ask-said").inner_text()
    page = watched.open("learn/overload.html")
    box = page.locator(".ask").first
    for given in ("18,000", "18000", "18.000,0"):
        box.locator("input").fill(given)
        box.get_by_role("button", name="Check").click()
        assert (box.get_attribute("data-right") == "true") == (given != "18.000,0")
    assert not watched.faults


def test_a_page_opened_from_the_disk_says_how_to_open_it(browser: Browser) -> None:
    page = browser.new_page()
    page.goto((BUILT / "index.html").as_uri())
    assert "python -m http.server" in page.locator(".dial-stage").inner_text()
    page.close()


def test_on_paper_answers_are_open_and_dials_say_their_state(watched: Watched) -> None:
    page = watched.open("learn/hockey_stick.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("article details:not([open])").count() == 0
    assert "Users 50" in page.locator(".dial-state").first.inner_text()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("article details[open]").count() == 0
    assert page.locator(".dial-state").count() == 0
