"""Run buttons: the real library answers in the page, with nothing from outside."""

from __future__ import annotations

import re

import pytest
from conftest import BUILT, Watched, pages

#: A reader waits no longer for the first answer without arrays, Python's own start included, nor
#: for a cell that fetches what it needs. [ms]
TIME, LONGEST = 10_000, 120_000
#: Cells that are shown: all but those without a source.
CELL = re.compile(r'<div class="cell (?![^"]*tag_(?:set-up|remove-input))[^"]*container"')
WITH_RUN = [p for p in pages() if CELL.search((BUILT / p).read_text(encoding="utf-8"))]
#: How many cells of a page have a source that is shown, as the page itself has it.
SHOWN = """[...document.querySelectorAll(".cell:not(.tag_set-up) .cell_input")]
    .filter(e => e.querySelector("pre")).length"""


@pytest.mark.parametrize("path", WITH_RUN)
def test_every_cell_answers(watched: Watched, path: str) -> None:
    page = watched.open(path)
    shown = page.evaluate(SHOWN)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    buttons = page.get_by_role("button", name="Run", exact=True).all()
    assert len(buttons) == shown
    for i in range(shown):
        bar, output = page.locator(".run-bar").nth(i), page.locator(".run-output").nth(i)
        bar.get_by_role("button", name="Run", exact=True).click()
        output.wait_for(state="visible", timeout=LONGEST)
        assert output.get_attribute("data-failed") == "false", output.inner_text()
        assert bar.locator(".run-note").inner_text().startswith("Done in")
    assert not watched.faults


def test_first_answer_is_soon(watched: Watched) -> None:
    page = watched.open("learn/operational_laws.html")
    page.get_by_role("button", name="Run", exact=True).first.click()
    page.locator(".run-output").first.wait_for(state="visible", timeout=TIME)


def test_edited_cell_says_what_was_wrong(watched: Watched) -> None:
    page = watched.open("learn/hockey_stick.html")
    page.get_by_role("button", name="Run", exact=True).first.click()
    output = page.locator(".run-output").first
    output.wait_for(state="visible", timeout=TIME)
    assert "bottleneck: cpu" in output.inner_text()
    page.get_by_role("button", name="Edit", exact=True).first.click()
    page.locator(".run-source").first.fill("import qmodel as qm\nqm.ClosedClass('a', -1)")
    assert page.locator(".run-note").first.inner_text() == "Changed since it ran."
    page.get_by_role("button", name="Run", exact=True).first.click()
    page.wait_for_selector('.run-output[data-failed="true"]')
    assert output.inner_text().splitlines()[-1].endswith("expected >= 0")
    assert "Traceback" not in output.inner_text()
    assert page.locator(".run-note").first.inner_text() == "Failed."
    assert not watched.faults


def test_stop_ends_python_and_says_so(watched: Watched) -> None:
    page = watched.open("learn/operational_laws.html")
    note = page.locator(".run-note")
    page.get_by_role("button", name="Run", exact=True).first.click()
    page.locator(".run-output").first.wait_for(state="visible", timeout=TIME)
    page.get_by_role("button", name="Edit", exact=True).nth(1).click()
    page.locator(".run-source").first.fill("while True: pass")
    page.get_by_role("button", name="Run", exact=True).nth(1).click()
    page.get_by_text("Running", exact=True).wait_for()
    page.get_by_role("button", name="Stop", exact=True).click()
    assert note.nth(1).inner_text().startswith("Stopped.")
    assert note.nth(0).inner_text() == "Will run again: Python was stopped."
    page.locator(".run-source").first.fill("print(round(demand, 3))")
    page.get_by_role("button", name="Run", exact=True).nth(1).click()
    output = page.locator(".run-output").nth(1)
    output.wait_for(state="visible", timeout=TIME)
    assert output.inner_text().strip() == "0.131"  # the cell above ran again, and before it
    assert not watched.faults
