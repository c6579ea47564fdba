"""Below a chapter's title what it takes and what it builds on; on the front page a map of all.

Minutes and what needs what stand in `book/chapters.toml`, the order in the table of contents.
"""

from __future__ import annotations

import tomllib
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from published import in_order
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FILE = Path(__file__).parents[1] / "chapters.toml"


def chapters() -> dict[str, tuple[int, list[str]]]:
    """Minutes, and the pages that it builds on, of each page by its name."""
    parts = tomllib.loads(FILE.read_text(encoding="utf-8"))
    homes = {name: f"{part}/{name}" for part, of in parts.items() for name in of}
    return {
        homes[name]: (each["minutes"], [homes[needed] for needed in each["needs"]])
        for of in parts.values()
        for name, each in of.items()
    }


def of_page(page: str) -> tuple[int, list[str]]:
    """The same of one chapter; a new one that the file does not have yet builds on nothing."""
    return chapters().get(page, (15, []))


def is_chapter(page: str) -> bool:
    """Whether a page is one of the chapters, which have numbers."""
    return page.startswith(("learn/", "decide/"))


def numbered(app: Sphinx) -> dict[str, int]:
    """The number of each chapter."""
    return {name: i for i, name in enumerate(filter(is_chapter, in_order(app)), 1)}


class Map(SphinxDirective):
    """Every chapter with what it takes and what it builds on."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", "<!--map-->", format="html")]


def line(app: Sphinx, page: str, to: Any) -> str:
    """Minutes and needs of a chapter, and the way to its notebook."""
    numbers, (minutes, needs) = numbered(app), of_page(page)
    parts = [f"{minutes} minutes"]
    if needs:
        links = (_link(app, to, name, numbers) for name in needs)
        parts.append(f"builds on {', '.join(links)}")
    notebook = escape(to(f"lite/notebooks/index.html?path={page}.ipynb", resource=True))
    parts.append(f'<a href="{notebook}">open it as a notebook</a>')
    return f'<p class="chapter-line">{" · ".join(parts)}</p>'


def the_map(app: Sphinx, to: Any) -> str:
    """The chapters as a table: number and title, minutes, what each builds on."""
    numbers = numbered(app)

    def before(name: str) -> str:
        return ", ".join(map(str, sorted(numbers[n] for n in of_page(name)[1]))) or "nothing"

    rows = "\n".join(
        f"<tr><td>{number}</td><td>{_link(app, to, name, {})}</td><td>{of_page(name)[0]}</td>"
        f"<td>{before(name)}</td></tr>"
        for name, number in numbers.items()
    )
    return (
        '<table class="table chapter-map"><thead><tr><th>no.</th><th>chapter</th><th>minutes</th>'
        f"<th>builds on</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _link(app: Sphinx, to: Any, name: str, numbers: dict[str, int]) -> str:
    title = escape(app.env.titles[name].astext())
    before = f"{numbers[name]}, " if numbers else ""
    return f'<a href="{escape(to(name))}">{before}{title}</a>'


def _place(app: Sphinx, page: str, _template: str, context: dict[str, Any], _: Any) -> None:
    body = context.get("body", "")
    if is_chapter(page) and page in app.env.found_docs:
        body = body.replace("</h1>", f"</h1>\n{line(app, page, context['pathto'])}", 1)
    context["body"] = body.replace("<!--map-->", the_map(app, context["pathto"])) if body else body


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("chapter-map", Map)
    app.connect("html-page-context", _place, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
