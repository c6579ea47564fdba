"""``qmodel whatif``: a configuration and changed ones side by side."""

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.options import Anyway, AsJson, AsSchema, Every, FileFormat
from advisor.cli.output import NO_ANSWER, configured, console, print_json, say


def command(
    config: Annotated[Path, typer.Argument(help="Configuration of a server, TOML or JSON.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE of the configuration; all of them at once."),
    ] = None,
    alternatives: Annotated[
        list[str] | None,
        typer.Option(
            "--alternative",
            help='One more, as in "mirrored: disk.raid=raid10, disk.drives=8"; may be repeated.',
        ),
    ] = None,
    anyway: Anyway = False,
    every: Every = False,
    file_format: FileFormat = None,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Predict what changes of a configuration do.

    Keys are those of the configuration file, as in disk.raid=raid10, server.cpus=2,
    "disk.drive=NVMe SSD" or workload.class.mail.cpu=50ms. Differences are taken within each
    calibration, so that what is uncertain in all of them cancels.

    Example: qmodel whatif examples/new_server.toml --set disk.raid=raid5
    """
    from advisor.cli import several_machines
    from advisor.configuration.changed_keys import change_of, named_settings, parse_settings
    from advisor.planning.alternatives import whatif
    from advisor.predicting.reproduced import check_reproduced
    from advisor.report.alternatives import show_whatif, whatif_data
    from advisor.report.answers import answer

    document, machines = several_machines.in_file(config, file_format)
    if machines is not None:
        several_machines.refuse(anyway=anyway)
        asked = [("", settings)] if settings else []
        asked += [(title, [*some]) for title, some in map(named_settings, alternatives or [])]
        several_machines.whatif(machines, asked, as_json=as_json, every=every)
        return
    configuration = configured(document)
    check_reproduced(configuration, anyway=anyway)
    changes = []
    if settings:
        changes.append(change_of(configuration, parse_settings(settings)))
    for text in alternatives or []:
        title, each = named_settings(text)
        changes.append(change_of(configuration, each, title, "--alternative"))
    found = whatif(configuration, changes)
    for alternative in found.alternatives:
        for warning in alternative.warnings:
            say(f"{alternative.title}: {warning}")
    if as_json:
        print_json(answer("whatif", whatif_data(found)))
    else:
        show_whatif(console(), found, every=every)
    if all(each.unstable for each in found.alternatives):
        raise typer.Exit(NO_ANSWER)
