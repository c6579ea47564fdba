"""Run buttons: the real library answers in the page, with nothing from outside."""

from __future__ import annotations

import re

import pytest
from conftest import BUILT, Watched, pages

#: A reader waits no longer for a cell, Python's own start included. [ms]
TIME = 10_000
#: Cells that run in the page: not those that need arrays.
CELL = re.compile(r'<div class="cell (?![^"]*tag_(?:needs-arrays|remove-input))[^"]*container"')
WITH_RUN = [p for p in pages() if CELL.search((BUILT / p).read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", WITH_RUN)
def test_every_cell_answers(watched: Watched, path: str) -> None:
    page = watched.open(path)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    buttons = page.get_by_role("button", name="Run", exact=True).all()
    assert buttons
    for i, button in enumerate(buttons):
        output = page.locator(".run-output").nth(i)
        button.click()
        output.wait_for(state="visible", timeout=TIME)
        assert output.get_attribute("data-failed") == "false", output.inner_text()
    assert not watched.faults


def test_edited_cell_says_what_was_wrong(watched: Watched) -> None:
    page = watched.open("learn/hockey_stick.html")
    page.get_by_role("button", name="Run", exact=True).first.click()
    output = page.locator(".run-output").first
    output.wait_for(state="visible", timeout=TIME)
    assert "bottleneck: cpu" in output.inner_text()
    page.get_by_role("button", name="Edit", exact=True).first.click()
    page.locator(".run-source").first.fill("import qmodel as qm\nqm.ClosedClass('a', -1)")
    page.get_by_role("button", name="Run", exact=True).first.click()
    page.wait_for_selector('.run-output[data-failed="true"]')
    assert output.inner_text().splitlines()[-1].endswith("expected >= 0")
    assert "Traceback" not in output.inner_text()
    assert not watched.faults
