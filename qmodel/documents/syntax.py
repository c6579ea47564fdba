"""From bytes to text, and from TOML or JSON text to plain dicts, or one line that says why not."""

import json
import re
import sys
import tomllib
from ast import literal_eval
from math import ceil
from pathlib import Path
from threading import Timer
from typing import Any

from qmodel.documents.structure import check_structure
from qmodel.documents.wording import kind_of, show_key, show_text
from qmodel.errors import FileError
from qmodel.provenance import note_input

#: Until a pipe that stays empty is named. [s]
PATIENCE = 2.0

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
_TYPOGRAPHIC = tuple("\u201c\u201d\u201e\u2018\u2019\u201a\xab\xbb")


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
    line, column = int(place[1]), int(place[2])
    remedy = _remedy(what, text.replace("\r\n", "\n").split("\n")[line - 1][column - 1 :])
    return FileError(path, f"not valid TOML: {problem}{remedy}", line=line, column=column)


def _remedy(what: str, rest: str) -> str:
    """What a person should do about what the parser says, by the rest of the line from there."""
    if rest.startswith(_TYPOGRAPHIC):
        return f'; {rest[0]} is no quotation mark of TOML; write "'
    if what.startswith("Unclosed"):
        word = rest.partition("=")[0].strip()
        before = f" before {word}" if word else ""
        return f"; a comma or {']' if 'array' in what else '}'} is missing{before}"
    if what == "Invalid value" and (rest.strip() or "#")[0] in "#,]}":
        return "; value missing"
    return next((f"; {remedy}" for start, remedy in _REMEDY.items() if what.startswith(start)), "")


def parse_json(text: str, path: str) -> dict[str, Any]:
    """The object of a JSON text."""
    if not text.strip():
        return {}  # as an empty TOML file; what is missing is reported where it is needed
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
        path, f"{what} (first at line {first.first_line}); keep one", key=show_key(first.path),
        line=first.line, column=first.column,
    )  # fmt: skip


#: Largest file that is read; a configuration is a few kilobytes. [bytes]
SIZE_LIMIT = 2**20

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_bytes(path: str, limit: int = SIZE_LIMIT, what: str = "a configuration or model") -> bytes:
    """What a file holds, "-" being standard input; never more than the limit."""
    waiting = Timer(PATIENCE, _say_what_is_awaited, [path])
    waiting.daemon = True
    if path == "-" or Path(path).is_fifo():
        waiting.start()
    try:
        if path == "-":
            content = _within_limit(sys.stdin.buffer.read(limit + 1), path, limit, what)
        else:
            with Path(path).open("rb") as file:
                content = _within_limit(file.read(limit + 1), path, limit, what)
    except FileNotFoundError:
        raise FileError(path, "cannot read: no such file") from None
    except IsADirectoryError:
        raise FileError(path, "cannot read: is a directory; expected a file") from None
    except PermissionError:
        # Windows calls a directory this.
        problem = "is a directory; expected a file" if Path(path).is_dir() else "permission denied"
        raise FileError(path, f"cannot read: {problem}") from None
    except OSError as error:
        raise FileError(path, f"cannot read: {error.strerror or error}") from None
    except ValueError as error:  # a path with a NUL in it
        if isinstance(error, FileError):
            raise
        raise FileError(path, f"cannot read: {error}") from None
    finally:
        waiting.cancel()
    note_input(path, content)
    return content


def _say_what_is_awaited(path: str) -> None:
    name = "standard input" if path == "-" else show_text(path)
    sys.stderr.write(f"waiting for {name}: nothing has been written to it\n")


def decode(content: bytes, path: str) -> str:
    """Text from UTF-8 with or without a byte-order mark; other encodings are named if known."""
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        raise FileError(path, "not UTF-8 (byte 0); looks like UTF-16, save as UTF-8")
    skipped = len(_BYTE_ORDER_MARK) if content.startswith(_BYTE_ORDER_MARK) else 0
    if (nul := content.find(b"\0")) >= 0:
        looks = "UTF-16" if nul < 4 else "a binary file"
        raise FileError(path, f"not text (byte {nul} is 0); looks like {looks}, save as UTF-8")
    try:
        return content[skipped:].decode("utf-8")
    except UnicodeDecodeError as error:
        byte = error.start + skipped
        raise FileError(
            path,
            f"not UTF-8 (byte {byte} is 0x{content[byte]:02x}); save as UTF-8",
            line=content.count(b"\n", 0, byte) + 1,
        ) from None


def _within_limit(content: bytes, path: str, limit: int, what: str) -> bytes:
    if len(content) <= limit:
        return content
    size = Path(path).stat().st_size if path != "-" else 0
    # A pipe or a device does not know its size.
    megabyte = 2**20
    shown = f"{ceil(size / megabyte * 100) / 100:g} MB" if size > limit else "the file"
    raise FileError(path, f"{shown} exceeds the {limit / megabyte:g} MB limit for {what}")
