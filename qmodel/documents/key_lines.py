"""The line on which each key of a TOML or JSON text stands.

The parsers of the standard library forget where a key stood, so the text is read again by
tree-sitter, and only when somebody asks: after a mistake has been found.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from qmodel.documents.wording import KeyPath

if TYPE_CHECKING:
    from tree_sitter import Node

# Python reads these; the grammar does not, and would lose the keys around them.
_NOT_JSON = re.compile(r'"(?:[^"\\]++|\\(?:.|\Z))*"?|-?Infinity|NaN', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Repeated:
    """A key that stands a second time, line and column counted from 1."""

    path: KeyPath
    first_line: int
    line: int
    column: int
    is_table: bool


@dataclass(frozen=True, slots=True)
class KeyLines:
    """The first line of each key and array element, and the keys that stand twice."""

    lines: dict[KeyPath, int] = field(default_factory=dict)
    repeated: list[Repeated] = field(default_factory=list)


@lru_cache(maxsize=8)
def key_lines(text: str, file_format: str) -> KeyLines:
    """Where each key stands, counted from 1."""
    from importlib import import_module

    import tree_sitter

    grammar = import_module(f"tree_sitter_{file_format}")
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    if file_format == "json":
        text = _NOT_JSON.sub(lambda m: m[0] if m[0][0] == '"' else "0".ljust(len(m[0])), text)
    root = parser.parse(text.encode()).root_node
    search = _Search()
    if file_format == "json":
        for member in _sound(root):
            search.value(member, ())
    else:
        search.toml(root)
    return KeyLines(search.lines, search.repeated)


class _Search:
    """One walk over a tree; keys are entered in the order of the file."""

    def __init__(self) -> None:
        self.lines: dict[KeyPath, int] = {}
        self.repeated: list[Repeated] = []
        self.written: dict[KeyPath, int] = {}  # keys that may not be written again
        self.arrays: dict[KeyPath, int] = {}  # arrays of tables, with their last index

    def toml(self, root: Node) -> None:
        for node in root.named_children:
            if node.type == "pair" and not node.has_error:
                self.pair(node, ())
            elif node.type in {"table", "table_array_element"}:
                members = _sound(node)
                if (header := next(members, None)) is not None:
                    path = self.table(header, is_array=node.type == "table_array_element")
                    for member in members:
                        self.pair(member, path)

    def table(self, header: Node, *, is_array: bool) -> KeyPath:
        """The path of a table's header; arrays of tables on the way mean their last element."""
        path: KeyPath = ()
        parts = _parts(header)
        for depth, part in enumerate(parts, 1):
            path = (*path, part)
            self.lines.setdefault(path, _line(header))
            is_last = depth == len(parts)
            if is_last and is_array:
                self.arrays[path] = self.arrays.get(path, -1) + 1
            if path in self.arrays:
                path = (*path, self.arrays[path])
                self.lines.setdefault(path, _line(header))
        if not is_array:
            self.write(path, header, is_table=True)
        return path

    def pair(self, node: Node, path: KeyPath) -> None:
        key, *rest = _sound(node)
        for part in _parts(key):
            path = (*path, part)
            self.lines.setdefault(path, _line(key))
        self.write(path, key, is_table=False)
        for value in rest:
            self.value(value, path)

    def value(self, node: Node, path: KeyPath) -> None:
        """Keys inside a value; nesting was limited before, so recursion is safe."""
        if node.type in {"object", "inline_table"}:
            for member in _sound(node):
                self.pair(member, path)
        elif node.type == "array":
            for i, member in enumerate(_sound(node)):
                self.lines.setdefault((*path, i), _line(member))
                self.value(member, (*path, i))

    def write(self, path: KeyPath, node: Node, *, is_table: bool) -> None:
        if path in self.written:
            column = node.start_point[1] + 1
            repeated = Repeated(path, self.written[path], _line(node), column, is_table)
            self.repeated.append(repeated)
        else:
            self.written[path] = _line(node)


def _sound(node: Node) -> Iterator[Node]:
    """The parts of a node without comments, up to the first that is not in order.

    A text may repeat a key first and break the syntax later.
    """
    for child in node.named_children:
        if child.has_error or child.is_missing:
            return
        if child.type != "comment":
            yield child


def _line(node: Node) -> int:
    return node.start_point[0] + 1


def _parts(key: Node) -> list[str]:
    """The parts of a key, quotes and escapes undone by the parsers themselves."""
    if key.type == "dotted_key":
        return [part for child in key.named_children for part in _parts(child)]
    text = (key.text or b"").decode()
    if key.type == "bare_key":
        return [text]
    if key.type == "string":
        return [str(json.loads(text))]
    return list(tomllib.loads(f"{text} = 0"))
