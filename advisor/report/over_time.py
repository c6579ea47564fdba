"""A simulation over time: a line for each step, a picture, a table."""

from math import nan
from pathlib import Path

from qmodel import Estimate, OverTime
from qmodel.documents.writing import check_target, harmless_cell, write_text
from qmodel.pictures.chart import Chart, Line

#: Cells of the bar of customers, and classes that have room beside it.
CELLS, CLASSES = 12, 2
#: The percentile shown, by its position.
P95 = 2


def over_time(course: OverTime) -> list[str]:
    """One line a step: all customers at stations as a bar, response times of the first classes."""
    first = course.steps[0]
    names = first.network.class_names[:CLASSES]
    left = len(first.network.class_names) - CLASSES
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
                if step.throughputs[c].value
                else f"{'-':>15} {'-':>7}"
                for c in range(len(names))
            )
        )
    if left > 0:
        said.append(f"{left} more {'class' if left == 1 else 'classes'}: -o FILE.csv")
    return said


def write_over_time(course: OverTime, path: Path, *, force: bool) -> None:
    """Response times over time as a table (.csv) or a picture (.svg)."""
    if path.suffix.lower() == ".svg":
        check_target(path, force=force)
        _chart(course).picture.save(path)
        return
    heads = ("until [s]", "class", "customers", "throughput [1/s]", "response_time [s]",
             "half_width [s]", "p95 [s]")  # fmt: skip
    rows = [",".join(heads) + "\n"]
    for end, step in zip(course.ends, course.steps, strict=True):
        for c, name in enumerate(step.network.class_names):
            there = sum(each.value for each in step.queue_lengths[c])
            done = step.throughputs[c].value
            times = (*step.response_times[c], step.percentiles[c][P95].value)
            quoted = '"' + harmless_cell(name).replace('"', '""') + '"'
            cells = (end, quoted, there, done, *(times if done else ("", "", "")))
            rows.append(",".join(map(str, cells)) + "\n")
    write_text(path, "".join(rows), force=force)


def _chart(course: OverTime) -> Chart:
    """Means with their intervals, and 95th percentiles, of the first classes."""
    lines = []
    names = course.steps[0].network.class_names[:3]
    for c, name in enumerate(names):
        rows = [
            (end, s.response_times[c]) for end, s in zip(course.ends, course.steps, strict=True)
        ]
        means = [(end, mean.value or nan) for end, mean in rows]
        band = [(end, max(mean.low, 0.0), mean.high) for end, mean in rows if mean.value]
        tail = [(end, s.percentiles[c][P95].value or nan)
                for end, s in zip(course.ends, course.steps, strict=True)]  # fmt: skip
        lines += [Line(f"{name}, mean", means, band), Line(f"{name}, 95 % within", tail)]
    last = zip(names, course.steps[-1].response_times, strict=False)
    said = f"at the end {', '.join(f'{name} {time} s' for name, time in last)}"
    axes = ("time [s]", "response time [s]")
    return Chart(f"Response times over {course.ends[-1]:.4g} s; {said}.", *axes, lines)


def _of(estimate: Estimate) -> str:
    return f"{estimate.value:.3g} ± {estimate.half_width:.1g}"
