"""A server at several numbers of users: table, plain data, CSV and plot."""

import csv
import io
from collections.abc import Iterator
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.configuration.configuration import Configuration
from advisor.configuration.promises import tail_name
from advisor.findings import words
from advisor.findings.side_by_side import side_by_side
from advisor.findings.targets import held_times
from advisor.findings.unmeasured import unmeasured
from advisor.findings.verdict import Verdict
from advisor.findings.words import crowd, number_range, percent_range, seconds_range, users_range
from advisor.predicting.load_curve import LoadCurve
from advisor.predicting.outlook import Outlook
from advisor.predicting.reproduced import caveat
from advisor.report.prediction_data import number, prediction_data, saturation_data
from advisor.report.screen import MARKS, table, whole
from advisor.report.users_table import Row, show_rows
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range
from qmodel.documents.writing import harmless_cell, write_bytes
from qmodel.pictures.chart import Chart, Line, Mark

#: A target met but for this much is met: the load that just fits was found by iteration. [1]
SAME = 1.0 + 1e-6


def curve_data(found: LoadCurve) -> dict[str, Any]:
    """Predictions, knee and saturation point, in base units."""
    return {
        "interval": "90 %",
        "predictions": [prediction_data(each) for each in found.outlooks],
        "knee": None
        if (knee := found.knee) is None
        else {
            "users": None if knee.users is None else number(knee.users, "users"),
            "response_time": number(knee.response_time, "s"),
            "throughput": number(knee.throughput, "1/s"),
        },
        "saturation": saturation_data(found.saturation),
    }


def show_curve(
    console: Console, found: LoadCurve, configuration: Configuration, verdict: Verdict, *,
    own: bool = True, every: bool = False,
) -> None:  # fmt: skip
    """Print how many users fit, then a row a load, the knee and the saturation point.

    ``every`` adds all classes, intervals and queues; ``own`` is whether the verdict's load is the
    configuration's.
    """
    console.print(Text(configuration.settings.title or "Your server", style="bold"))
    console.print()
    mark, style = MARKS[verdict.state]
    lost = configuration.settings.lost.strip().capitalize()
    said = f"{lost}: {_verdict(verdict, own=own)}" if lost else _verdict(verdict, own=own)
    console.print(Text.assemble((f"{mark} ", style), said))
    console.print()
    targets = configuration.settings.targets
    limit = verdict.limit if verdict.limited_by.startswith("utilization") else None
    if targets is not None and targets.utilization is not None:
        limit = targets.utilization
    rows = list(_rows(found, verdict, limit, configuration, own=own))
    show_rows(console, rows, limit, load=_unit(found), every=every)
    console.print()
    notes = [caveat(configuration), unmeasured(configuration), side_by_side(configuration)]
    for line in (*words_of(found), *filter(None, notes), *_remarks(found)):
        console.print(whole(console, line))
    if every:
        resources = [r.name for r in found.outlooks[0].resources if r.name != NOT_MEASURED]
        console.print()
        console.print(_times(found, resources))
        console.print()
        console.print(_queues(found, resources))
    else:
        more = "classes, intervals, queues: --all   when: --growth 3%/month   -o FILE.csv"
        console.print()
        console.print(Text(more, "dim"))


def _verdict(verdict: Verdict, *, own: bool) -> str:
    you = f"; you have {crowd(int(verdict.load), None if verdict.counted else verdict.load)}"
    if not own:
        you = ""
    if verdict.most is None:
        nothing = "nothing in the model limits the load"
        return f"{nothing if verdict.state == 'NOT KNOWN' else 'no load misses a target'}{you}."
    if verdict.loaded(verdict.most.mid) == "0":
        none = "not even one user" if verdict.counted else "no rate"
        return f"{none} fits: {verdict.limited()}{you}."
    low, mid, high = (
        verdict.loaded(end) for end in (verdict.most.low, verdict.most.mid, verdict.most.high)
    )
    width = "" if low == high else f" ({low}-{high})"
    fit = "requests/s fit" if not verdict.counted else "user fits" if mid == "1" else "users fit"
    return f"{mid} {fit}{width}, then {verdict.limited()}{you}."


def _rows(
    found: LoadCurve, verdict: Verdict, limit: float | None, configuration: Configuration, *,
    own: bool,
) -> Iterator[Row]:  # fmt: skip
    most = verdict.most.mid if verdict.most else None
    if most is not None and verdict.counted:
        most = int(most + 1e-6)
    point = found.saturation
    # Beside batch tasks a resource may be full long before users alone fill it.
    known = point is not None and not _has_batch(found)
    full = (point.users or point.throughput).mid if point and known else None
    several = len(configuration.settings.workload.classes) > 1
    for each in found.outlooks:
        marks = []
        if own and each.load == verdict.load:
            marks.append("you")
        if each.load == most:
            marks.append("most")
        if full is not None and each.load >= full:
            marks.append("full")
            full = None
        yield Row(
            _count(each),
            each.response_time,
            {r.name: r.utilization for r in each.resources},
            ", ".join(marks),
            each.load != most  # which meets its targets but for rounding
            and (
                any(
                    users.within(share).mid > late * SAME
                    for users, share, late in held_times(configuration, each)
                )
                or (limit or inf) * SAME < max(r.utilization.mid for r in each.resources)
            ),
            tuple(
                (f"{tail_name(p)} of {c.name}" if several else tail_name(p), t)
                for c in each.classes
                for p, t in c.tails
            ),
        )


