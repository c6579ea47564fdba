"""The public names of the library, from their docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType

from docstring_parser import Docstring, DocstringStyle, parse

import advisor
import calibration
import qmodel
from qmodel import kernels, routing, single_station, symbolic
from reference.markdown import cell, code, plain, table

ROOMS: tuple[tuple[ModuleType, str], ...] = (
    (qmodel, "qmodel"),
    (kernels, "qmodel.kernels"),
    (single_station, "qmodel.single_station"),
    (routing, "qmodel.routing"),
    (symbolic, "qmodel.symbolic"),
    (calibration, "calibration"),
    (advisor, "advisor"),
)

LONGEST_DEFAULT = 60


def names(room: ModuleType) -> list[str]:
    """Public names of a package, or of a module those that it defines; no modules."""
    own = [n for n, v in vars(room).items() if getattr(v, "__module__", "") == room.__name__]
    listed = getattr(room, "__all__", None) or [n for n in own if not n.startswith("_")]
    return sorted(n for n in listed if not inspect.ismodule(getattr(room, n)))


def page() -> str:
    parts = [
        "# Python API\n",
        "Base units everywhere: seconds, interactions per second, bytes, fractions. Arrays are "
        "indexed `[class, station]`. Every example below is run by the tests.\n",
    ]
    for room, title in ROOMS:
        parts.append(f"## {title}\n")
        for name in names(room):
            parts += [f"### {title}.{plain(name)}\n", _entry(name, getattr(room, name))]
    return "\n".join(parts)


def _entry(name: str, value: object) -> str:
    if not callable(value):  # a union of types, or a list of names
        return code(f"{name} = {_short(str(value)).replace('qmodel.', '')}", "python")
    doc = parse(inspect.getdoc(value) or "", style=DocstringStyle.NUMPYDOC)
    parts = []
    with suppress(TypeError, ValueError):
        parts.append(code(f"{name}{_short(_signature(value))}", "python"))
    said = (doc.short_description, doc.long_description)
    parts += [_text(text) + "\n" for text in said if text]
    parts += _tables(doc)
    if "Examples\n--------\n" in (text := inspect.getdoc(value) or ""):
        parts.append(
            code(text.split("Examples\n--------\n")[1].split("\n\nReferences\n")[0], "pycon")
        )
    return "\n".join(parts)


def _tables(doc: Docstring) -> list[str]:
    parts = []
    rows = [(p.arg_name, p.type_name or "", _line(p.description)) for p in doc.params]
    if rows:
        parts.append(table(("parameter", "type", "meaning"), rows))
    if doc.raises:
        raised = [(r.type_name or "", _line(r.description)) for r in doc.raises]
        parts.append(table(("raises", "when"), raised))
    return parts


def _line(text: str | None) -> str:
    return " ".join((text or "").replace("`", "").split())


def _signature(value: Callable[..., object]) -> str:
    """Parameters with their defaults; one too long to read is ..."""
    signature = inspect.signature(value)
    listed = [
        p.replace(default=...) if len(repr(p.default)) > LONGEST_DEFAULT else p
        for p in signature.parameters.values()
    ]
    return str(signature.replace(parameters=listed)).replace("= Ellipsis", "= ...")


def _short(signature: str) -> str:
    """A signature without the packages that types come from."""
    return re.sub(r"\b(?:\w+\.)+(?=[A-Z])", "", signature.replace("'", ""))


def _text(text: str) -> str:
    """Prose of a docstring: what is between backticks is code, the rest is no markup."""
    pieces = re.split(r"(`+)(.+?)\1", text.replace("\n", " "))
    return "".join(
        _prose(piece) if i % 3 == 0 else f"`{piece}`" if i % 3 == 2 else ""
        for i, piece in enumerate(pieces)
    )


def _prose(text: str) -> str:
    """Brackets are kept, which docstrings use for references."""
    return cell(text).replace("\\[", "[").replace("\\]", "]")
