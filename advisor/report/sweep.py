"""A sweep in the terminal and as data."""

from typing import Any

from advisor.findings.words import counted
from qmodel import Sweep

#: Rows that are shown; of more the first and last ones.
ROWS = 30
#: Measures that are shown; the others are in files.
SHOWN = ("response_time", "throughput", "utilization")


def show_sweep(found: Sweep, width: int, *, every: bool = False) -> list[str]:
    """A table of the parameters, response times, throughputs and utilizations.

    Unless ``every`` is wanted, as many columns and rows as a screen has room for.
    """
    columns = {
        name: [str(v) if isinstance(v, int) else f"{v:.6g}" for v in values.tolist()]
        for name, values in sorted(found.columns().items(), key=lambda item: _rank(item[0], found))
        if _rank(name, found) < len(SHOWN) + 1
    }
    heads = {}
    for name in columns:
        kind, _, of = name.partition(".")
        heads[name] = (kind, f"{of} {_unit(name, found)}".strip())
    widths = {n: max(map(len, (*heads[n], *texts))) for n, texts in columns.items()}
    names = list(columns)
    while not every and len(names) > 1 and sum(widths[n] + 2 for n in names) - 2 > width:
        del names[-1]
    count = len(found)
    points = range(count)
    shown = [*points] if every or count <= ROWS else [*points[: ROWS // 2], *points[-ROWS // 2 :]]
    lines = [f"{counted(count, 'point')}, solved by {', '.join(found.methods) or 'no method'}", ""]
    lines += ["  ".join(heads[name][i].rjust(widths[name]) for name in names) for i in (0, 1)]
    for at, i in enumerate(shown):
        if i > at == len(shown) // 2:
            lines.append(f"{counted(count - ROWS, 'more point')}: --all".rjust(widths[names[0]]))
        lines.append("  ".join(columns[name][i].rjust(widths[name]) for name in names))
    if len(names) < len(columns):
        more = counted(len(columns) - len(names), "more column")
        lines += ["", f"{more}: --all   every number: --json"]
    return lines


def _rank(name: str, found: Sweep) -> int:
    """Parameters first, then the measures that are shown."""
    kind = name.split(".", maxsplit=1)[0]
    if name in found.parameters:
        return 0
    return SHOWN.index(kind) + 1 if kind in SHOWN else len(SHOWN) + 1


def sweep_data(found: Sweep) -> dict[str, Any]:
    """A sweep for programs: columns, null where there is no answer."""
    return {
        "points": len(found),
        "methods": list(found.methods),
        "columns": {
            name: [None if value != value else value for value in values.tolist()]  # noqa: PLR0124 - nan
            for name, values in found.columns().items()
        },
        "problems": {str(i): problem for i, problem in found.problems.items()},
    }


def _unit(name: str, found: Sweep) -> str:
    kind = name.split(".", maxsplit=1)[0]
    if name in found.parameters:
        return {"demand": "[s]", "think_time": "[s]", "arrival_rate": "[/s]"}.get(kind, "")
    return {"throughput": "[/s]", "response_time": "[s]"}.get(kind, "")
