"""A number and its unit stay on one line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

#: The space between a number and a unit or a sign of it.
SPACE = re.compile(
    r"(?<=\d) (?=(?:%|±|[m\u00b5\u03bc]?s|[kKMGT]B|Mb|[MG]b/s|MB/s|GHz|MHz)(?![\w-]))"
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("doctree-resolved", _bind)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _bind(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    from docutils import nodes

    apart = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw)
    if app.builder.format == "html":
        for text in list(doctree.findall(nodes.Text)):
            bound = SPACE.sub("\N{NO-BREAK SPACE}", text)
            if bound != text and not isinstance(text.parent, apart):
                text.parent.replace(text, nodes.Text(bound))
