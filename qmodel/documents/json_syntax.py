"""JSON text as plain dicts, or one line that says where it is none."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from qmodel.documents.repeated_key import repeated_key
from qmodel.documents.structure import check_structure
from qmodel.documents.wording import kind_of
from qmodel.errors import FileError


def parse_json(text: str, path: str) -> dict[str, Any]:
    """The object of a JSON text."""
    if not text.strip():
        return {}  # as an empty TOML file; what is missing is told by whoever needs it
    is_repeated = False

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal is_repeated
        table = dict(pairs)
        is_repeated |= len(table) < len(pairs)
        return table

    try:
        data = json.loads(text, object_pairs_hook=members)
    except json.JSONDecodeError as error:
        raise _explained(error, text, path) from None
    if is_repeated and (table := repeated_key(text, path, "json")):
        raise table
    if not isinstance(data, dict):
        raise FileError(path, f"expected an object in braces, got {kind_of(data)}", line=1)
    return data


def _explained(error: json.JSONDecodeError, text: str, path: str) -> FileError:
    if _is_toml(text):
        return FileError(path, "not JSON; content looks like TOML", line=1, column=1)
    if error.pos >= len(text.rstrip()):
        problem = "unexpected end of file"
    else:
        problem = f"not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}"
    return FileError(path, problem, line=error.lineno, column=error.colno)


def _is_toml(text: str) -> bool:
    try:
        check_structure(text, "", "toml")  # what is text in one syntax may be deep in the other
        return bool(tomllib.loads(text))
    except ValueError:
        return False
