"""``qmodel report``: the advice as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.options import Check, FileFormat, Today, Users, day
from advisor.cli.output import Progress, configured, print_document, say


def command(
    config: Annotated[Path, typer.Argument(help="Configuration of a server, TOML or JSON.")],
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="The HTML file; <name>.html here if not given."),
    ] = None,
    users: Users = "",
    baseline: Annotated[
        Path | None, typer.Option(help="What an earlier advise --json printed: mark what is new.")
    ] = None,
    check: Check = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    today: Today = None,
    file_format: FileFormat = None,
) -> None:
    """Write the advice as one page of HTML.

    It needs no network and no script. The file is called like the configuration, unless -o names
    another one; -o - prints the page.

    Example: qmodel report examples/overloaded.toml --output -
    """
    from advisor.cli import several_machines
    from advisor.cli.loads import user_counts
    from advisor.engine import checked, review
    from advisor.findings.baseline import compare, load_baseline
    from advisor.predicting.load_curve import alone_and_at_peak, populations
    from advisor.report.html_report import html_report
    from qmodel.documents.writing import check_target, write_text
    from qmodel.errors import InvalidInput

    if output is None:
        if config.name in {"", "-"}:
            raise InvalidInput("standard input has no name to call the page by: give -o FILE")
        output = f"{config.stem}.html"
    if Path(output).suffix.lower() not in {"", ".html", ".htm"}:
        raise InvalidInput(f"{output}: a report is HTML; write it to .html, and print that as PDF")
    if output != "-":
        check_target(output, force=force)  # before the work, not after it
    earlier = None if baseline is None else load_baseline(baseline)
    document, machines = several_machines.in_file(config, file_format)
    if machines is not None:
        several_machines.refuse(baseline=baseline, check=check)
        machines = several_machines.for_users(machines, users)
        page = several_machines.page_of(machines, day(today))
    else:
        asked = sorted(user_counts(users)) if users else []
        configuration = configured(document, asked)
        counts = asked if len(asked) > 1 else populations(configuration)
        on = day(today)
        found = review(configuration, today=on, progress=Progress("steps"))
        found = checked(found, Progress("networks simulated")) if check else found
        compared = None if earlier is None else compare(found, earlier)
        page = html_report(found, alone_and_at_peak(configuration, counts), compared, on)
    if output == "-":
        print_document(page)
    else:
        write_text(output, page, force=force)
        say(f"wrote {output}")
