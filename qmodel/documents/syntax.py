"""TOML and JSON text as plain dicts, or one line that says where it is none."""

from __future__ import annotations

import json
import re
import tomllib
from ast import literal_eval
from typing import Any

from qmodel.documents.structure import check_structure
from qmodel.documents.wording import kind_of, show_key, show_text
from qmodel.errors import FileError

_PLACE = re.compile(r" \((?:at line (\d+), column (\d+)|at end of document)\)$")

# A key as the parser prints it, as a tuple of Python.
_CANNOT = re.compile(r"(Cannot (?:declare|mutate immutable namespace)) (\(.*\))", re.DOTALL)

# What the parser says, and what a person should do about it.
_REMEDY = {
    "Invalid value": "text stands in quotation marks",
    "Illegal character '\\n'": "a string ends on the line it began",
    "Invalid statement": "expected a key, a [table] or a comment",
    "Expected '=' after a key in a key/value pair": 'as in key = "value"',
}


def parse_toml(text: str, path: str) -> dict[str, Any]:
    """The tables of a TOML text."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _toml_error(error, text, path) from None


def _toml_error(error: ValueError, text: str, path: str) -> FileError:
    message = str(error)
    is_key = message.startswith(("Cannot", "Duplicate"))
    if is_key and (match := repeated_key(text, path, "toml")):
        return match
    if text.lstrip().startswith("{") and _reads_as(text, "json"):
        return FileError(path, "not TOML; content looks like JSON", line=1, column=1)
    place = _PLACE.search(message)
    what = message[: place.start()] if place else message
    what = _CANNOT.sub(lambda match: f"{match[1]} [{show_key(literal_eval(match[2]))}]", what)
    problem = what[:1].lower() + what[1:]
    if not place or not place[1]:
        line = text.rstrip().count("\n") + 1
        early = "not valid TOML:" if is_key else "unexpected end of file;"
        return FileError(path, f"{early} {problem}", line=line)
    remedy = next((f"; {r}" for start, r in _REMEDY.items() if what.startswith(start)), "")
    return FileError(
        path, f"not valid TOML: {problem}{remedy}", line=int(place[1]), column=int(place[2])
    )


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
        raise _json_error(error, text, path) from None
    if is_repeated and (table := repeated_key(text, path, "json")):
        raise table
    if not isinstance(data, dict):
        raise FileError(path, f"expected an object in braces, got {kind_of(data)}", line=1)
    return data


def _json_error(error: json.JSONDecodeError, text: str, path: str) -> FileError:
    if _reads_as(text, "toml"):
        return FileError(path, "not JSON; content looks like TOML", line=1, column=1)
    if error.pos >= len(text.rstrip()):
        problem = "unexpected end of file"
    else:
        problem = f"not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}"
    return FileError(path, problem, line=error.lineno, column=error.colno)


def _reads_as(text: str, file_format: str) -> bool:
    """Whether a text is of the other syntax, with something in it."""
    try:
        check_structure(text, "", file_format)  # what is text in one may be deep in the other
        return bool(tomllib.loads(text)) if file_format == "toml" else json.loads(text) is not None
    except ValueError:
        return False


def repeated_key(text: str, path: str, file_format: str) -> FileError | None:
    """An error for the first repeated key of a text, None if no key is repeated."""
    from qmodel.documents.key_lines import key_lines

    keys = key_lines(text, file_format).repeated
    if not keys:
        return None
    first = keys[0]
    what = (
        f"table [{show_key(first.path)}] declared twice"
        if first.is_table
        else f"duplicate key {show_text(str(first.path[-1]))}"
    )
    return FileError(
        path,
        f"{what} (first at line {first.first_line}); keep one",
        key=show_key(first.path),
        line=first.line,
        column=first.column,
    )
