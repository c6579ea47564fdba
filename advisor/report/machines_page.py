"""Several machines as one HTML page: verdict, numbers, plan, and curves over users and pools."""

from collections.abc import Sequence
from pathlib import PurePath

from advisor.findings.words import capital, counted, percent, seconds
from advisor.machines.outlook import Outlook, busy_limit, outlook
from advisor.machines.pools import PoolFinding
from advisor.machines.review import MachinesReview
from advisor.machines.settings import with_value
from advisor.machines.tables import Machines
from advisor.report.first_screen import held
from advisor.report.html_essentials import parts
from advisor.report.html_report import page
from advisor.report.machines import HOW_SURE, fits, row_name, said, sentence, size_of
from advisor.report.screen import MARKS, short
from qmodel.pictures.chart import Chart, Line, Mark, printable

#: Points of a curve.
POINTS = 24


def machines_page(found: MachinesReview, today: str) -> str:
    """The page, which needs no network and no script."""
    from markupsafe import Markup

    machines, now = found.machines, found.now
    after = found.plan[-1].after if found.plan else None
    curves = [("Response time by users", _by_users(found))]
    curves += [
        (f"Response time by {each.resource.name}", _by_size(machines, each))
        for each in found.pools
        if each.rule == "POOL001"
    ]
    rows = sorted(now.rows, key=lambda row: -row.utilization)
    return page("machines.html.jinja", {
        "today": today,
        "file": PurePath(machines.document.path).name,
        "title": machines.file.title,
        "load": counted(now.users, "user"),
        "state": found.state,
        "mark": MARKS[found.state][0],
        "sentence": capital(sentence(found)),
        "numbers": [_numbers(each, now, after) for each in now.limits(machines)],
        "after": after is not None,
        "steps": [step.title for step in found.plan],
        "then": f"Then {fits(found.fit_after)}.",
        "left": found.left,
        "pools": [(each.rule, said(each, found.plan)) for each in found.pools],
        "sure": capital(HOW_SURE.removeprefix("How sure: ")),
        "curves": [(title, Markup(chart.picture.labelled)) for title, chart in curves],  # noqa: S704
        "busy": [
            (row.resource.name, size_of(row), percent(row.utilization),
             (row.utilization, after.row(row.resource.name).utilization if after else None),
             None if row.resource.is_pool else busy_limit(machines),
             row.resource.name == now.bottleneck)
            for row in rows
        ],
    })  # fmt: skip


def _numbers(
    promised: tuple[str, float | None, float | None], now: Outlook, after: Outlook | None
) -> tuple[str, list[tuple[str, str, str]], str]:
    name, share, limit = promised
    times = [each.within(name, share) for each in (now, after) if each is not None]
    cells = [(*parts(short(time)), held(time, limit)) for time in times]
    return row_name(name, share), cells, seconds(limit) if limit else "-"


def _by_users(found: MachinesReview) -> Chart:
    now, most = found.now, max(found.fit[0], found.now.users)
    after = found.fit_after[0] if found.plan else most
    end = min(max(1.2 * most, 1.1 * after), 8 * now.users)
    counts = sorted({max(1, round(end * (i + 1) / POINTS)) for i in range(POINTS)} | {now.users})
    points = [(n, outlook(found.machines, n).response_time) for n in counts]
    (limit, then), marks = found.fit, [(float(now.users), f"you are here: {now.users}")]
    if then is not None:
        marks.append((float(limit), f"limit: {limit}"))
    return _chart(found.machines, "users", points, marks, now.response_time)


def _by_size(machines: Machines, pool: PoolFinding) -> Chart:
    resource = pool.resource
    size, key = int(resource.size), resource.key or ()
    counts = range(max(1, size // 2), max(pool.of_use * 3 // 2, pool.of_use + 2) + 1)
    chosen = sorted({*counts[:: max(1, len(counts) // POINTS)], size, pool.of_use})
    points = [(n, outlook(with_value(machines, key, n)).response_time) for n in chosen]
    marks = [(float(size), f"now: {size}"), (float(pool.of_use), f"of use: {pool.of_use}")]
    return _chart(machines, resource.name, points, marks, pool.before.response_time)


def _chart(
    machines: Machines, across: str, points: Sequence[tuple[float, float]],
    marks: Sequence[tuple[float, str]], now: float,
) -> Chart:  # fmt: skip
    limits = [limit for each in machines.file.workload.classes
              if (limit := machines.file.targets.of(each.name).mean)]  # fmt: skip
    limit = min(limits, default=None)
    top = min(1.05 * max(y for _, y in points), max(1.3 * now, 3.0 * (limit or 0.0)))
    unit, scale = ("s", 1.0) if top >= 1.0 else ("ms", 1e3)
    told = ", ".join(name for _, name in marks)
    return Chart(
        printable(f"Response time by {across}: {seconds(points[0][1])} at {points[0][0]:g}, "
                  f"{seconds(points[-1][1])} at {points[-1][0]:g}. {told}."),
        across,
        f"response time [{unit}]",
        [Line("response time", [(x, y * scale) for x, y in points])],
        [Mark(x, name) for x, name in marks],
        (limit * scale, f"target {seconds(limit)}") if limit else None,
        None,
        top * scale,
    )  # fmt: skip
