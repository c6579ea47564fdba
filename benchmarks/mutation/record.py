"""The record: a line for each module in `modules.toml`, and why mutants may survive."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RECORD = FOLDER / "modules.toml"
HEAD = """\
# What is mutated, the tests that judge it, how many mutants are tried at most (drawn with a seed),
# and what came of it; survivors that `reasons.toml` does not explain are listed. Written anew by
# python -m benchmarks.mutation: a mutant of an annotation, a docstring or a decorator of a record
# is no fault and is not counted.
"""


def read(path: Path = RECORD) -> tuple[int, dict[str, dict[str, Any]]]:
    """The seed, and what is recorded of each module."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return found["seed"], found["modules"]


def write(seed: int, modules: Mapping[str, Mapping[str, Any]], path: Path = RECORD) -> None:
    """Write the record, a line a module."""
    lines = [f'"{name}" = {_inline(entry)}' for name, entry in modules.items()]
    path.write_text(f"{HEAD}seed = {seed}\n\n[modules]\n" + "\n".join(lines) + "\n", "utf-8")


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{k} = {_inline(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)  # numbers and texts are spelt alike


def read_reasons() -> list[dict[str, str]]:
    """Module, parts of the line before and after, and the reason of each."""
    with (FOLDER / "reasons.toml").open("rb") as file:
        reasons: list[dict[str, str]] = tomllib.load(file)["reason"]
    return reasons


def explained(module: str, survivor: Mapping[str, str]) -> bool:
    """Whether a reason is given for a survivor."""
    return any(
        each["module"] == module
        and each["line"] in survivor["line"]
        and each.get("now", "") in survivor["now"]
        for each in read_reasons()
    )


def table(modules: Mapping[str, Mapping[str, Any]]) -> str:
    """A line for each module, and the survivors without a reason."""
    rows = ["| module | mutants | tried | killed |", "|---|--:|--:|--:|"]
    for name, entry in modules.items():
        rows.append(
            f"| `{name}` | {entry.get('mutants', '?')} | {entry.get('tried', 0)} "
            f"| {entry.get('killed', 0)} |"
        )
        rows += [f"`{e['line']}` becomes `{e['now']}`: no reason" for e in entry.get("left", ())]
    return "\n".join(rows)
