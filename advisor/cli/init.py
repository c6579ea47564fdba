"""``qmodel init``: a commented configuration to start from."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.output import print_document, say

PRESETS = Path(__file__).parent.parent / "presets"
#: Servers to start from, the usual one first.
PRESET_NAMES = ("web", "database", "mail", "notes31")


def _print_schema(wanted: bool) -> None:
    if wanted:
        import json

        from advisor.configuration.schema import ServerConfig

        schema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **ServerConfig.model_json_schema(),
        }
        print_document(json.dumps(schema, indent=1, ensure_ascii=False) + "\n")
        raise typer.Exit


def command(
    path: Annotated[
        Path | None, typer.Argument(help="Where to write it; standard output by default.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar=f"[{'|'.join(PRESET_NAMES)}]",
            help="A template of such a server, without questions.",
            autocompletion=lambda: list(PRESET_NAMES),
        ),
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option("--from", help="The server that qmodel calibrate -o wrote, ready to advise."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The same as the argument.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file.")] = False,
    schema: Annotated[  # noqa: ARG001, done before the command
        bool,
        typer.Option(
            "--schema",
            help="Print the JSON Schema of configurations, by which editors complete them.",
            callback=_print_schema,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Write a configuration to start from.

    On a terminal it asks a few numbers that every monitor shows, and derives the demands; else, or
    with --preset, it writes a commented template of a server of today.

    Example: qmodel init --preset database

    Example: qmodel init --from examples/calibrated/load_test.json
    """
    from qmodel.documents.wording import did_you_mean
    from qmodel.documents.writing import check_target, write_text
    from qmodel.errors import InvalidInput

    if path is not None and output is not None:
        raise InvalidInput("give the file once, as the argument or with -o")
    target = path or output
    if target is not None and str(target) == "-":
        target = None
    if calibration is not None and preset is not None:
        raise InvalidInput("--preset and --from: give one of them")
    if preset not in (None, *PRESET_NAMES):
        raise InvalidInput(f"--preset: no {preset}; {did_you_mean(preset, PRESET_NAMES)}")
    if target is not None:
        check_target(target, force=force)  # before anything is asked
    if calibration is not None:
        text = _calibrated(calibration, target)
    elif preset is None and sys.stdin.isatty() and sys.stdout.isatty():
        text = _asked()
    else:
        text = (PRESETS / f"{preset or PRESET_NAMES[0]}.toml").read_text(encoding="utf-8")
    if target is None:
        print_document(text)
        return
    write_text(target, text, force=force)
    say(f"wrote {target}; now: qmodel advise {target}")


def _calibrated(calibration: Path, target: Path | None) -> str:
    """The configuration of a calibration, which it names from the folder of the target."""
    from advisor.cli.predict_server import warn
    from advisor.configuration.calibrated import usable
    from advisor.configuration.of_calibration import configuration_text
    from qmodel.errors import InvalidInput

    found = usable(calibration)
    warn(str(calibration), found)
    folder = Path.cwd() if target is None else target.parent.resolve()
    place = calibration.resolve()
    if target is not None and not place.is_relative_to(folder):
        raise InvalidInput(
            f"-o {target}: a configuration names a calibration beside or below it; write "
            f"{place.with_name(target.name)} instead"
        )
    file = place.relative_to(folder) if place.is_relative_to(folder) else Path(place.name)
    return configuration_text(found, file.as_posix())


def _asked() -> str:
    """The configuration of what somebody at a terminal knows; what does not fit is asked again."""
    from advisor.configuration.asked_server import AskedServer, asked_text
    from advisor.configuration.schema import Count
    from qmodel.documents.fields import QuantityText, fraction
    from qmodel.errors import InvalidInput

    given: dict[str, str] = {}

    def ask(question: str, dimension: str, usual: str, *, positive: bool = True) -> float:
        read = fraction if dimension == "fraction" else QuantityText(dimension, positive).read
        while True:
            answer = typer.prompt(question, default=given.get(question, usual))
            try:
                found, given[question] = read(answer), answer
            except ValueError as error:
                say(f"{error}")
            else:
                return found

    say("A few numbers of the busiest hour; Enter accepts the value in brackets.")
    title = typer.prompt("What is the server for?", default="my server")
    drives = typer.prompt("How many drives? 0 to leave them out.", default=0, type=int)
    disk_rate = ask("How much do they read and write?", "data rate", "20 MB/s") if drives else 0.0
    target = ask("How long may a request take?", "time", "250 ms")
    known = typer.prompt("Do you know users or requests per second?", default="users")
    cores, users, think_time, rate = 8, None, 0.0, None
    while True:
        cores = typer.prompt("How many cores does it have?", default=cores, type=Count)
        busy = ask("How busy is the processor then?", "fraction", "50 %")
        time = ask("How long does a request take on average?", "time", "100 ms")
        # Requests per second that take half of that time, with what they wait for the processor.
        fits = 2.0 * busy * cores / time / max(0.02, 1.0 - busy**cores)
        if known == "users":
            pause = "How long from an answer to a user's next request?"
            think_time = ask(pause, "time", "5 s", positive=False)
            most = users or max(1, int(float(f"{fits * (time + think_time):.1g}")))
            question = "How many users are at work at the same time?"
            users = typer.prompt(question, default=most, type=Count)
        else:
            usual = f"{float(f'{fits or 1.0:.1g}'):.9g} /s"
            rate = ask("How many requests per second?", "rate", usual)
        load = (users, think_time, rate, drives, disk_rate)
        try:
            return asked_text(AskedServer(title, cores, busy, time, target, *load))
        except InvalidInput as error:
            say(f"{error}")
