"""Every page on a desktop and a phone, light and dark: quiet, narrow enough, accessible."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Watched, pages
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


def test_search_finds(watched: Watched) -> None:
    page = watched.open("search.html?q=asymptotes")
    page.wait_for_selector("#search-results li a")
    assert "hockey" in page.inner_text("#search-results")
    assert not watched.faults
