"""The record as a table for people, and the part of it that the library quotes."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
DATA = HERE / "table.json"
PAGE = HERE / "TABLE.md"
QUOTED = HERE.parents[1] / "qmodel" / "solvers" / "accuracy.json"

HEAD = """# Errors of the approximate methods

Written by `make accuracy`; do not edit. The error of a network is the largest relative error of
any class (R response time, X throughput) or station (Q queue length; where all classes are
closed, as a part of all customers). "Refused": networks that the method says it is not for.
"""


def read() -> dict:
    """All families that were recorded."""
    return json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}


def write(record: dict) -> None:
    """The data, the page, and what is quoted."""
    DATA.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(record), encoding="utf-8")
    QUOTED.write_text(quoted(record), encoding="utf-8")


def page(record: dict) -> str:
    """The table in Markdown."""
    parts = [HEAD]
    for name, family in record.items():
        noise = ", ".join(f"{m} {percent(v)}" for m, v in family["noise"].items())
        parts.append(
            f"## {name}\n\n{family['networks']:,} networks (seed {family['seed']}): "
            f"{family['about']}. Against: {family['truth']}"
            + (f", median half width of its confidence interval {noise}" if noise else "")
            + ".\n\n| method | measure | median | 95 % below | worst | refused |\n"
            "|---|---|---:|---:|---:|---:|\n"
            + "\n".join(
                f"| {method} | {measure} | {percent(e['median'])} | {percent(e['p95'])} "
                f"| {percent(e['worst'])} | {found['refused'] or ''} |"
                for method, found in family["methods"].items()
                for measure, e in found["errors"].items()
            )
            + "\n"
        )
    return "\n".join(parts)


def quoted(record: dict) -> str:
    """Errors by family and method, for `qmodel.solve` and its percentiles; ranges and kinds."""
    lines = [
        f' "{name} {method}{of}": [{e["median"]}, {e["worst"]}]'
        for name, family in record.items()
        for method, found in family["methods"].items()
        for measure, of in (("R", ""), ("p95", " p95"), ("p99", " p99"))
        if (e := found["errors"].get(measure))
    ]
    parts = {"errors": lines} | {
        part: [f' "{name}": {json.dumps(family[part])}' for name, family in record.items()]
        for part in ("ranges", "kinds")
    }
    return (
        "{"
        + ",\n".join(f'"{part}": {{\n' + ",\n".join(rows) + "\n}" for part, rows in parts.items())
        + "}\n"
    )


def percent(value: float) -> str:
    """An error in words: 0.12 %, 3.4 %, 26 %."""
    if value == 0.0:
        return "0 %"
    shown = 100.0 * value
    return f"{shown:.2g} %" if shown < 100.0 else f"{shown:.0f} %"
