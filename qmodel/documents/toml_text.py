"""Plain dicts as JSON or TOML text; TOML the standard library reads but does not write."""

import json
import re
from collections.abc import Mapping
from typing import Any

from qmodel.documents.wording import show_text
from qmodel.errors import InvalidInput

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def document_text(data: Mapping[str, Any], format: str) -> str:  # noqa: A002
    """Plain dicts as a "toml" or "json" file; `InvalidInput` of another format."""
    if format not in {"toml", "json"}:
        raise InvalidInput(f"unknown format {show_text(format)}; use toml or json")
    if format == "json":
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    return toml_text(data)


def toml_text(data: Mapping[str, Any]) -> str:
    """Dicts, lists, text, booleans and finite numbers as TOML that reads back equal."""
    values, tables = [], []
    for key, value in data.items():
        if isinstance(value, Mapping):
            tables.append(f"\n[{_key(key)}]\n{_pairs(value)}")
        elif isinstance(value, list) and value and all(isinstance(v, Mapping) for v in value):
            tables += [f"\n[[{_key(key)}]]\n{_pairs(member)}" for member in value]
        else:
            values.append(f"{_key(key)} = {_value(value)}\n")
    return "".join(values + tables).removeprefix("\n")


def _pairs(table: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(member) for member in value) + "]"
    return repr(value)


def _text(text: str) -> str:
    # JSON's escapes are TOML's, but for the one control character that JSON lets stand.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
