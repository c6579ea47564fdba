"""Every dial answers as the library does, to the last bit, by mouse and by keyboard."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import BUILT, Watched
from playwright.sync_api import Locator

BOOK = Path(__file__).parents[1]
#: Modules in book/dials that are no dials themselves.
PARTS = {"ask", "chart", "erlang", "host", "kit", "measured_runs", "print", "python_worker", "run",
         "solver", "versions"}  # fmt: skip
DIALS = sorted(p.stem for p in (BOOK / "dials").glob("*.mjs") if p.stem not in PARTS)

#: Name, state, values, sentence and everything that can be read of a dial.
ALL = """(figure) => {
    const stage = figure.querySelector(".dial-stage");
    return [figure.dataset.dial, stage.dataset.current ?? "{}", stage.dataset.values ?? "{}",
        figure.querySelector(".dial-sentence").innerText, figure.innerText];
}"""


@cache
def page_of(dial: str) -> str:
    """The first page that has the dial."""
    for path in sorted(BUILT.rglob("*.html")):
        if f'data-dial="{dial}"' in path.read_text(encoding="utf-8"):
            return path.relative_to(BUILT).as_posix()
    pytest.fail(f"no page has the dial {dial!r}")


def expected(dial: str, state: dict[str, Any]) -> dict[str, float]:
    """What the library says: `values` of the module of the same name in book/tests/dials."""
    found: dict[str, float] = importlib.import_module(f"dials.{dial}").values(state)
    return found


def precision(dial: str) -> dict[str, float]:
    """Values that are not the same to rounding but to this part of them, which it says."""
    found: dict[str, float] = getattr(importlib.import_module(f"dials.{dial}"), "PRECISION", {})
    return found


def open_dial(watched: Watched, dial: str) -> Locator:
    return watched.open(page_of(dial)).locator(f'figure[data-dial="{dial}"]').first


def state_of(figure: Locator) -> dict[str, Any]:
    """What the controls say."""
    text = figure.locator(".dial-stage").get_attribute("data-current") or "{}"
    found: dict[str, Any] = json.loads(text)
    return found


def values_of(figure: Locator) -> dict[str, float]:
    text = figure.locator(".dial-stage").get_attribute("data-values") or "{}"
    found: dict[str, float] = json.loads(text)
    return found


def agrees(figure: Locator) -> None:
    """The page's values are the library's, to rounding; and there is a sentence, without NaN."""
    name, state, values, sentence, text = figure.evaluate(ALL)  # at once: it is asked a lot
    found, wanted = json.loads(values), expected(name, json.loads(state))
    for key, part in precision(name).items():
        if key not in wanted:
            continue
        assert found.pop(key) == pytest.approx(wanted.pop(key), rel=part)
    assert found == pytest.approx(wanted, rel=1e-13, abs=0.0)  # sums round by their order
    assert len(sentence) > 20
    assert not re.search("NaN|undefined|Infinity|null", text)


@pytest.mark.parametrize("dial", DIALS)
def test_mouse_and_keyboard(watched: Watched, dial: str) -> None:
    figure = open_dial(watched, dial)
    agrees(figure)
    for slider in figure.locator("input[type=range]").all():
        width, height = slider.evaluate("e => [e.offsetWidth, e.offsetHeight]")
        for share in (0.2, 0.55, 0.9):
            slider.click(position={"x": share * width, "y": height / 2})
            agrees(figure)
        for key in ("ArrowLeft", "ArrowLeft", "Home", "ArrowRight", "End", "PageDown"):
            slider.press(key)
            agrees(figure)
    for select in figure.locator("select").all():
        for option in select.locator("option").all():
            select.select_option(value=option.get_attribute("value"))
            agrees(figure)
    assert not watched.faults


@pytest.mark.parametrize("dial", DIALS)
def test_bad_input_gets_a_sentence_and_changes_nothing(watched: Watched, dial: str) -> None:
    figure = open_dial(watched, dial)
    before = values_of(figure)
    for number in figure.locator("input[type=number]").all():
        kept = number.input_value()
        for text in ("", "-1", "1e9", "-"):
            number.press("Control+a")
            number.type(text) if text else number.press("Delete")
            hint = number.locator("xpath=..").locator(".dial-hint").inner_text()
            assert "goes from" in hint or values_of(figure) != before or text == "-"
            assert not re.search("NaN|undefined", figure.inner_text())
        number.fill(kept)
        number.blur()
    figure.get_by_role("button", name="Reset").click()
    assert values_of(figure) == before
    assert not watched.faults


@pytest.mark.parametrize("dial", DIALS)
def test_address_keeps_the_state(watched: Watched, dial: str) -> None:
    figure = open_dial(watched, dial)
    for slider in figure.locator("input[type=range]").all():
        slider.press("PageUp")
    page = watched.page
    page.wait_for_function("location.search.length > 1")
    page.wait_for_timeout(600)
    kept, address = values_of(figure), page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(f'figure[data-dial="{dial}"][data-ready]')
    figure = page.locator(f'figure[data-dial="{dial}"]').first
    assert values_of(figure) == kept
    name = f"{dial}.{next(iter(state_of(figure)))}"
    for nonsense in ("NaN", "-7", "1e99", "x", ""):
        page.goto(address.split("?")[0] + f"?{name}={nonsense}")
        page.wait_for_selector(f'figure[data-dial="{dial}"][data-ready=true]')
        assert values_of(page.locator(f'figure[data-dial="{dial}"]').first)


@pytest.mark.parametrize("dial", DIALS)
def test_copied_python_runs(watched: Watched, dial: str) -> None:
    figure = open_dial(watched, dial)
    button = figure.get_by_role("button", name="Copy as Python")
    button.click()
    figure.page.wait_for_function("(b) => b.dataset.python", arg=button.element_handle())
    text = str(button.get_attribute("data-python"))
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", text], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()


@pytest.mark.parametrize("dial", DIALS)
def test_answers_in_ten_milliseconds(watched: Watched, dial: str) -> None:
    """The median over the whole range of the first slider."""
    figure = open_dial(watched, dial)
    took = figure.locator("input[type=range]").first.evaluate(
        """(slider) => {
            const took = [];
            for (let i = 0; i <= 40; i++) {
                slider.value = Number(slider.min) + (slider.max - slider.min) * i / 40;
                const start = performance.now();
                slider.dispatchEvent(new Event("input"));
                took.push(performance.now() - start);
            }
            return took.sort((a, b) => a - b)[20];
        }"""
    )
    assert took < 10.0


#: Dials whose picture is no chart of a few hundred pixels, or that have none.
WITHOUT_CHART = {"operational_laws", "mva_steps", "timetable", "pasted_csv"}
#: How much of the chart is seen once a control is where a reader moves it.
SEEN = """(control) => {
    control.scrollIntoView({ block: "nearest" });
    const box = control.closest(".dial-stage").querySelector("svg.chart").getBoundingClientRect();
    return (Math.min(innerHeight, box.bottom) - Math.max(0, box.top)) / box.height;
}"""


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("dial", [d for d in DIALS if d not in WITHOUT_CHART])
def test_chart_is_seen_while_a_control_moves(
    watched: Watched, dial: str, size: tuple[int, int]
) -> None:
    watched.page.set_viewport_size({"width": size[0], "height": size[1]})
    figure = open_dial(watched, dial)
    for control in figure.locator(".dial-control").all():
        assert control.evaluate(SEEN) > 0.6, control.inner_text()


#: Dials that draw numbers of a table, and along which axis their bars go.
MEASURED = {
    "local_replicas": "y",
    "faster_processor": "y",
    "users_on_drives": "y",
    "agent_memory": "x",
}
POINTS = "all => all.map(e => ({...e.dataset}))"


@pytest.mark.parametrize(("dial", "axis"), MEASURED.items())
def test_measured_points_have_the_bars_of_their_table(
    watched: Watched, dial: str, axis: str
) -> None:
    figure = open_dial(watched, dial)
    wanted = importlib.import_module(f"dials.{dial}").measured(state_of(figure))
    found = figure.locator("svg.chart circle.measured").evaluate_all(POINTS)
    assert [(float(p["x"]), float(p["y"])) for p in found] == [(x, y) for x, y, _ in wanted]
    ends = ("low", "high") if axis == "y" else ("left", "right")
    for point, (_, _, half) in zip(found, wanted, strict=True):
        reach = float(point[ends[1]]) - float(point[axis])
        assert reach == pytest.approx(half, rel=1e-9)
        if axis == "y":
            assert float(point["y"]) - float(point["low"]) == pytest.approx(half, rel=1e-9)
    assert figure.locator("svg.chart .error-bar").count() >= 3 * len(wanted)


def test_axes_stay_while_a_slider_moves(watched: Watched) -> None:
    figure = open_dial(watched, "closed_network")
    slider = figure.locator("input[type=range]").first
    slider.press("ArrowRight")
    before = figure.locator("svg.chart .tick").all_inner_texts()
    slider.press("ArrowLeft")
    assert figure.locator("svg.chart .tick").all_inner_texts() == before
    assert figure.locator("svg.chart .ghost").count() > 0
    figure.page.wait_for_function("!document.querySelector('svg.chart .ghost')")


def test_a_guess_uncovers_the_answer(watched: Watched) -> None:
    figure = open_dial(watched, "scalability")
    figure.get_by_role("button", name="Guess first").click()
    assert not figure.locator(".dial-sentence").is_visible()
    figure.locator(".dial-guess input").fill("20")
    figure.get_by_role("button", name="Show").click()
    assert figure.locator(".dial-guessed").inner_text().startswith("You guessed 20 ; it is 10.5")
    assert figure.locator(".dial-sentence").is_visible()
