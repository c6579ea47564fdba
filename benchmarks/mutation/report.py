"""The report: a table of modules, and every survivor with its reason."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.mutation.session import VERSION, Target

FOLDER = Path(__file__).parent


def write_report(results: dict[str, Any], targets: Sequence[Target], seed: int) -> int:
    """Write REPORT.md; returns how many survivors have no reason."""
    reasons = read_reasons()
    lines = [
        "# Mutants that the tests do not notice",
        "",
        f"cosmic-ray {VERSION}; `make mutate`. Bit operators on floats and mutants of annotations",
        f"are left out; where fewer are tried than there are, they are drawn with seed {seed}.",
        "",
        "| module | mutants | tried | killed | survive | tests |",
        "|---|--:|--:|--:|--:|---|",
    ]
    details: list[str] = []
    unexplained = 0
    for target in targets:
        found = results.get(target.module)
        if found is None:
            continue
        tests = ", ".join(f"`{Path(name).stem}`" for name in target.tests)
        lines.append(
            f"| `{target.module}` | {found['mutants']} | {found['tried']} | {found['killed']} | "
            f"{len(found['survivors'])} | {tests}{found.get('note', '')} |"
        )
        if not found["survivors"]:
            continue
        details += ["", f"## {target.module}", ""]
        for each in found["survivors"]:
            reason = why(reasons, target.module, each)
            unexplained += reason is None
            details += [
                f"- `{each['line']}` becomes `{each['now']}`: {reason or '**no reason given**'}"
            ]
    left = [f"`{target.module}`" for target in targets if target.module not in results]
    if left:
        lines += ["", f"Not tried yet: {', '.join(left)}."]
    (FOLDER / "REPORT.md").write_text("\n".join([*lines, *details]) + "\n", encoding="utf-8")
    return unexplained


def read_reasons() -> list[dict[str, str]]:
    """Module, parts of the line before and after, and the reason of each."""
    with (FOLDER / "reasons.toml").open("rb") as file:
        return tomllib.load(file)["reason"]


def why(reasons: Sequence[dict[str, str]], module: str, survivor: dict[str, str]) -> str | None:
    """The reason that is given for a survivor."""
    for each in reasons:
        if (
            each["module"] == module
            and each["line"] in survivor["line"]
            and each.get("now", "") in survivor["now"]
        ):
            return each["reason"]
    return None
