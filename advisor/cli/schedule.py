"""``qmodel schedule``: the hours for batch tasks with the shortest response times."""

from pathlib import Path
from typing import Annotated, Self

import typer

from advisor.cli.options import AsJson, AsSchema, Every, FileFormat
from advisor.cli.output import STOPPED, configured, console, print_json, say


def command(
    config: Annotated[Path, typer.Argument(help="Configuration of a server, TOML or JSON.")],
    slot: Annotated[int, typer.Option(help="Length of a slot in minutes; divides a day.")] = 15,
    any_time: Annotated[
        bool, typer.Option("--any-time", help="Ignore the windows of tasks that are not fixed.")
    ] = False,
    time_limit: Annotated[
        float, typer.Option(help="Seconds to search; the best timetable by then is kept.")
    ] = 40.0,
    crontab: Annotated[Path | None, typer.Option(help="Write lines for cron.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files.")] = False,
    hours: Annotated[bool, typer.Option("--hours", help="Show the day by the hour.")] = False,
    every: Every = False,
    file_format: FileFormat = None,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Find the best hours for batch tasks.

    Best is the shortest response time at the worst time of the day.

    Exit code 3 if the requests cannot all be met, with a minimal set that conflicts;
    Ctrl-C prints the best timetable so far, with exit code 130. Beside --time-limit it takes what
    solving the network takes, some hundredths of a second for each set of tasks that meet.

    Example: qmodel schedule examples/nightly_jobs.toml
    """
    from advisor.report.timetable_export import lines_for_cron
    from advisor.scheduling.conflict import Infeasible
    from advisor.scheduling.schedule import schedule
    from advisor.scheduling.search import INTERRUPTED
    from qmodel.documents.document import read_document
    from qmodel.documents.writing import check_target, write_text

    if crontab is not None:
        check_target(crontab, force=force)
    configuration = configured(read_document(config, file_format))
    try:
        with _Search() as progress:
            found = schedule(
                configuration, slot=slot, any_time=any_time, time_limit=time_limit,
                progress=progress,
            )  # fmt: skip
    except Infeasible as error:
        if as_json:
            print_json({"conflict": list(error.conflict)})
        raise
    except KeyboardInterrupt:
        say(
            "stopped before there was a timetable; the same command starts over, "
            "and a longer --slot makes it shorter"
        )
        raise typer.Exit(STOPPED) from None
    if crontab is not None:
        write_text(crontab, lines_for_cron(found), force=force)
        say(f"wrote {crontab}")
    if as_json:
        from advisor.report.timetable import timetable_data

        print_json(timetable_data(found))
    else:
        from advisor.report.timetable import show_timetable

        show_timetable(console(), found, hours=hours, every=every)
    if found.stopped == INTERRUPTED:
        say("stopped; this is the best timetable so far; the same command starts over")
        raise typer.Exit(STOPPED)


class _Search:
    """How good the best timetable is so far, on a terminal only."""

    def __init__(self) -> None:
        from rich.console import Console

        self._status = Console(stderr=True).status("solving the day as it is")

    def __enter__(self) -> Self:
        if self._status.console.is_terminal:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def __call__(self, worst: float, bound: float) -> None:
        """Show the worst slot's response time and what it cannot be below. [s]"""
        from advisor.findings.words import seconds

        self._status.update(
            f"worst slot {seconds(worst)}, at best {seconds(bound)}; Ctrl-C keeps the best so far"
        )
