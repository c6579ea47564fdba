"""``qmodel simulate``: a model file in, simulated measures with their intervals out."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from advisor.cli.output import AsJson, FileFormat, print_json, say
from advisor.cli.progress import Progress
from advisor.cli.target_options import fraction_above_0, time_above_0

if TYPE_CHECKING:
    from qmodel import Estimate, OverTime, Simulated

#: Lines of a screen.
SCREEN = 40


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate")(simulate_command)


def simulate_command(
    model: Annotated[Path, typer.Argument(help="Model file, TOML or JSON.")],
    precision: Annotated[
        str, typer.Option(help="Half width of response times to stop at, such as 1%.")
    ] = "1%",
    seconds: Annotated[float, typer.Option(help="Stop after so many seconds at the latest.")] = 60,
    events: Annotated[
        int | None, typer.Option(help="Stop after so many events; then any machine says the same.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the random numbers.")] = 0,
    target: Annotated[
        str | None, typer.Option(help="Response time beyond which one is late, such as 2s.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="From a beginning up to a time, such as 30min.")
    ] = None,
    start: Annotated[
        str, typer.Option("--from", help="The beginning: empty, or loaded (all ask at once).")
    ] = "empty",
    workers: Annotated[int, typer.Option(help="Processes; the answer is the same.")] = 1,
    file_format: FileFormat = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a queueing network, event by event.

    Example: qmodel simulate examples/two_tier.toml --precision 2% --seed 1
    """
    import qmodel as qm

    network = qm.load_network(model, file_format)
    share, late = fraction_above_0(precision, "--precision"), time_above_0(target, "--target")
    end = time_above_0(until, "--until")
    if end is not None:
        progress = Progress("replications")
        course = qm.simulate_over_time(
            network, end, start=start, seed=seed, target=late, progress=progress
        )
        print_json(course.to_dict()) if as_json else typer.echo("\n".join(over_time(course)))
        return
    options: dict[str, Any] = {
        "precision": share,
        "seconds": seconds,
        "events": events,
        "seed": seed,
        "target": late,
    }
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


def lines(found: Simulated) -> list[str]:
    """The answer first, then the stations, then how it was come by; at most 40 lines of 80."""
    network = found.network
    said = ["95 % intervals"]
    for c, name in enumerate(network.class_names):
        said.append(f"{_short(name, 20)}: response time {_of(found.response_times[c])} s, "
                    f"throughput {_of(found.throughputs[c])} /s")  # fmt: skip
        parts = [
            f"{100.0 * share:.10g} % {_of(time)} s"
            for share, time in zip(found.shares, found.percentiles[c], strict=True)
        ]
        said += ["  within " + ", ".join(parts[i : i + 2]) for i in range(0, len(parts), 2)]
        late = found.late_shares[c]
        if late is not None:
            said.append(f"  late {_of(late, 100.0)} %")
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
        "events": "all events asked for are done",
        "seconds": "time is up",
        "interrupted": "interrupted",
    }[found.stopped]
    said += [
        "",
        f"{found.events} events in {found.seconds:.1f} s, {found.replications} replications of "
        f"{found.time:.4g} s,",
        f"warm-up {found.warm_up:.4g} s; response times to {100.0 * found.precision:.2g} %: "
        f"{ended}",
    ]
    return said


def over_time(course: OverTime) -> list[str]:
    """One line a step: response times of the first classes, and all customers at stations."""
    first = course.steps[0]
    names = first.network.class_names[:2]
    said = [
        f"95 % intervals of {first.replications} replications; response times in s",
        f"{'until':>9} {'customers':>16} "
        + " ".join(f"{_short(name, 16):>16} {'p95':>10}" for name in names),
    ]
    for end, step in zip(course.ends, course.steps, strict=True):
        there = sum(each.value for row in step.queue_lengths for each in row)
        said.append(
            f"{end:>7.5g} s {there:>16.4g} "
            + " ".join(
                f"{_of(step.response_times[c]):>16} {step.percentiles[c][2].value:>10.4g}"
                for c in range(len(names))
            )
        )
    return said


def _of(estimate: Estimate, factor: float = 1.0) -> str:
    """An estimate with the digits that its interval leaves."""
    return f"{factor * estimate.value:.4g} ± {factor * estimate.half_width:.1g}"


def _short(name: str, width: int) -> str:
    return name if len(name) <= width else name[: width - 1] + "…"
