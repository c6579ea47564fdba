"""The form of what the commands that predict print as JSON: ``answers.schema.json``."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Literal

#: Version of the form; it changes when a program that reads it would have to.
VERSION = 2

Command = Literal["advise", "predict", "size", "whatif"]


def schema_text() -> str:
    """The JSON Schema of every answer, one definition for each command."""
    return files("advisor.report").joinpath("answers.schema.json").read_text(encoding="utf-8")


def answer(command: Command, data: Mapping[str, Any]) -> dict[str, Any]:
    """An answer that says which form it has."""
    return {"schema": VERSION, "command": command, **data}
