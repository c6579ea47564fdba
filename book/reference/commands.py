"""Every subcommand with its help, as the command itself prints it."""

from __future__ import annotations

import inspect
from typing import Any

import typer

from advisor.cli.app import app
from reference.markdown import Code, code, plain, table


def page() -> str:
    group: Any = typer.main.get_command(app)
    parts = [
        "# Commands\n",
        "`qmodel COMMAND --help` prints the same. Exit codes: 0 all well, 1 findings at or above "
        "`--fail-on`, 2 a usage, a file or a configuration that is wrong, 3 no valid answer, 70 an "
        "internal error. `--json` prints for programs.\n",
        table(
            ("command", "what it does"),
            (
                (Code(f"qmodel {name}"), _first_line(command))
                for name, command in group.commands.items()
            ),
        ),
    ]
    for name, command in group.commands.items():
        parts += [f"## qmodel {name}\n", _body(command)]
        shown = [p for p in command.params if not getattr(p, "hidden", False)]
        options = [p for p in shown if p.param_type_name == "option"]
        arguments = [p for p in shown if p.param_type_name == "argument"]
        usage = " ".join([f"qmodel {name}", *(_place(a) for a in arguments), "[OPTIONS]"])
        parts.append(code(usage))
        rows = [(Code(_place(a)), getattr(a, "help", "") or "") for a in arguments]
        rows += [(Code(", ".join((*o.opts, *o.secondary_opts))), o.help or "") for o in options]
        if rows:
            parts.append(table(("option", "meaning"), rows))
    return "\n".join(parts)


def _place(argument: Any) -> str:
    name = (argument.metavar or argument.name or "").upper()
    return name if argument.required else f"[{name}]"


def _first_line(command: Any) -> str:
    return (command.help or "").strip().splitlines()[0]


def _body(command: Any) -> str:
    """The help text; examples as code."""
    found = []
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith("Example"):
            lines = paragraph.split(":", 1)[1].replace("\b", "").strip().splitlines()
            found.append(code("\n".join(line.strip() for line in lines), "console"))
        else:
            found.append(plain(paragraph.replace("\b", "").strip()) + "\n")
    return "\n".join(found)
