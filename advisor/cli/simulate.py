"""``qmodel simulate``: a model file in, simulated measures with their intervals out."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from advisor.cli.options import AsJson, AsSchema, FileFormat
from advisor.cli.output import Progress, print_json, say
from advisor.cli.target_options import fraction_above_0, time_above_0

if TYPE_CHECKING:
    from qmodel import Estimate, Simulated

#: Lines of a screen.
SCREEN = 40
#: Parameters of a simulation over time alone, and those of one in steady state, as options.
OVER_TIME = {"start": "--from", "load": "--load", "output": "-o"}
STEADY = {each: f"--{each}" for each in ("precision", "seconds", "events", "workers")}


def command(
    context: typer.Context,
    model: Annotated[Path, typer.Argument(help="Model file, TOML or JSON.")],
    precision: Annotated[
        str, typer.Option(help="Half width of response times to stop at, such as 1%.")
    ] = "1%",
    seconds: Annotated[float, typer.Option(help="Stop after so many seconds at the latest.")] = 60,
    events: Annotated[
        int | None, typer.Option(help="Stop after so many events: the same result on any machine.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    target: Annotated[
        str | None, typer.Option(help="Requests slower than this are late, such as 2s.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Simulate from an empty start until a time, such as 30min.")
    ] = None,
    start: Annotated[
        str, typer.Option("--from", help="The beginning: empty, or loaded (all ask at once).")
    ] = "empty",
    load: Annotated[
        Path | None,
        typer.Option(
            help="With --until: a CSV of how the load changes. Columns: time, and load, users, "
            "rate or the name of a class, as factors of the model's."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it over time: .csv or .svg.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    workers: Annotated[int, typer.Option(help="How many processes; results stay the same.")] = 1,
    file_format: FileFormat = None,
    as_json: AsJson = False,
    schema: AsSchema = False,  # noqa: ARG001, done before the command
) -> None:
    """Simulate a queueing network, event by event.

    Example: qmodel simulate examples/two_tier.toml --precision 2% --seed 1
    """
    import qmodel as qm
    from qmodel.documents.writing import check_target

    _refuse_unused(context, until)
    network = qm.load_model(model, file_format)
    share, late = fraction_above_0(precision, "--precision"), time_above_0(target, "--target")
    end = time_above_0(until, "--until")
    if end is not None:
        if isinstance(network, qm.Layered):
            raise qm.NotApplicable("--until: a layered model is simulated in steady state only")
        from advisor.cli.load_profile import load_profile
        from advisor.report.over_time import over_time, write_over_time

        if output is not None:
            if output.suffix.lower() not in {".csv", ".svg"}:
                raise qm.InvalidInput(f"-o {output}: expected a name that ends in .csv or .svg")
            check_target(output, force=force)
        progress = Progress("replications")
        profile = load_profile(load, network) if load else None
        course = qm.simulate_over_time(
            network, end, start=start, seed=seed, target=late, load=profile, progress=progress
        )
        if output is not None:
            write_over_time(course, output, force=force)
            say(f"wrote {output}")
        print_json(course.to_dict()) if as_json else typer.echo("\n".join(over_time(course)))
        return
    options: dict[str, Any] = {
        "precision": share, "seconds": seconds, "events": events, "seed": seed, "target": late,
    }  # fmt: skip
    from concurrent.futures import ProcessPoolExecutor  # which takes 20 ms to import

    with ExitStack() as open_:
        pool = open_.enter_context(ProcessPoolExecutor(workers)) if workers > 1 else None
        progress = Progress("events")
        found = qm.simulate(network, executor=pool, progress=progress, **options)
        progress.stopped()  # wipes its line
    if found.stopped == "interrupted":
        say("stopped; what was done is shown")
    if as_json:
        print_json(found.to_dict())
    else:
        typer.echo("\n".join(lines(found)))


def _refuse_unused(context: typer.Context, until: str | None) -> None:
    """InvalidInput if an option is given that would change nothing."""
    from qmodel.errors import InvalidInput

    for name, option in (OVER_TIME if until is None else STEADY).items():
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            given = f"{option} {context.params[name]}"
            if until is None:
                raise InvalidInput(f"{given}: expected with --until, such as --until 30min")
            raise InvalidInput(f"{given}: expected without --until, which says when to end")


def lines(found: "Simulated") -> list[str]:
    """The answer first, then the stations, then how it was made; at most 40 lines of 80."""
    network = found.network
    said = ["95 % intervals"]
    for c, name in enumerate(network.class_names):
        said.append(f"{_short(name, 20)}: response time {_of(found.response_times[c])} s, "
                    f"throughput {_of(found.throughputs[c])} /s")  # fmt: skip
        parts = [
            f"{100.0 * share:.10g} % within {_of(time)} s"
            for share, time in zip(found.shares, found.percentiles[c], strict=True)
        ]
        said += ["  " + ", ".join(parts[i : i + 2]) for i in range(0, len(parts), 2)]
        late = found.late_shares[c]
        if late is not None:
            said.append(f"  late {_of(late, 100.0)} %")
        rejected = found.rejected_shares[c]
        if rejected is not None:
            said.append(f"  rejected {_of(rejected, 100.0)} %")
    said = said[: SCREEN // 2]
    said += ["", f"{'class':<12} {'station':<16} {'residence time':>20} {'utilization':>19}"]
    rows = [
        f"{_short(name, 12):<12} {_short(station, 16):<16} "
        f"{_of(found.residence_times[c][k]):>18} s {_of(found.utilizations[c][k], 100.0):>17} %"
        for c, name in enumerate(network.class_names)
        for k, station in enumerate(network.station_names)
        if network.demand[c][k] or found.residence_times[c][k].value
    ]
    room = SCREEN - len(said) - 4
    said += rows[:room]
    if len(rows) > room:
        said.append(f"and {len(rows) - room} more with --json")
    ended = {
        "precision": "the precision asked for is reached",
        "events": "all events asked for are done", "seconds": "time is up",
        "interrupted": "interrupted",
    }[found.stopped]  # fmt: skip
    said += [
        "",
        f"{found.events} events in {found.seconds:.1f} s, {found.replications} replications of "
        f"{found.time:.4g} s,",
        f"warm-up {found.warm_up:.4g} s; response times to {100.0 * found.precision:.2g} %: "
        f"{ended}",
    ]
    return said


def _of(estimate: "Estimate", factor: float = 1.0) -> str:
    """An estimate with the digits that its interval leaves."""
    half = factor * estimate.half_width
    return f"{factor * estimate.value:.4g} ± {half:{'.0f' if half >= 10.0 else '.1g'}}"


def _short(name: str, width: int) -> str:
    return name if len(name) <= width else name[: width - 1] + "…"
