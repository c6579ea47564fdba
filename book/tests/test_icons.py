"""Icons: the cut font has every letter that a page asks it for, and no page asks for the whole."""

from __future__ import annotations

import pytest
from conftest import BUILT, Watched
from fontTools.ttLib import TTFont

FONT = BUILT / "_static" / "vendor" / "fontawesome" / "webfonts" / "fa-solid-900.woff"
#: What icons write, before or behind whatever element.
WRITTEN = """() => [...document.querySelectorAll("*")].flatMap((each) =>
    ["::before", "::after"].map((side) => getComputedStyle(each, side))
        .filter((style) => style.fontFamily.includes("Awesome") && style.content.startsWith('"'))
        .map((style) => style.content.slice(1, -1)))"""


@pytest.mark.parametrize("path", ["index.html", "learn/hockey_stick.html", "search.html"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_icon_is_in_the_font(watched: Watched, path: str, width: int) -> None:
    page = watched.page
    page.set_viewport_size({"width": width, "height": 900})
    fonts: list[str] = []
    page.on("request", lambda asked: fonts.append(asked.url) if "/fa-" in asked.url else None)
    watched.open(path)
    page.wait_for_load_state("networkidle")
    letters = {ord(letter) for text in page.evaluate(WRITTEN) for letter in text}
    assert len(letters) > 4
    assert letters <= set(TTFont(FONT).getBestCmap())
    assert {url.rsplit("/")[-1] for url in fonts} == {FONT.name}
