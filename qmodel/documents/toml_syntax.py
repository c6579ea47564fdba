"""TOML text as plain dicts, or one line that says where it is none."""

from __future__ import annotations

import json
import re
import tomllib
from ast import literal_eval
from typing import Any

from qmodel.documents.repeated_key import repeated_key
from qmodel.documents.structure import check_structure
from qmodel.documents.wording import show_key
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
        raise _explained(error, text, path) from None


def _explained(error: ValueError, text: str, path: str) -> FileError:
    message = str(error)
    is_key = message.startswith(("Cannot", "Duplicate"))
    if is_key and (match := repeated_key(text, path, "toml")):
        return match
    if text.lstrip().startswith("{") and _is_json(text):
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


def _is_json(text: str) -> bool:
    try:
        check_structure(text, "", "json")  # what is text in one syntax may be deep in the other
        json.loads(text)
    except ValueError:
        return False
    return True
