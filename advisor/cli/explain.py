"""``qmodel explain``: a rule's manual, a finding's derivation, or a network's."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.options import AsJson, AsSchema, Every, FileFormat, Today, day
from advisor.cli.output import columns, configured, console, print_json, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from advisor.machines.pools import Manual
    from advisor.rule_support.rule import Rule


def command(
    rule: Annotated[
        str,
        typer.Argument(help="Rule, fingerprint of a finding, or a key such as server.replicas."),
    ] = "",
    config: Annotated[
        Path | None,
        typer.Argument(help="A configuration: show what the rule found in it, and how."),
    ] = None,
    network: Annotated[
        Path | None, typer.Option(help="Show how this configuration becomes a network.")
    ] = None,
    today: Today = None,
    file_format: FileFormat = None,
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Explain a rule, a finding, a key of configurations or a table of them, or a network.

    Example: qmodel explain CPU001

    Example: qmodel explain monitored

    Example: qmodel explain CPU001 examples/overloaded.toml
    """
    from advisor.configuration.key_texts import texts_of

    if network is None and config is None and (keys := texts_of(rule)):
        _explain_keys(keys, as_json=as_json)
        return
    if network is not None:
        if rule:
            from qmodel.errors import InvalidInput

            raise InvalidInput("--network explains a whole configuration; give no rule beside it")
        _explain_network(network, file_format, as_json=as_json)
        return
    from advisor.machines.pools import manual_of

    pool = manual_of(rule)  # of several machines, whose findings are explained by their rule
    if config is not None and pool is None:
        _explain_finding(rule, config, day(today), file_format, every=every, as_json=as_json)
    else:
        each = pool or _rule(rule)
        if config is not None:
            what = f"{each.code} is of a network of several machines, and this is its manual"
            say(f"{what}; what it finds in {config}: qmodel advise {config}")
        if as_json:
            print_json({"code": each.code, "slug": each.slug, "manual": each.manual})
        else:
            typer.echo("\n".join(_manual(each, min(columns(), 100))))


def _manual(rule: "Rule | Manual", width: int) -> "Iterator[str]":
    """The manual in lines that fit: code and slug, one sentence, and a section each."""
    yield f"{rule.code} {rule.slug}"
    yield from _folded(rule.sentence, width, further=0)
    for part in re.split(r"\n(?=\S)", rule.manual.strip())[1:]:
        heading, _, text = part.partition("\n")
        yield f"\n{heading}"
        yield from _folded(f"    {' '.join(text.split())}", width, further=0)


def _explain_keys(keys: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        print_json({"keys": keys})
        return
    from advisor.configuration.key_texts import example_of
    from advisor.report.screen import table

    shown = table("key", "what it says")
    for key, text in keys.items():
        shown.add_row(key, text)
    console().print(shown)
    if len(keys) == 1 and (example := example_of(key)):
        typer.echo(f"e.g. {example}")


def _rule(name: str) -> "Rule":
    from advisor.configuration.changed_keys import all_keys, key_ending
    from advisor.rules import RULES
    from qmodel.documents.wording import closest, show_text
    from qmodel.errors import InvalidInput

    for each in RULES:
        if name.casefold() in (each.code.casefold(), each.slug):
            return each
    if re.fullmatch(r"[0-9a-f]{16}", name):
        raise InvalidInput(f"{name} is a finding's fingerprint; give its configuration after it")
    table = [key for key in all_keys() if key.startswith(name.partition(".")[0] + ".")]
    is_code = re.search(r"-|\d$", name)
    meant = None if is_code else closest(name, table) or key_ending(name, all_keys())
    meant = meant or closest(name, [word for each in RULES for word in (each.code, each.slug)])
    hint = f"did you mean {show_text(meant)}? " if meant else ""
    what = "rule" if is_code else "rule or key"
    raise InvalidInput(f"no {what} {name!r}; {hint}expected one such as CPU001, see qmodel rules")


def _explain_finding(
    name: str, path: Path, today: "date | None", file_format: str | None, *, every: bool,
    as_json: bool,
) -> None:  # fmt: skip
    from advisor.engine import review
    from advisor.report.explanation import explanation_data, explanation_lines
    from advisor.report.screen import LINES
    from qmodel.documents.document import read_document
    from qmodel.errors import InvalidInput

    by_mark = re.fullmatch(r"[0-9a-f]{16}", name)
    rule = None if by_mark else _rule(name)
    configuration = configured(read_document(path, file_format))
    found = review(configuration, today=today)
    located = (*found.findings, *(f for each in found.suppressed for f in each.findings))
    wanted = [f for f in located if (name == f.fingerprint if by_mark else _rule(f.rule) is rule)]
    if rule is None:
        if not wanted:
            raise InvalidInput(f"no finding of {path} has the fingerprint {name}")
        rule = _rule(wanted[0].rule)
    if as_json:
        print_json(explanation_data(found, rule, wanted))
    else:
        told = explanation_lines(found, rule, wanted)
        lines = [part for line in told for part in _folded(line, columns())]
        shown = lines if every or len(lines) <= LINES else lines[: LINES - 1]
        typer.echo("\n".join(shown))
        if len(shown) < len(lines):
            typer.echo(f"{len(lines) - len(shown)} more lines: --all")


def _folded(line: str, width: int, further: int = 4) -> list[str]:
    """A line in as many as it takes, those after the first further in."""
    from textwrap import wrap

    margin = " " * (len(line) - len(line.lstrip()) + further)
    return wrap(line, width, subsequent_indent=margin, break_on_hyphens=False) or [""]


def _explain_network(path: Path, file_format: str | None, *, as_json: bool) -> None:
    from advisor.cli import several_machines
    from advisor.loading import configuration_of
    from advisor.report.derivation import derivation_data, show_derivation

    document, machines = several_machines.in_file(path, file_format)
    if machines is not None:
        several_machines.explain(machines, as_json=as_json)
        return
    configuration = configuration_of(document)
    if as_json:
        print_json(derivation_data(configuration))
    else:
        show_derivation(console(), configuration)
