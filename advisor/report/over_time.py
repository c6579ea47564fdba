"""A simulation over time: a line for each step, a picture, a table."""

from __future__ import annotations

import csv
import io
from math import nan
from pathlib import Path

from qmodel import Estimate, InvalidInput, OverTime
from qmodel.documents.writing import write_bytes, write_text
from qmodel.pictures.chart import Chart, Line

#: Cells of the bar of customers.
CELLS = 12
#: The percentile shown, by its position.
P95 = 2


def over_time(course: OverTime) -> list[str]:
    """One line a step: all customers at stations as a bar, response times of the first classes."""
    first = course.steps[0]
    names = first.network.class_names[:2]
    customers = [sum(e.value for row in s.queue_lengths for e in row) for s in course.steps]
    most = max(customers) or 1.0
    said = [
        f"95 % intervals of {first.replications} replications; response times in s",
        f"{'until':>9} {'customers':>{CELLS + 10}} "
        + " ".join(f"{name[:15]:>15} {'p95':>7}" for name in names),
    ]
    for end, step, there in zip(course.ends, course.steps, customers, strict=True):
        bar = "▇" * round(CELLS * there / most)
        said.append(
            f"{end:>7.5g} s {bar:<{CELLS}} {there:>9.4g} "
            + " ".join(
                f"{_of(step.response_times[c]):>15} {step.percentiles[c][P95].value:>7.4g}"
                for c in range(len(names))
            )
        )
    return said


def write_over_time(course: OverTime, path: Path, *, force: bool) -> None:
    """Response times over time as a table (.csv) or a picture (.svg, .png)."""
    kind = path.suffix.lower()
    if kind == ".csv":
        write_text(path, _csv(course), force=force)
    elif kind == ".svg":
        write_text(path, _chart(course).picture.svg, force=force)
    elif kind == ".png":
        from qmodel.pictures.chart_png import png

        write_bytes(path, png(_chart(course)), force=force)
    else:
        raise InvalidInput(f"-o {path}: expected a name that ends in .csv, .svg or .png")


def _csv(course: OverTime) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(["until", "class", "quantity", "unit", "value", "half_width"])
    for end, step in zip(course.ends, course.steps, strict=True):
        for c, name in enumerate(step.network.class_names):
            there = sum(each.value for each in step.queue_lengths[c])
            writer.writerow([end, name, "customers", "1", there, ""])
            writer.writerow([end, name, "throughput", "1/s", *step.throughputs[c]])
            writer.writerow([end, name, "response_time", "s", *step.response_times[c]])
            for share, time in zip(step.shares, step.percentiles[c], strict=True):
                writer.writerow([end, name, f"p{100 * share:.10g}", "s", *time])
    return written.getvalue()


def _chart(course: OverTime) -> Chart:
    """Means with their intervals, and 95th percentiles."""
    names = course.steps[0].network.class_names[:3]
    lines = []
    for c, name in enumerate(names):
        means = [
            (end, s.response_times[c]) for end, s in zip(course.ends, course.steps, strict=True)
        ]
        lines.append(
            Line(
                f"{name}, mean",
                [(end, each.value or nan) for end, each in means],
                [(end, max(each.low, 0.0), each.high) for end, each in means if each.value],
            )
        )
        tails = [s.percentiles[c][P95].value or nan for s in course.steps]
        lines.append(Line(f"{name}, 95 % within", list(zip(course.ends, tails, strict=True))))
    last = course.steps[-1]
    said = ", ".join(f"{n} {r} s" for n, r in zip(names, last.response_times, strict=False))
    return Chart(
        f"Response times over {course.ends[-1]:.4g} s; at the end {said}.",
        "time [s]",
        "response time [s]",
        lines,
    )


def _of(estimate: Estimate) -> str:
    return f"{estimate.value:.3g} ± {estimate.half_width:.1g}" if estimate.value else "-"
