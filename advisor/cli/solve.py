"""``qmodel solve``: a model file in, its solution out."""

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.options import AsJson, AsSchema, Every, FileFormat
from advisor.cli.output import Progress, columns, print_json, working
from advisor.cli.target_options import Percentiles, percentile_shares

#: What the library says of a network that no method takes.
WAY_OUT = "simulate() takes most of what no method does"
#: Lines of a screen.
LINES = 40


def command(
    model: Annotated[Path, typer.Argument(help="Model file, TOML or JSON.")],
    method: Annotated[str, typer.Option(help="auto, exact, or the name of a method.")] = "auto",
    percentiles: Percentiles = None,
    check: Annotated[bool, typer.Option("--check", help="Simulate it as well.")] = False,
    every: Every = False,
    file_format: FileFormat = None,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Solve a queueing network.

    Example: qmodel solve examples/two_tier.toml --percentiles 50,95,99 --json
    """
    from textwrap import wrap

    import qmodel as qm

    shares = percentile_shares(percentiles)
    network = qm.load_model(model, file_format)
    if not isinstance(network, qm.Network):
        if check:
            problem = f"layered models are checked by qmodel simulate {model}"
            raise qm.NotApplicable(f"--check: {problem}")
        if method not in {"auto", "layers"}:
            raise qm.NotApplicable(f"--method {method}: of a layered model only auto or layers")
        layered = qm.solve_layers(network)
        times = qm.percentiles(layered, shares) if shares else None
        if as_json:
            print_json(layered.to_dict() | ({"percentiles": times.to_dict()} if times else {}))
            return
        typer.echo(str(layered))
        if times is not None:
            typer.echo(f"\nresponse times\n\n{times}")
        return
    try:
        with working("solving"):
            solution = qm.solve(network, method=method)
            times = qm.percentiles(solution, shares, exact=True) if shares else None
    except (qm.NotApplicable, qm.NotConverged, qm.Unstable) as error:
        if qm.why_not_simulated(network) is not None:
            raise
        said = str(error)
        for end in (f"; {WAY_OUT}", "; the last iterate is in .last"):
            said = said.removesuffix(end)
        axis = " --until 30min" * isinstance(error, qm.Unstable)
        kind = qm.Unstable if axis else qm.NotApplicable
        raise kind(f"{said}; qmodel simulate {model}{axis} can do it") from error
    progress = Progress("events")
    checked = qm.compared(solution, progress=progress) if check else None
    progress.stopped()  # wipes its line
    if as_json:
        document = solution.to_dict()
        if times is not None:
            document["percentiles"] = times.to_dict()
        if checked is not None:
            document["check"] = checked.to_dict()
        print_json(document)
    else:
        first, *rest = str(solution).splitlines()
        if solution.reason.startswith("rough, "):
            typer.echo(f"rough: simulation gives an interval, qmodel simulate {model}")
        if rest and rest[-1].startswith("bottleneck: "):
            first, rest = f"{rest[-1]}; {first}", rest[:-2]
        if times is not None:
            rest += ["", "sojourn times, response and each visit", "", *str(times).splitlines()]
        if checked is not None:
            rest += ["", *str(checked).splitlines()]
        # Tables are narrow enough, remarks may not be; what fits keeps its spaces.
        width = columns()
        rest = [
            part for line in rest for part in (wrap(line, width) if len(line) > width else [line])
        ]
        shown = rest if every or len(rest) < LINES else rest[: LINES - 2]
        typer.echo("\n".join([first, *shown]))
        if len(shown) < len(rest):
            typer.echo(f"{len(rest) - len(shown)} more lines: --all")
