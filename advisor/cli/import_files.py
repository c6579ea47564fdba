"""``qmodel import``: what a site records anyway, as a table of runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.options import AsJson, AsSchema, Every
from advisor.cli.output import Progress, console, print_json, say

if TYPE_CHECKING:
    from calibration.recordings.importing import Imported
    from calibration.recordings.user_table import UserTable

#: A running server among the files.
LIVE = "prometheus"


def command(
    files: Annotated[list[Path], typer.Argument(help="Recordings of one system, in any order.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the table of runs, a .csv.")
    ] = None,
    columns: Annotated[
        str,
        typer.Option(help='What unknown columns are, as in "VUs=users,busy=utilization:cpu [%]".'),
    ] = "",
    host: Annotated[
        str, typer.Option(help="Computers and service to use, as in web1,db1,shop.")
    ] = "",
    url: Annotated[
        str, typer.Option(help="Address of a running Prometheus; give prometheus as a file.")
    ] = "",
    range_: Annotated[
        str, typer.Option("--range", help="How far back to query it, as in 30m, 24h or 7d.")
    ] = "24h",
    zone: Annotated[str, typer.Option(help="Zone of times that name none, as in UTC+1.")] = "",
    by_class: Annotated[
        bool, typer.Option("--by-class", help="Write rates per class instead of users.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    every: Every = False,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Make a table of runs from what monitors, load generators and servers record.

    Read are Prometheus (query_range, text, OpenMetrics), OpenTelemetry (OTLP JSON), k6, JMeter,
    Locust, wrk, pgbench, sar, sadf, iostat, vmstat, pidstat, cgroup v2, Docker, Windows Performance
    Monitor, CloudWatch, Azure Monitor, Google Cloud Monitoring, Datadog (JSON of each), Grafana
    CSV, access logs and tables, also gzipped. A row is a period of steady load; a table with start
    and end says the periods itself. calibrate, audit and predict take the same.

    With --url the file prometheus is that server. A token for it is read from the environment,
    QMODEL_PROMETHEUS_TOKEN, or a name and a password, QMODEL_PROMETHEUS_USER and _PASSWORD.

    Example: qmodel import examples/telemetry/k6.csv.gz examples/telemetry/prometheus.json
    """
    from advisor.report.import_screen import import_data, show_import
    from calibration.recordings.importing import table_text
    from qmodel.documents.writing import check_target, write_text

    if output is not None:
        check_target(output, force=force)
    found = imported(files, columns, host, url, range_, zone, by_class=by_class)
    if output is not None:
        write_text(output, table_text(found.table), force=force)
    if as_json:
        print_json(import_data(found))
    else:
        show_import(console(), found, every=every)
    if output is not None:
        say(f"wrote {output}; next: qmodel calibrate {output}")


def runs_in(files: list[Path]) -> "UserTable":
    """The runs that files hold; what was left out or looks wrong goes to standard error."""
    found = imported(files)
    for note in found.notes:
        say(note)
    return found.table


def imported(
    files: list[Path], columns: str = "", hosts: str = "", url: str = "", range_: str = "",
    zone: str = "", *, by_class: bool = False,
) -> "Imported":  # fmt: skip
    """The table of runs that files hold, on a terminal with how far it is."""
    from calibration.recordings.asking_prometheus import ask_prometheus
    from calibration.recordings.importing import columns_of, import_files
    from qmodel.errors import InvalidInput

    names = [name.strip() for name in hosts.split(",") if name.strip()]
    paths = [str(file) for file in files]
    if url and LIVE not in paths:
        raise InvalidInput(f"--url: give {LIVE} as a file, as in qmodel import {LIVE} --url")
    if not url and LIVE in paths and not Path(LIVE).exists():
        raise InvalidInput(f"{LIVE}: give its address with --url, as http://127.0.0.1:9090")
    asked = [ask_prometheus(url, range_)] if url else []
    progress = Progress("MB")
    return import_files(
        [path for path in paths if not (url and path == LIVE)], columns_of(columns), names,
        lambda done, size: progress(done // 2**20, size // 2**20), asked, classwise=by_class,
        zone=zone,
    )  # fmt: skip
