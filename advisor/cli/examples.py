"""``qmodel examples``: servers, networks and measurements to try, from an installed package too."""

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.options import AsJson, AsSchema
from advisor.cli.output import columns, print_json, say

#: Where they are in an installed package, and in its source.
PLACES = (Path(__file__).parent.parent / "examples", Path(__file__).parents[2] / "examples")
#: Kinds of files that are examples; the others are what they print.
KINDS = {".toml", ".csv", ".json", ".jmva", ".lqn", ".lqnx", ".py"}


def command(
    copy: Annotated[Path | None, typer.Option(help="Copy them into this folder.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """List the examples, or copy them to a folder.

    Example: qmodel examples
    """
    folder = next(place for place in PLACES if place.is_dir())
    files = sorted(f for f in folder.rglob("*") if f.suffix in KINDS and f.is_file())
    names = [f.relative_to(folder).as_posix() for f in files]
    if copy is not None:
        from qmodel.documents.writing import check_target, write_bytes

        targets = [copy / name for name in names]
        for target in targets:  # all of them before the first
            if target.parent.is_dir():
                check_target(target, force=force)
        for source, target in zip(files, targets, strict=True):
            target.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(target, source.read_bytes(), force=force)
        say(f"copied {len(names)} files to {copy}; try: qmodel advise {copy / 'new_server.toml'}")
    elif as_json:
        print_json({"folder": str(folder), "examples": names})
    else:
        typer.echo(f"{len(names)} examples; qmodel examples --copy DIR copies them\n")
        width = max(map(len, names)) + 2
        across = max(1, columns() // width)
        for row in range(0, len(names), across):
            typer.echo("".join(f"{name:<{width}}" for name in names[row : row + across]).rstrip())