def _times(found: LoadCurve, resources: list[str]) -> Table:
    unit = _unit(found)
    names = dict.fromkeys(c.name for each in found.outlooks for c in each.classes if not c.batch)
    heads = ["response time", "throughput [1/s]"]
    if len(names) > 1:  # of many columns none has room for a long word
        heads = [head for of in names for head in (f"response time of {of}", f"rate of {of} [1/s]")]
    shown = table(unit, *heads, *resources, right=(unit,))
    for each in found.outlooks:
        cells = {  # a class without users has none
            c.name: (seconds_range(c.response_time), number_range(c.throughput))
            for c in each.classes
        }
        times = chain.from_iterable(cells.get(name, ("-", "-")) for name in names)
        busy = (percent_range(each.resource(name).utilization) for name in resources)
        shown.add_row(_count(each), *times, *busy)
    return shown


def _queues(found: LoadCurve, resources: list[str]) -> Table:
    unit = _unit(found)
    shown = table(unit, *resources, right=(unit,))
    shown.title, shown.title_justify = "customers there", "left"
    for each in found.outlooks:
        queues = [number_range(each.resource(name).queue_length) for name in resources]
        shown.add_row(_count(each), *queues)
    return shown


def _count(each: Outlook) -> str:
    return f"{words.load_text(each.load)}{'*' if each.extrapolated else ''}"


def _unit(found: LoadCurve) -> str:
    """Heading of the loads."""
    return "users" if found.outlooks[0].arrival_rate is None else "requests/s"


def _has_batch(found: LoadCurve) -> bool:
    return any(c.batch for each in found.outlooks for c in each.classes)


def words_of(found: LoadCurve) -> Iterator[str]:
    """The knee and the saturation point in sentences."""
    alone = " without batch tasks" if _has_batch(found) else ""
    if found.knee is not None:
        knee = found.knee
        at = rate = f"{number_range(knee.throughput)} requests/s"
        time = seconds_range(knee.response_time)
        if knee.users is not None:
            at, time = f"{users_range(knee.users)} users", f"{time}, {rate}"
        why = "throughput divided by response time is largest"
        yield f"best balance at {at}{alone} ({why}): {time}"
    if found.saturation is None:
        yield "no resource limits the throughput"
        return
    point = found.saturation
    rate = f"{number_range(point.throughput)} requests/s"
    if point.users:
        rate += f"; without waiting {users_range(point.users)} users would ask for that"
    yield f"{point.station} is full{alone} at {rate}"


def _remarks(found: LoadCurve) -> Iterator[str]:
    if any(each.extrapolated for each in found.outlooks):
        yield "* extrapolated: outside the fitted loads"
    near = [
        words.load_text(each.load)
        for each in found.outlooks
        if each.near_saturation and each.response_time.mid < inf
    ]
    if near:
        yield f"may be overloaded, within the uncertainty: {', '.join(near)} {_unit(found)}"


def curve_csv(found: LoadCurve) -> str:
    """One row for each number of users, quantity and class or resource, in base units."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([_unit(found), "quantity", "of", "unit", "low", "mid", "high", "extrapolated"])
    for each in found.outlooks:
        for quantity, of, unit, value in _numbers(each):
            ends = (value.low, value.mid, value.high)
            outside = str(each.extrapolated).lower()
            row = f"{each.load:.12g}", quantity, harmless_cell(of), unit, *ends, outside
            writer.writerow(row)
    return written.getvalue()


def _numbers(each: Outlook) -> Iterator[tuple[str, str, str, Range]]:
    for c in each.classes:
        yield "response_time", c.name, "s", c.response_time
        yield "throughput", c.name, "1/s", c.throughput
        for share, time in c.tails:
            yield tail_name(share), c.name, "s", time
    for r in each.resources:
        yield "utilization", r.name, "1", r.utilization
        yield "queue_length", r.name, "customers", r.queue_length


def plot_curve(found: LoadCurve, path: Path) -> None:
    """Draw response time against users, with its interval, the knee and the saturation point.

    A picture that is there is replaced; one that is no .svg is drawn by matplotlib.
    """
    chart = _chart(found)
    if path.suffix.lower() == ".svg":
        chart.picture.save(path)
    else:
        from qmodel.pictures.plot import png

        write_bytes(path, png(chart), force=True)


def _chart(found: LoadCurve) -> Chart:
    unit = _unit(found)
    loads = [each.load for each in found.outlooks if each.response_time.high < inf]
    names = dict.fromkeys(c.name for each in found.outlooks for c in each.classes if not c.batch)
    lines = []
    for name in names:
        points = [
            (each.load, r) for each in found.outlooks if (r := each.time_of(name)) and r.high < inf
        ]
        middles = [(n, r.mid) for n, r in points]
        lines.append(Line(name, middles, [(n, r.low, r.high) for n, r in points]))
    turning = (("knee", found.knee), ("saturation", found.saturation))
    return Chart(
        f"Response time against {' to '.join(map(words.load_text, (loads[0], loads[-1])))} {unit} "
        "with 90 % interval; "
        f"{'; '.join(words_of(found))}.",
        unit,
        "response time [s]",
        lines,
        [
            Mark(at, name)
            for name, point in turning
            if point and loads[0] <= (at := (point.users or point.throughput).mid) <= loads[-1]
        ],
    )
