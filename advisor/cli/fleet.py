"""``qmodel fleet``: many servers at once."""

from contextlib import ExitStack
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from advisor.cli.options import AsJson, AsSchema, Every
from advisor.cli.output import NO_ANSWER, STOPPED, Progress, console, print_json, say

if TYPE_CHECKING:
    from concurrent.futures import Executor


class FailOn(StrEnum):
    """The best state that is not let pass."""

    never = "never"
    not_read = "not-read"
    overloaded = "overloaded"
    too_slow = "too-slow"
    at_risk = "at-risk"
    not_known = "not-known"


def command(
    fleet: Annotated[
        Path, typer.Argument(help="A folder of configurations, or a CSV with a column config.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--to", "--output", "-o", help="A .csv or .html file; written as it goes, resumed."
        ),
    ] = None,
    fail_on: Annotated[
        FailOn, typer.Option(help="Exit with 1 at this state or worse; too-slow equals overloaded.")
    ] = FailOn.never,
    workers: Annotated[int, typer.Option(min=1, max=1024, help="Processes to answer with.")] = 1,
    executor: Annotated[str, typer.Option(help="processes, or dask for a cluster.")] = "processes",
    scheduler: Annotated[str, typer.Option(help="Address of the cluster's scheduler.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Advise on many servers: verdict, what fits, what fills first, and the next step of each.

    Keys of a configuration may be columns of the CSV, as workload.users. Stopped by Ctrl-C (exit
    code 130), the same command with -o goes on where it was. Exit code 3 if none can be read.

    Example: qmodel fleet examples/fleet.csv
    """
    from advisor.fleet.answer import STATES
    from advisor.fleet.kept import answers
    from advisor.fleet.services import services_of
    from advisor.report.fleet import fleet_csv, fleet_page, show_fleet, worst_first
    from qmodel.documents.writing import check_target, write_text
    from qmodel.errors import InvalidInput

    services, passed = services_of(fleet)
    if output is not None:
        if output.suffix not in {".csv", ".html"}:
            raise InvalidInput(f"-o {output}: expected a name that ends in .csv or .html")
        check_target(output, force=force)
    partial = output.with_name(f"{output.name}.partial") if output else None
    progress, found = Progress("services"), {}
    try:
        with ExitStack() as stack:
            where = _executor(executor, scheduler, workers, stack)
            progress(0, len(services))
            for i, row in answers(services, where, partial):
                found[i] = row
                progress(len(found), len(services))
    except KeyboardInterrupt:
        kept = "the same command goes on from there" if partial else "-o FILE would keep them"
        say(f"{progress.stopped()}; {kept}")
        raise typer.Exit(STOPPED) from None
    rows = [found[i] for i in range(len(services))]
    if output is not None and partial is not None:
        today = datetime.now(UTC).astimezone().date().isoformat()
        is_page = output.suffix == ".html"
        text = fleet_page(rows, today, fleet.name) if is_page else fleet_csv(rows)
        write_text(output, text, force=force)
        partial.unlink(missing_ok=True)
        say(f"wrote {output}")
    if as_json:
        print_json({"services": worst_first(rows), "passed_over": len(passed)})
    else:
        show_fleet(console(), rows, passed, every=every)
    if all(row["state"] == "NOT READ" for row in rows):
        raise typer.Exit(NO_ANSWER)
    if fail_on is not FailOn.never:
        limit = STATES[fail_on.value.replace("-", " ").upper()]
        raise typer.Exit(int(any(STATES[row["state"]] <= limit for row in rows)))


def _executor(kind: str, scheduler: str, workers: int, stack: ExitStack) -> "Executor | None":
    from qmodel.errors import InvalidInput

    if kind == "dask":
        if not scheduler:
            raise InvalidInput("--executor dask: needs --scheduler ADDRESS, as in tcp://host:8786")
        try:
            from distributed import Client
        except ImportError:
            raise InvalidInput(
                "--executor dask: needs pip install 'qmodel-capacity[distributed]'"
            ) from None
        try:
            client: Any = Client
            found: Executor = stack.enter_context(client(scheduler, timeout="10s")).get_executor()
        except (OSError, ValueError) as error:
            raise InvalidInput(f"--scheduler {scheduler}: no answer ({error})") from None
        return found
    if kind != "processes":
        raise InvalidInput(f"--executor {kind}: expected processes or dask")
    from advisor.cli.sweep import processes

    return processes(workers, stack)
