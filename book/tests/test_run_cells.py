"""Run buttons: the real library answers in the page, with nothing from outside."""

from __future__ import annotations

from conftest import Watched


def test_run_and_edit(watched: Watched) -> None:
    page = watched.open("learn/hockey_stick.html")
    page.get_by_role("button", name="Run", exact=True).first.click()
    output = page.locator(".run-output").first
    output.wait_for(state="visible", timeout=30_000)
    assert "bottleneck: cpu" in output.inner_text()
    page.get_by_role("button", name="Edit", exact=True).first.click()
    page.locator(".run-source").first.fill("import qmodel as qm\nqm.ClosedClass('a', -1)")
    page.get_by_role("button", name="Run", exact=True).first.click()
    page.wait_for_selector('.run-output[data-failed="true"]')
    assert output.inner_text().splitlines()[-1].endswith("expected >= 0")
    assert "Traceback" not in output.inner_text()
    assert not watched.faults
