"""``qmodel sweep``: one model over a grid of its parameters."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.options import AsJson, AsSchema, Every
from advisor.cli.output import NO_ANSWER, STOPPED, Progress, columns, print_json, say

if TYPE_CHECKING:
    from concurrent.futures import Executor


def command(
    model: Annotated[Path, typer.Argument(help="Model file, TOML or JSON.")],
    vary: Annotated[
        list[str],
        typer.Option(
            help="NAME=VALUES, as in users=1:200, demand.cpu=0.1s:0.3s:0.05s, servers.cpu=1,2,4; "
            "with several classes population.edit, demand.edit.cpu; of a limit customers.threads."
        ),
    ],
    to: Annotated[
        Path | None, typer.Option("--to", "--output", "-o", help="A .csv file for the results.")
    ] = None,
    method: Annotated[str, typer.Option(help="auto, exact, or the name of a method.")] = "auto",
    workers: Annotated[int, typer.Option(min=1, max=1024, help="Processes to solve with.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Overwrite results.")] = False,
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Solve a model for every combination of some parameters.

    With --to it may be stopped, by Ctrl-C with exit code 130, and goes on where it was when the
    same command is given again.

    Example: qmodel sweep examples/two_tier.toml --vary population.edit=10:40:10
    """
    from qmodel import sweep
    from qmodel.documents.parameter_values import parse_vary
    from qmodel.formats.model_file import load_network

    network, values = load_network(model), parse_vary(vary)
    progress = Progress("points")
    try:
        with ExitStack() as stack:
            executor = processes(workers, stack)
            if to is None:
                found = sweep(network, values, method=method, executor=executor, progress=progress)
            else:
                stored = sweep(
                    network, values, method=method, executor=executor, progress=progress,
                    to=to, force=force,
                )  # fmt: skip
    except KeyboardInterrupt:
        kept = (
            "the same command goes on from there" if to is not None else "--to FILE would keep them"
        )
        say(f"{progress.stopped()}; {kept}")
        raise typer.Exit(STOPPED) from None
    progress.stopped()  # wipes its line
    if to is None:
        from advisor.report.sweep import show_sweep, sweep_data

        if as_json:
            print_json(sweep_data(found))
        else:
            typer.echo("\n".join(show_sweep(found, columns(), every=every)))
        _name_problems(len(found), len(found.problems), found.problems)
        return
    summary = {
        "path": stored.path, "points": stored.points, "resumed": stored.resumed,
        "without_answer": stored.without_answer, "methods": list(stored.methods),
    }  # fmt: skip
    if as_json:
        print_json(summary)
    else:
        went_on = f", {stored.resumed} of them before" if stored.resumed else ""
        say(f"wrote {stored.path}: {stored.points} points{went_on}")
    _name_problems(stored.points, stored.without_answer, stored.problems)


def _name_problems(points: int, without_answer: int, problems: dict[int, str]) -> None:
    if without_answer:
        first = min(problems)
        say(f"{without_answer} of {points} points have no answer; point {first}: {problems[first]}")
    if without_answer == points:
        raise typer.Exit(NO_ANSWER)


def processes(workers: int, stack: ExitStack) -> "Executor | None":
    """Processes of their own, which leave Ctrl-C to this one."""
    if workers == 1:
        return None
    import signal
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    quiet = (signal.SIGINT, signal.SIG_IGN)  # the first thing that a worker does
    spawn = get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawn, initializer=signal.signal, initargs=quiet)
    stack.callback(pool.shutdown, wait=True, cancel_futures=True)
    return pool
