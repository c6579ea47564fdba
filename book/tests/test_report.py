"""The advisor's HTML report in a browser: quiet, narrow enough, accessible, without any request."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from pypdf import PdfReader

import advisor
from advisor.predicting.load_curve import alone_and_at_peak, populations
from advisor.report.html_report import html_report

EXAMPLES = Path(__file__).parents[2] / "examples"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NAMES = ["overloaded", "proliant2000_as_tested", "order_server_calibrated", "new_server"]


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report of each example, as a file."""
    place = tmp_path_factory.mktemp("reports")
    made = {}
    for name in NAMES:
        configuration = advisor.load_config(EXAMPLES / f"{name}.toml")
        growth = alone_and_at_peak(configuration, populations(configuration))
        made[name] = place / f"{name}.html"
        made[name].write_text(html_report(advisor.review(configuration), growth), encoding="utf-8")
    return made


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", NAMES)
def test_report(
    browser: Browser,
    reports: dict[str, Path],
    name: str,
    width: int,
    mode: Literal["light", "dark"],
) -> None:
    address = reports[name].as_uri()
    context = browser.new_context(
        viewport={"width": width, "height": 844 if width == 390 else 800}, color_scheme=mode
    )
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda asked: faults.append(asked.url) if asked.url != address else None)
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (mode == "light")
    # The answer and what to do first are there without scrolling, not cut off, nor over each other.
    height = (page.viewport_size or {})["height"]
    last = 0.0
    for what in ("h1", ".verdict", ".numbers", ".step"):
        box = page.locator(what).first.bounding_box()
        assert box is not None
        assert last <= box["y"]
        assert box["x"] >= 0.0
        assert box["x"] + box["width"] <= width
        last = box["y"] + box["height"]
        assert last <= height, what
    assert page.locator(".verdict .icon").is_visible()
    chart = page.locator("figure svg")
    for text in chart.locator("text").all():
        inner, outer = text.bounding_box(), chart.bounding_box()
        assert inner is not None
        assert outer is not None
        assert inner["x"] >= outer["x"] - 1.0
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1.0
        assert inner["height"] >= 8.0
    # What is folded is looked at as well.
    assert not page.locator("details[open]").count()
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for link in page.locator("main a").all():
        assert page.locator(link.get_attribute("href") or "").count() == 1
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}})
    bad = [f"{v['id']}: {n['target']}" for v in found.response["violations"] for n in v["nodes"]]
    assert not bad, "\n".join(bad)
    assert not faults
    context.close()


@pytest.mark.parametrize("name", NAMES)
def test_report_prints_one_page(browser: Browser, reports: dict[str, Path], name: str) -> None:
    context = browser.new_context(color_scheme="dark", java_script_enabled=False)
    page = context.new_page()
    page.goto(reports[name].as_uri())
    page.emulate_media(media="print")
    for what in (".verdict", ".numbers", ".step", "figure svg", "footer"):
        assert page.locator(what).first.is_visible()
    assert not page.locator("details:visible").count()
    paper = page.evaluate("getComputedStyle(document.body).color")
    assert paper == "rgb(0, 0, 0)"
    with BytesIO(page.pdf(prefer_css_page_size=True)) as printed:
        assert len(PdfReader(printed).pages) == 1
    context.close()
