"""The command itself: its subcommands, and the door for errors."""

import os
import sys
import warnings
from importlib import import_module
from typing import Annotated

import typer

from advisor.cli.output import NO_ANSWER, Pipe, Quiet

app = typer.Typer(
    name="qmodel",
    help="Predict a server's response time and utilization, name its bottleneck, and advise.",
    no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False,
)  # fmt: skip
#: One file a command, in the order of the help.
COMMANDS = (
    "advise", "report", "init", "solve", "simulate", "sweep", "convert", "agree", "agreement",
    "import", "audit", "calibrate", "predict", "whatif", "size", "schedule", "budget", "fleet",
    "catalogue", "rules", "explain", "examples",
)  # fmt: skip
#: Where a command cannot be called as its file.
_FILES = {"import": "import_files"}


def _ready() -> None:
    """Have the named command, which alone starts sooner, or all of them."""
    here = {each.name for each in app.registered_commands}
    for name in {*sys.argv[1:2]} & {*COMMANDS} or COMMANDS:
        if name not in here:
            app.command(name)(import_module(f"advisor.cli.{_FILES.get(name, name)}").command)
    app.registered_commands.sort(key=lambda each: COMMANDS.index(each.name or ""))


_ready()

#: Mistakes of a file that are told at once.
MISTAKES = 20
#: Exit code of a mistake in usage, configuration or file.
BAD_INPUT = 2
#: Exit code of an error of ours, EX_SOFTWARE of sysexits.h.
OUR_ERROR = 70


def _version(wanted: bool) -> None:
    if wanted and "--json" not in sys.argv[1:]:
        from qmodel.version import __version__

        typer.echo(f"qmodel {__version__}")
        raise typer.Exit
    if wanted:
        from advisor.cli.output import as_text, print_document
        from advisor.versions import versions

        print_document(as_text(versions()))
        raise typer.Exit


@app.callback()
def _main(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001, done before the command
        bool,
        typer.Option(
            "--version",
            help="Print the version; with --json those of Python and of what computes as well.",
            callback=_version,
            is_eager=True,
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", hidden=True)] = False,
) -> None:
    if as_json:
        raise typer.BadParameter("goes after a command, or with --version", param_hint="--json")
    if "--help" not in sys.argv[1:]:  # which is quick, for it imports nothing
        from qmodel.provenance import recorded

        context.with_resource(recorded())


def main() -> None:
    """Run the command; an expected error is one line on stderr.

    Exit codes: 0 nothing at or above ``--fail-on``; 1 findings; 2 usage, configuration or file;
    3 no valid answer (unstable, not calibratable, not applicable); 70 an internal error.
    """
    # Threads only cost time with matrices as small as these.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Plugins of pydantic have no business here, and looking for them costs 10 ms.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    if not os.environ.get("SOURCE_DATE_EPOCH", "0").isdigit():
        del os.environ["SOURCE_DATE_EPOCH"]  # numpy.f2py, which scipy loads, fails on it
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the shell
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    sys.stdout, sys.stderr = Pipe(sys.stdout), Quiet(sys.stderr)  # all that commands use of them
    warnings.showwarning = lambda message, *_, **__: typer.echo(f"warning: {message}", err=True)
    _ready()
    try:
        app(prog_name="qmodel")
        sys.stdout.flush()
    except Exception as error:
        from qmodel.errors import on_one_line

        code = _exit_code(error)
        if code is None:
            if os.environ.get("QMODEL_DEBUG"):
                raise
            kind = type(error).__name__
            typer.echo(
                f"internal error, please report it ({kind}: {on_one_line(str(error))}); "
                "with QMODEL_DEBUG=1 in the environment it shows where",
                err=True,
            )
            sys.exit(OUR_ERROR)
        for line in _lines(error):
            typer.echo(on_one_line(line), err=True)
        sys.exit(code)


def _lines(error: Exception) -> list[str]:
    """Every mistake of a file; of a file that another command takes, that alone."""
    from advisor.cli.file_kind import has_format, instead

    if said := instead(error, sys.argv[1:]):
        return [said]
    others = getattr(error, "others", ())
    told = [str(each) for each in (error, *others[: MISTAKES - 1])]
    if has_format(error, sys.argv[1:], app.registered_commands):
        told[0] += ", or --format toml|json"
    left = 1 + len(others) - len(told)
    return [*told, *([f"{left} more mistake{'s' if left > 1 else ''}"] if left else [])]


def _exit_code(error: Exception) -> int | None:
    """The exit code of an expected error, None for one of ours."""
    from qmodel.errors import InternalError, NotApplicable, QmodelError, Unstable

    if isinstance(error, InternalError):
        return None
    if isinstance(error, (Unstable, NotApplicable, *_loaded(_NO_ANSWER))):
        return NO_ANSWER
    if isinstance(error, (QmodelError, OSError, *_loaded(_BAD_INPUT))):
        return BAD_INPUT
    return None


#: Errors by the module that has them: one that is not loaded has raised nothing.
_NO_ANSWER = {
    "advisor.scheduling.conflict": "Infeasible", "qmodel.model.solution": "NotConverged",
    "calibration.estimation.fit": "NotCalibratable",
}  # fmt: skip
_BAD_INPUT = {"calibration.printed_tables.card": "TableError"}


def _loaded(named: dict[str, str]) -> tuple[type[Exception], ...]:
    return tuple(
        getattr(sys.modules[module], name)
        for module, name in named.items()
        if module in sys.modules
    )
