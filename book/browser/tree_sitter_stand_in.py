"""Stands in for tree-sitter in the page's Python: a text without nodes, so errors name no line."""

from __future__ import annotations

from types import SimpleNamespace


def language() -> None:
    """Of a grammar: none."""


def Language(_: object) -> None:  # noqa: N802
    """The grammar of a parser: none."""


class Parser:
    """Reads any text as an empty one."""

    def __init__(self, _: object) -> None:
        pass

    def parse(self, _: bytes) -> SimpleNamespace:
        """A tree with a root and nothing below it."""
        return SimpleNamespace(root_node=SimpleNamespace(named_children=[]))
