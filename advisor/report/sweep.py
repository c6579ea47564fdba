"""A sweep in the terminal and as data."""

from __future__ import annotations

from typing import Any

from qmodel import Sweep

#: Rows that are shown; of more the first and last ones.
ROWS = 60
#: Measures that are shown; the others are in files.
SHOWN = ("throughput", "response_time", "utilization")


def show_sweep(found: Sweep) -> list[str]:
    """A table of the parameters, throughputs, response times and utilizations."""
    columns = {
        name: [_cell(value) for value in values.tolist()]
        for name, values in found.columns().items()
        if name in found.parameters or name.split(".")[0] in SHOWN
    }
    heads = {name: f"{name} {_unit(name, found)}".strip() for name in columns}
    widths = {n: max(len(heads[n]), *map(len, texts)) for n, texts in columns.items()}
    lines = ["  ".join(heads[name].rjust(widths[name]) for name in columns)]
    points = range(len(found))
    shown = [*points] if len(found) <= ROWS else [*points[: ROWS // 2], -1, *points[-ROWS // 2 :]]
    for i in shown:
        if i < 0:
            lines.append(f"... {len(found) - ROWS} more; --json or --to FILE has them all")
        else:
            lines.append("  ".join(columns[name][i].rjust(widths[name]) for name in columns))
    return [*lines, "", f"solved by {', '.join(found.methods) or 'no method'}"]


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


def _cell(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _unit(name: str, found: Sweep) -> str:
    kind = name.split(".", maxsplit=1)[0]
    if name in found.parameters:
        return {"demand": "[s]", "think_time": "[s]", "arrival_rate": "[/s]"}.get(kind, "")
    return {"throughput": "[/s]", "response_time": "[s]"}.get(kind, "")
