"""What a class expects at a key, read from its JSON Schema, so that messages and schema agree."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel

from qmodel.documents.wording import KeyPath, closest, did_you_mean, show_key, show_text

Schema = dict[str, Any]


@cache
def form_of(model: type[BaseModel]) -> Schema:
    """The JSON Schema of a class, and its tables with their keys."""
    schema = model.model_json_schema()
    return {**schema, "x-tables": list(_tables(schema))}


def schema_at(schema: Schema, path: KeyPath) -> list[Schema]:
    """The schemas a value at ``path`` may follow, references and alternatives opened."""
    schemas = list(_variants(schema, schema))
    for part in path:
        schemas = [
            variant
            for parent in schemas
            for child in _children(parent, part)
            for variant in _variants(child, schema)
        ]
    return schemas


def keys_at(schema: Schema, path: KeyPath) -> list[str]:
    """The keys the table at ``path`` may have."""
    return list(dict.fromkeys(k for s in schema_at(schema, path) for k in s.get("properties", {})))


def key_hint(schema: Schema, path: KeyPath) -> str:
    """What an unknown key may have meant, and which other tables of a `form_of` have it."""
    key, known = str(path[-1]), keys_at(schema, path[:-1])
    places = " or ".join(name for name, keys in schema["x-tables"] if key in keys)
    if not places or key in known:
        return did_you_mean(key, known)
    near = f"{did_you_mean(key, known)} " if closest(key, known) else ""
    return f"{near}{show_text(key)} belongs in {places}"


def _tables(schema: Schema, path: KeyPath = ()) -> Iterator[tuple[str, list[str]]]:
    """Each table as TOML heads it and its keys; not those of what was measured."""
    if (keys := keys_at(schema, path)) and len(path) < 6 and "measured_on" not in path:
        name = show_key(part for part in path if isinstance(part, str))
        heading = f"[[{name}]]" if 0 in path[-1:] else f"[{name}]"
        yield (heading if path else "the lines before the first table"), keys
        for below in ((*path, key, *element) for key in keys for element in ((), (0,))):
            yield from _tables(schema, below)


def words_at(schema: Schema, path: KeyPath) -> list[str]:
    """The words a value may be, where it must be one of several."""
    return [word for s in schema_at(schema, path) for word in _words(s)]


def required_keys(schema: Schema) -> list[str]:
    """Keys the whole file must have, as TOML would write them: [server], [[station]], users."""
    shown = []
    for key in schema.get("required", []):
        kind = next((s.get("type") for s in schema_at(schema, (key,))), None)
        brackets = {"object": "[{}]", "array": "[[{}]]"}
        shown.append(brackets.get(str(kind), "{}").format(show_key((key,))))
    return shown


def expected_at(schema: Schema, path: KeyPath) -> str:
    """What belongs at a key, in a few words: "a positive whole number"."""
    descriptions = [_described(s) for s in schema_at(schema, path) if not _words(s)]
    if words := words_at(schema, path):
        descriptions.append(f"one of {', '.join(words)}" if words[1:] else show_text(words[0]))
    return " or ".join(dict.fromkeys(descriptions))


def _words(schema: Schema) -> list[str]:
    return [
        str(word) for word in schema.get("enum", [schema["const"]] if "const" in schema else [])
    ]


def _described(schema: Schema) -> str:
    if "x-expected" in schema:
        return str(schema["x-expected"])
    kind = schema.get("type", "a value")
    if kind in {"integer", "number"}:
        kind = "whole number" if kind == "integer" else kind
        noun = f"a {kind}"
        least, above = schema.get("minimum"), schema.get("exclusiveMinimum")
        if above == 0 or (kind == "whole number" and least == 1):
            return f"a positive {kind}"
        return noun if least is None else f"{noun} >= {least:g}"
    if kind == "array" and "$ref" in schema.get("items", {}):
        return "an array of tables"
    names = {
        "string": "text", "boolean": "true or false", "array": "an array", "object": "a table",
        "null": "nothing",
    }  # fmt: skip
    return names.get(str(kind), str(kind))


def _variants(schema: Schema, root: Schema) -> Iterator[Schema]:
    if "x-expected" in schema:
        yield schema
    elif "$ref" in schema:
        yield from _variants(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    elif alternatives := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        for alternative in alternatives:
            yield from _variants(alternative, root)
    else:
        yield schema


def _children(schema: Schema, part: str | int) -> Iterator[Schema]:
    if isinstance(part, int):
        child = schema.get("items")
    else:
        child = schema.get("properties", {}).get(part, schema.get("additionalProperties"))
    if isinstance(child, dict):
        yield child
