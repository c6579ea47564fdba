"""The forms of what commands print as JSON: ``forms/*.schema.json``, one for all that predict."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

#: Version of the forms; it changes when a program that reads one would have to.
VERSION = 3

#: Commands whose answers have one form.
PREDICTING = ("advise", "predict", "size", "whatif")


def schema_text(command: str = "predict") -> str:
    """The JSON Schema of a command's answer."""
    form = "answers" if command in PREDICTING else command
    path = files("advisor.report").joinpath("forms", f"{form}.schema.json")
    return path.read_text(encoding="utf-8")


def answer(command: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """An answer that says which form it has."""
    return {"schema": VERSION, "command": command, **data}
