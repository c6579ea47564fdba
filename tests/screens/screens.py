"""The screens of the commands: what is asked, and what the command prints."""

import io
import os
import re
import shlex
import sys
import tomllib
from contextlib import redirect_stdout, suppress
from pathlib import Path

import advisor.cli.app  # noqa: F401, with all commands, before one is named
from advisor.cli import main
from tests.advisor.configurations import ROOT

HERE = Path(__file__).resolve().parent
WIDTHS = (80, 120)
SAID = tomllib.loads((HERE / "screens.toml").read_text(encoding="utf-8"))
#: Name of each screen and the words of its command; and what its first five lines must say.
SCREENS = {name: tuple(shlex.split(command)) for name, command in SAID["command"].items()}
VERDICTS = SAID["verdict"]


def path_of(name, width):
    """Where a screen is kept."""
    return HERE / f"{name}_{width}.txt"


def shown(words, width):
    """What a command prints into a pipe, without spaces at the ends of lines."""
    plain = {"COLUMNS": str(width), "NO_COLOR": "1"}
    before = {name: os.environ.get(name) for name in plain}
    arguments, folder, out = sys.argv, Path.cwd(), io.StringIO()
    os.environ.update(plain)
    os.chdir(ROOT)
    sys.argv = ["qmodel", *words]
    try:
        with redirect_stdout(out), suppress(SystemExit):
            main()
    finally:
        os.chdir(folder)
        sys.argv = arguments
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    text = re.sub(r"events in [\d.]+ s", "events in 1 s", out.getvalue())  # by the clock
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())
