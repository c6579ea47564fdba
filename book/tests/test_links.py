"""Every link within the handbook leads to a page that is there, and to a place that is on it."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from conftest import BUILT, pages

#: Attributes that name another file.
NAMING = {"a": "href", "link": "href", "script": "src", "img": "src"}


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in NAMING and found.get(NAMING[tag]):
            self.links.append(str(found[NAMING[tag]]))
        self.places.update(str(found[key]) for key in ("id", "name") if found.get(key))


@cache
def read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


@pytest.mark.parametrize("path", [*pages(), "search.html", "genindex.html"])
def test_links_lead_somewhere(path: str) -> None:
    here, wrong = BUILT / path, []
    links = read(here).links
    assert len(links) > 20
    for link in links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        inside = unquote(parts.path).removeprefix("/qmodel/")
        root = BUILT if parts.path.startswith("/") else here.parent
        target = (root / inside).resolve() if inside else here
        place = unquote(parts.fragment) if target.suffix == ".html" else ""
        if not target.is_file() or (place and place not in read(target).places):
            wrong.append(link)
    assert not wrong
