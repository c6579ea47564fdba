"""A table wider than the page scrolls; with a keyboard it must be reached to be scrolled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_TABLE = re.compile(r"<table(?![^>]*\btabindex=)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("html-page-context", _reached)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def reachable(body: str) -> str:
    """The same page, each table of it on the way of the tabulator key."""
    return _TABLE.sub('<table tabindex="0"', body)


def _reached(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    if "body" in context:
        context["body"] = reachable(context["body"])
