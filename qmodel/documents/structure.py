"""How deep and how large a structure may be, told before a parser sees it; and no NaN in it.

The parsers recurse, convert integers in quadratic time, and follow every part of a dotted key for
every other part; a stranger's megabyte must not cost more than a second or two.
"""

import re
from math import isfinite
from typing import Any

from qmodel.documents.wording import KeyPath
from qmodel.errors import FileError, hidden_character

#: Deepest nesting of tables, arrays and dotted keys; configurations need about five.
DEPTH_LIMIT = 100

#: Most signs that structure a TOML file: ``= : , . [ {`` outside of text; of JSON so many times.
SIGN_LIMIT, JSON_TIMES = 30_000, 10

#: Most digits of a number.
DIGIT_LIMIT = 1000

# Every alternative ends at the end of the text at the latest, so that none is tried twice. Groups
# are not possessive: Python before 3.11.5 matches possessive groups that backtrack inside wrongly.
_TOML_OPAQUE = re.compile(
    r'''
      """ (?: [^"\\]++ | \\(?:.|\Z) | "{1,2}(?!") )* (?: "{3,5} | \Z )
    | \'\'\' (?: [^']++ | '{1,2}(?!') )* (?: '{3,5} | \Z )
    | " (?: [^"\\\n]++ | \\(?:.|\Z) )* "?
    | ' [^'\n]*+ '?
    | \# [^\n]*+
    ''',
    re.VERBOSE | re.DOTALL,
)
_JSON_OPAQUE = re.compile(r'"(?:[^"\\]++|\\(?:.|\Z))*"?', re.DOTALL)
_BRACKET = re.compile(r"[\[{\]}\n]")
_DOTTED = re.compile(
    r"(?<![\w.-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){%d}" % DEPTH_LIMIT  # noqa: UP031, braces
)
_DIGITS = re.compile(r"[0-9_]{%d}" % (DIGIT_LIMIT + 1))  # noqa: UP031, braces


def check_structure(text: str, path: str, file_format: str) -> None:
    """Raise `FileError` if a text nests too deep, has too many parts, or a number too long."""
    opaque = _JSON_OPAQUE if file_format == "json" else _TOML_OPAQUE
    bare = opaque.sub(lambda m: "" if m[0][0] == "#" else "s" + "\n" * m[0].count("\n"), text)
    depth, line = 0, 1
    for match in _BRACKET.finditer(bare):
        bracket = match[0]
        if bracket == "\n":
            line += 1
        elif bracket in "[{":
            depth += 1
            if depth > DEPTH_LIMIT:
                raise _too_deep(path, line)
        else:
            depth -= 1
    if file_format == "toml" and (dotted := _DOTTED.search(bare)):
        raise _too_deep(path, bare.count("\n", 0, dotted.start()) + 1)
    most = SIGN_LIMIT * JSON_TIMES ** (file_format == "json")
    if sum(map(bare.count, "=:,.[{")) > most:
        problem = f"too many keys and values; at most {most} of = : , . [ {{ may stand here"
        problem += " (JSON may have more)" * (file_format == "toml")
        raise FileError(path, problem)
    if long := _DIGITS.search(bare):
        line = bare.count("\n", 0, long.start()) + 1
        raise FileError(path, f"a number has more than {DIGIT_LIMIT} digits", line=line)


def first_bad_value(data: Any, file_format: str) -> tuple[KeyPath, str] | None:
    """Key and problem of a number that is none, text that hides, or tables too deep."""
    # A path is a chain of (parent, key), made into a tuple only for the one that is wrong.
    stack: list[tuple[Any, Any, int]] = [(data, None, 0)]
    while stack:
        value, chain, depth = stack.pop()
        if isinstance(value, dict | list):
            if depth > DEPTH_LIMIT:
                return _keys(chain), f"nested deeper than {DEPTH_LIMIT} levels"
            items = list(value.items() if isinstance(value, dict) else enumerate(value))
            for key, member in reversed(items):  # the last one in comes out first
                stack.append((member, (chain, key), depth + 1))
                if isinstance(key, str):
                    stack.append((key, (chain, key), depth))
        elif problem := _problem(value, file_format):
            return _keys(chain), problem
    return None


def _problem(value: Any, file_format: str) -> str | None:
    if isinstance(value, str):
        if (hidden := hidden_character(value, allowed="\n\r\t")) is None:
            return None
        if "\ud800" <= hidden <= "\udfff":
            return "holds half of a surrogate pair; expected Unicode text"
        return f"holds the character U+{ord(hidden):04X}, which does not show; expected plain text"
    if isinstance(value, float) and not isfinite(value):
        if value != value and file_format == "json":  # noqa: PLR0124, this is what NaN is
            return "NaN is not a number JSON allows"
        return f"must be finite, got {value:g}"
    if isinstance(value, int) and value.bit_length() > 1023:
        return "must be finite, got an integer beyond 1.8e308"
    return None


def _keys(chain: Any) -> KeyPath:
    keys: list[str | int] = []
    while chain is not None:
        chain, key = chain
        keys.append(key)
    return tuple(reversed(keys))


def _too_deep(path: str, line: int) -> FileError:
    return FileError(path, f"nested deeper than {DEPTH_LIMIT} levels", line=line)
