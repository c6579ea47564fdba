"""A document checked against a strict class; every mistake becomes one line with its place."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from qmodel.documents import schema as forms
from qmodel.documents.document import Document
from qmodel.documents.fields import KeyProblem
from qmodel.documents.wording import KeyPath, closest, show_key, show_number, show_text, show_value
from qmodel.errors import FileError

# A file with more is not the file that was meant.
_MOST_MISTAKES = 1000

_Model = TypeVar("_Model", bound=BaseModel)


def validate(
    model: type[_Model], document: Document, *, what: str = "configuration", remedy: str = ""
) -> _Model:
    """The document as an instance of ``model``, usually a `StrictModel`.

    ``what`` an empty file is said to be empty of, and the ``remedy`` is what to do about it. Raises
    `FileError` of the first mistake in the order of the file; the others are in its ``others``.
    """
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        details = error.errors(include_url=False)
    schema = forms.form_of(model)
    if not document.data and (required := forms.required_keys(schema)):
        after = f" ({remedy})" if remedy else ""
        raise FileError(document.path, f"empty {what}; required table {required[0]} missing{after}")
    problems: dict[KeyPath, str] = {}
    for detail in details[:_MOST_MISTAKES]:
        if detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]:
            continue  # pydantic counts the entries without mistakes
        path, problem = _problem(detail, schema, document.data)
        if path in problems:  # each alternative of a union has its own complaint
            wanted = forms.expected_at(schema, path)
            problem = f"expected {wanted}, got {show_value(detail['input'])}"
        problems[path] = problem
    _drop_meant(problems, schema)
    raise document.errors(problems.items())


def _drop_meant(problems: dict[KeyPath, str], schema: dict[str, Any]) -> None:
    """A misspelt key is one mistake, not an unknown key and a missing one."""
    for path, problem in list(problems.items()):
        if problem.startswith("unknown key"):
            meant = closest(str(path[-1]), forms.keys_at(schema, path[:-1]))
            if meant is not None and problems.get((*path[:-1], meant), "").startswith("required"):
                del problems[*path[:-1], meant]


def _problem(
    detail: ErrorDetails, schema: dict[str, Any], data: dict[str, Any]
) -> tuple[KeyPath, str]:
    """Where a mistake is and what would be right, in the words of the file's author."""
    kind, got, context = detail["type"], detail["input"], detail.get("ctx", {})
    path = _path_in_file(detail["loc"], data, keeps_last=kind == "missing")
    if kind == "value_error":
        error = context["error"]
        if isinstance(error, KeyProblem):
            return (*path, *error.key_path), error.problem
        return path, str(error)
    if kind in {"union_tag_invalid", "union_tag_not_found"}:
        path = (*path, str(context["discriminator"]).strip("'"))
        got = context.get("tag")
        kind = "missing" if got is None else "literal_error"
    if kind == "extra_forbidden":
        return path, f"unknown key; {forms.key_hint(schema, path)}"
    if kind == "missing":
        return path, f"required ({forms.expected_at(schema, path)})"
    if kind in {"literal_error", "enum"}:
        return path, _one_of(forms.words_at(schema, path), got)
    return path, _plain_problem(kind, got, context, detail["msg"], path, schema)


def _plain_problem(
    kind: str, got: Any, context: dict[str, Any], message: str, path: KeyPath, schema: Any
) -> str:
    if kind in _KIND_EXPECTED:
        hint = ""
        if kind == "string_type" and not isinstance(got, dict | list | None):
            hint = " (quote it)"
        elif kind == "tuple_type" and isinstance(got, dict) and path:
            hint = f" (in TOML: [[{show_key(part for part in path if isinstance(part, str))}]])"
        return f"expected {_KIND_EXPECTED[kind]}, got {show_value(got)}{hint}"
    if kind in {"int_type", "int_from_float"}:
        if isinstance(got, float):
            return f"must be a whole number, got {show_number(got)}"
        return f"expected a whole number, got {show_value(got)}"
    if kind in _BOUND:
        sign, name = _BOUND[kind]
        return f"must be {sign} {context[name]:g}, got {show_number(got)}"
    if kind in {"too_short", "too_long"}:
        sign, name = (">=", "min_length") if kind == "too_short" else ("<=", "max_length")
        return f"number of entries must be {sign} {context[name]}, got {context['actual_length']}"
    if kind == "finite_number":
        return f"must be finite, got {got:g}"
    if kind in {"string_too_short", "string_pattern_mismatch"} and not got.strip():
        return "must not be empty"
    if kind == "string_pattern_mismatch":
        examples = [e for s in forms.schema_at(schema, path) for e in s.get("examples", ())]
        like = f" such as {show_text(str(examples[0]))}" if examples else ""
        return f"expected text{like}, got {show_value(got)}"
    return f"{message[:1].lower()}{message[1:]}, got {show_value(got)}"


_KIND_EXPECTED = {
    "float_type": "number", "string_type": "text", "bool_type": "true or false",
    "list_type": "array", "tuple_type": "array", "dict_type": "table", "model_type": "table",
    "model_attributes_type": "table",
}  # fmt: skip
_BOUND = {
    "greater_than": (">", "gt"), "greater_than_equal": (">=", "ge"),
    "less_than": ("<", "lt"), "less_than_equal": ("<=", "le"),
}  # fmt: skip


def _one_of(words: list[str], got: Any) -> str:
    if not isinstance(got, str):
        return f"expected one of {', '.join(words)}, got {show_value(got)}"
    return f"unknown {show_text(got)}; one of {', '.join(words)}"


def _path_in_file(loc: tuple[int | str, ...], data: Any, *, keeps_last: bool) -> KeyPath:
    """The location without what pydantic adds: tags of unions, names of types."""
    path: list[int | str] = []
    for i, part in enumerate(loc):
        is_member = (
            part in data
            if isinstance(data, dict)
            else isinstance(data, list) and isinstance(part, int) and part < len(data)
        )
        if is_member:
            data = data[part]
            path.append(part)
        elif keeps_last and i == len(loc) - 1:
            path.append(part)
    return tuple(path)
