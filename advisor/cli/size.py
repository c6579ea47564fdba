"""``qmodel size``: the cheapest configuration that meets the targets."""

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.options import Anyway, AsJson, AsSchema, Every, FileFormat
from advisor.cli.output import NO_ANSWER, STOPPED, configured, console, print_json, say
from advisor.cli.target_options import Response, Utilization


def command(
    config: Annotated[Path, typer.Argument(help="Configuration of a server, TOML or JSON.")],
    users: Annotated[
        int | None, typer.Option(min=1, help="For how many; the configuration's if not given.")
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="For how many requests per second, instead of users.")
    ] = None,
    response: Response = None,
    utilization: Utilization = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="KEY=VALUE,VALUE, KEY=LOW:HIGH:STEP or KEY: vary only this and any other --vary, "
            "as in disk.drives=2,4,8; a value with a comma in it in quotation marks."
        ),
    ] = None,
    cost: Annotated[
        Path | None,
        typer.Option(
            help="TOML with prices: tables processor, drive, network, and tier (of a core); a line "
            'is "SATA SSD" = "200 EUR 2026-11".'
        ),
    ] = None,
    anyway: Anyway = False,
    every: Every = False,
    file_format: FileFormat = None,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Find the cheapest configuration that meets the targets.

    Parts that the configuration names are exchanged for others of the catalogue, and their numbers
    for others. An array that survives the loss of a drive still does, and holds as much. Where no
    candidate fits for certain, the cheapest at risk is named, as advise calls it. Exit code 3 if
    all miss the targets; Ctrl-C prints the cheapest found so far, with code 130.

    Example: qmodel size examples/new_server.toml --users 500 --vary disk.drives
    """
    from advisor.cli import several_machines
    from advisor.cli.output import Progress
    from advisor.cli.target_options import fraction_above_0, promise
    from advisor.machines.settings import with_targets
    from advisor.predicting.reproduced import check_reproduced
    from advisor.report.sizing import show_sizing, sizing_data
    from advisor.sizing.search import size
    from qmodel.errors import InvalidInput

    if rate is not None and not 0.0 < rate < 1e9:
        raise InvalidInput(f"--rate: expected requests per second above 0, got {rate:g}")
    document, machines = several_machines.in_file(config, file_format)
    if machines is not None:
        several_machines.refuse(rate=rate, cost=cost, anyway=anyway)
        machines = with_targets(machines, promise(response), fraction_above_0(utilization))
        if not several_machines.size(machines, users, vary or [], as_json=as_json, every=every):
            raise typer.Exit(NO_ANSWER)
        return
    configuration = configured(document)
    check_reproduced(configuration, anyway=anyway)
    progress = Progress("candidates")
    try:
        found = size(
            configuration, users=users, rate=rate, response_time=promise(response),
            utilization=fraction_above_0(utilization), vary=vary or (), prices=cost,
            progress=progress,
        )  # fmt: skip
    except KeyboardInterrupt:
        say("stopped before a candidate was tried; the same command starts over")
        raise typer.Exit(STOPPED) from None
    if as_json:
        print_json(sizing_data(found))
    else:
        show_sizing(console(), found, every=every)
    if not found.complete:
        say(
            f"{progress.stopped()}: something cheaper may exist; the same command starts over, "
            "and fewer --vary make it shorter"
        )
        raise typer.Exit(STOPPED)
    if found.best is None:
        raise typer.Exit(NO_ANSWER)
