"""``qmodel agree``: a layered model's solution against the results in another solver's file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from advisor.cli.options import AsJson, AsSchema, Every
from advisor.cli.output import print_json

#: Rows of a screen; below this share of the largest of their kind differences say nothing.
ROWS, SMALL = 30, 1e-4


def command(
    model: Annotated[Path, typer.Argument(help="LQNX or LQXO file with results in it.")],
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Compare qmodel's solution with the results that another solver wrote.

    Example: qmodel agree examples/web_server.lqxo
    """
    import qmodel as qm
    from advisor.findings.words import counted
    from qmodel.formats.lqn.door import load_lqn
    from qmodel.formats.lqn.results import load_lqn_results

    theirs = load_lqn_results(model)
    solved = qm.solve_layers(load_lqn(model).model)
    plain = solved.to_dict()
    cores = {name: each["busy_cores"] for name, each in plain["processors"].items()}
    mine = {
        "throughput /s": {n: t["throughput"] for n, t in plain["tasks"].items()}
        | {n: u["throughput"] for n, u in plain["users"].items()},
        "response s": {n: e["response_time"] for n, e in plain["entries"].items()},
        "busy threads": {n: t["busy_threads"] for n, t in plain["tasks"].items()},
        "busy cores": cores,
    }
    given = (theirs.throughput, theirs.response_time, theirs.busy_threads, theirs.busy_cores)
    rows: list[dict[str, Any]] = []
    for (what, values), others in zip(mine.items(), given, strict=True):
        least = SMALL * max(others.values(), default=0.0)
        rows += [
            {"name": name, "measure": what, "qmodel": values[name], "file": other,
             "difference": values[name] / other - 1.0}
            for name, other in others.items()
            if name in values and other > least
        ]  # fmt: skip
    rows.sort(key=lambda row: -abs(row["difference"]))
    if as_json:
        print_json({"solver": theirs.solver, "rows": rows, "notes": list(solved.notes)})
        return
    who = theirs.solver or "the file"
    off = [abs(row["difference"]) for row in rows]
    said = f"{model.name}: nothing to compare"
    if rows:
        middle = sorted(off)[len(off) // 2]
        said = (f"{model.name}: {counted(len(rows), 'number')} of {who},\n{100 * middle:.2g} % "
                f"apart in the median, {100 * off[0]:.2g} % at most")  # fmt: skip
    typer.echo(said)
    shown = rows if every else rows[:ROWS]
    if shown:
        typer.echo(f"\n{'':<24} {'':<14} {'qmodel':>12} {'file':>12} {'difference':>11}")
    for row in shown:
        typer.echo(f"{row['name'][:24]:<24} {row['measure']:<14} {row['qmodel']:>12.5g} "
                   f"{row['file']:>12.5g} {100 * row['difference']:>+9.2f} %")  # fmt: skip
    if len(shown) < len(rows):
        typer.echo(f"{counted(len(rows) - len(shown), 'more row')}, all closer: --all")
    for note in solved.notes:
        typer.echo(note)
