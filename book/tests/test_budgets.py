"""A page with a dial is small, and soon ready."""

from __future__ import annotations

import gzip

import pytest
from conftest import BUILT, pages
from playwright.sync_api import Browser

#: What a reader waits for, compressed as servers do it. [bytes], [s]
SIZE, TIME = 400_000, 1.5
WITH_DIAL = [p for p in pages() if 'data-dial="' in (BUILT / p).read_text(encoding="utf-8")]
READY = "[...document.querySelectorAll('figure[data-dial]')].every(f => f.dataset.ready === 'true')"


def test_there_are_pages_with_dials() -> None:
    assert WITH_DIAL


@pytest.mark.parametrize("path", WITH_DIAL)
def test_page_keeps_its_budget(browser: Browser, site: str, path: str) -> None:
    """All that the page loads by itself, and the best of three times until its dials answer."""
    took = []
    for _ in range(3):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        bodies: list[bytes] = []
        page.on("requestfinished", lambda r, to=bodies: to.append(r.response().body()))
        page.goto(site + path, wait_until="commit")
        page.wait_for_function(READY)
        took.append(page.evaluate("performance.now()") / 1000)
        page.wait_for_load_state("networkidle")
        context.close()
        size = sum(len(gzip.compress(body, 6)) for body in bodies)
        if took[-1] < TIME:
            break
    assert size <= SIZE, f"{size} bytes"
    assert min(took) < TIME, took
