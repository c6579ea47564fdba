"""The first screen of a review: verdict, numbers, what to do, how sure."""

from collections.abc import Callable, Iterable, Iterator
from math import inf, log

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from advisor.configuration.promises import MEAN, time_name
from advisor.findings.review import Review
from advisor.findings.side_by_side import side_by_side
from advisor.findings.targets import FULL_POOL, FULL_QUOTA, limiting_pool, unseen
from advisor.findings.unmeasured import unmeasured, unmeasured_parts
from advisor.findings.words import brings, counted, percent, percent_range, resource_name, shown_as
from advisor.findings.writes_in_turn import writes_in_turn
from advisor.planning.what_steps_take import what_steps_take
from advisor.predicting.calibrated import calibration_of
from advisor.predicting.checked import check_line, disagreement
from advisor.predicting.outlook import ResourceOutlook
from advisor.predicting.reproduced import caveat
from advisor.report.screen import BAR, MARKS, bar
from advisor.rules import RULES
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range
from calibration.estimation.tail_shape import BEYOND, COMPUTED

#: What a row of numbers says of a resource.
BUSY = "busy"
#: Rows of a list; the rest is counted.
MOST = 6
#: What tries a larger pool that a configuration states.
LARGER = "whatif FILE --set server.most_active=N"
#: A growth to look ahead by where none is stated; a convention. [1/month]
GROWTH = 0.03
#: Rules of what no predicted number shows, by their topics, the gravest first.
UNSEEN = ("REP", "RAID", "VIRT", "SYS", "APP", "TEST")
HELD = {"✓": "bold green", "?": "bold yellow", "✗": "bold red"}


def first_screen(review: Review) -> Iterator[RenderableType]:
    """All that fits on one screen."""
    if said := disagreement(review.checks):
        yield Text(f"✗ {said}", style="bold red")
    yield _title(review)
    yield Text()
    yield _verdict(review)
    yield Text()
    yield _numbers(review)
    yield Text()
    yield _bars(review)
    yield Text()
    yield from _steps(review)
    if said := mind(review):
        yield _beside("Mind", [said])
    yield _beside("How sure", how_sure(review))
    yield Text()
    for each in review.suppressed:
        if each.notice:
            yield Text(each.notice, style="yellow")
    yield Text(footer(review), style="dim")


def _title(review: Review) -> Text:
    title = review.configuration.settings.title or "Your server"
    right = f"{review.load}, worst hour of the peak"
    return Text(f"{title}  ({right})" if len(title) + len(right) < 76 else title, style="bold")


def _verdict(review: Review) -> RenderableType:
    verdict = review.verdict
    mark, style = MARKS[verdict.state]
    table = Table.grid(padding=(0, 3))
    table.add_row(Text(f"{mark} {verdict.state}", style=style), review.sentence)
    return table


def _numbers(review: Review) -> Table:
    """Response times and what has a target: now, after the steps, and the target."""
    table = Table("", *number_headings(review), box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for of, what, now, later, limit in number_rows(review):
        numbers = (now, later) if later else (now,)
        show, alone = shown_as("1" if what == BUSY else "s", limit, *numbers)
        name = of if what in {MEAN, BUSY} else f"{what} of {of}"
        row: list[RenderableType] = [name, held_text(now, limit, show)]
        if review.after is not None:
            row.append(held_text(later, limit, show) if later else Text("-"))
        table.add_row(*row, alone(limit) if limit else "-")
    return table


def number_headings(review: Review) -> tuple[str, ...]:
    """Of the columns of numbers: now, after the steps if there are any, and the target."""
    if review.after is None:
        return ("now", "target")
    count = len(review.plan.steps)
    return ("now", "after the step" if count == 1 else f"after the {count} steps", "target")


def number_rows(review: Review) -> Iterator[tuple[str, str, Range, Range | None, float | None]]:
    """Of each class, and each resource near its target: name, what, now, after, and target."""
    targets = review.configuration.settings.targets
    busy = targets.utilization if targets else None
    after = review.after
    for each in [c for c in review.outlook.classes if not c.batch][:MOST]:
        then = after.class_of(each.name) if after else None
        limits = targets.of(each.name).limits if targets else ()
        for share, limit in limits or ((None, None),):
            later = then.within(share) if then else None
            yield each.name, time_name(share), each.within(share), later, limit
    if busy is None:
        return
    shown = [
        (each.name, each.utilization, after.resource(each.name).utilization if after else None)
        for each in review.outlook.resources
        if each.name != NOT_MEASURED
    ]
    near = [s for s in shown if max(s[1].high, s[2].high if s[2] else 0.0) > 0.9 * busy]
    for name, now, later in near[:MOST]:
        yield name, BUSY, now, later, busy


def held_text(found: Range, limit: float | None, show: Callable[[Range], str]) -> Text:
    """A range, and whether it keeps its target."""
    text = Text(show(found))
    if mark := held(found, limit):
        text.append(f" {mark}", style=HELD[mark])
    return text


def held(found: Range, limit: float | None) -> str:
    """A cross beyond the target, a question where the interval straddles it, else a tick."""
    if limit is None:
        return ""
    return "✗" if found.mid > limit else "?" if found.high > limit else "✓"


def _bars(review: Review) -> Table:
    """Utilizations as bars, with the target marked."""
    settings = review.configuration.settings
    limit = settings.targets.utilization if settings.targets else None
    table = Table.grid(padding=(0, 2))
    # Bars that are cut short would all look alike: what is narrow folds the mark beside them.
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, min_width=BAR)
    table.add_column(no_wrap=True)
    table.add_column()
    resources = sorted(review.outlook.resources, key=lambda r: -r.utilization.mid)
    shown = [r for r in resources if r.name != NOT_MEASURED or r.utilization.mid > 0.0]
    pointed = "◄ first to fill" if review.verdict.state == "FITS" else "◄ bottleneck"
    if pool := limiting_pool(review.configuration):
        name, taken = pool
        said = Text(pointed, style="bold")
        table.add_row(name, bar(taken.mid, None), percent_range(taken), said)
    for resource in shown[:MOST]:
        mark = ""
        if resource.name == review.outlook.bottleneck and resource.utilization.mid > 0.0:
            mark = "" if pool else pointed
        which = busiest_of(review, resource)
        table.add_row(
            resource.name + (f" ({which})" if which else ""), bar(resource.utilization.mid, limit),
            percent_range(resource.utilization), Text(mark, style="bold"),
        )  # fmt: skip
    if len(shown) > MOST:
        table.add_row(f"{len(shown) - MOST} more: --basis", "", "", "")
    return table


def _steps(review: Review) -> Iterator[RenderableType]:
    plan = review.plan
    if not plan.steps:
        yield _beside("Next", [next_step(review)])
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", justify="right")
    table.add_column("Do" if len(plan.steps) == 1 else "Do, in this order")
    table.add_column("brings", no_wrap=True, justify="right")
    table.add_column("takes", no_wrap=True)
    takes = what_steps_take(review)
    for i, step in enumerate(plan.steps, 1):
        option = step.advice.option
        title = Text(option.change.title)
        if option.benefit:
            title.append(f" ({option.benefit})", style="dim")
        table.add_row(str(i), title, brings(step.gain), takes[i - 1])
    yield table
    when = " alone" if len(plan.steps) == 1 else ", after those above"
    yield Text(f"brings: change of the {plan.steps[0].gain.metric} by that step{when}", "dim")
    if said := after_steps(review):
        yield Text(said, style="yellow" if plan.missed else "")
    yield Text()


def after_steps(review: Review) -> str:
    """What is still missed when all steps are done, or how many fit then."""
    plan, after = review.plan, review.verdict_after
    if plan.missed:
        names = ", ".join(each.what for each in plan.missed[:2])
        still = "missed" if any(each.certain for each in plan.missed[:2]) else "at risk"
        said = f"Then still {still}: {names}{_no_more_fit(review)}."
        return f"{said} Stop at {counted(plan.fit, 'user')}, or go further." if plan.fit else said
    if after is None or after.most is None:
        return ""
    return f"After that {after.would().replace(' would', ' fit', 1)}, then {after.limited()}."


def _no_more_fit(review: Review) -> str:
    """What is next where the steps end a target and yet no higher load fits; empty elsewhere."""
    now, then = review.verdict, review.verdict_after
    if then is None or now.most is None or then.most is None or then.most.mid > now.most.mid:
        return ""
    next_ = review.plan.missed[0]
    ended = dict.fromkeys(m.of for step in review.plan.steps for m in step.ends if m.unit == "1")
    relieved = " and ".join(resource_name(name) for name in ended if name != next_.of)
    if next_.unit != "1" or not relieved:
        return ""
    return f"; relieving {relieved} alone does not help: {resource_name(next_.of)} is next"


def next_step(review: Review) -> str:
    """What to do where there is no plan."""
    verdict = review.verdict
    if verdict.state == "FITS" and verdict.most is not None and verdict.load:
        months = log(max(verdict.most.mid / verdict.load, 1.0)) / log(1.0 + GROWTH)
        ahead = counted(int(months), "month") if months < 240 else "20 years and more"
        ahead += " or more" * verdict.limited_by.startswith("p")  # its upper end is to hold
        ahead = ahead if months >= 1.0 else "less than a month"
        asked = "qmodel predict FILE --growth 3%/month"
        asked += " --utilization 80%" * (not verdict.promised)
        return f"nothing now. With {percent(GROWTH)} more a month: {ahead} ({asked})."
    if verdict.state == "FITS":
        return "nothing now."
    if verdict.state == "NOT KNOWN":
        return "say what a user asks of the server (qmodel init), or measure it (calibrate)."
    if verdict.limited_by == FULL_POOL:
        measured = review.configuration.settings.workload.calibration
        asked = f"predict {measured} --change pool=N" if measured else LARGER
        return f"a larger pool of threads, connections or workers: qmodel {asked}"
    if verdict.limited_by == FULL_QUOTA:
        return "a larger quota: cpus of the container, or what its hypervisor lets it have."
    if unseen(verdict.limited_by):
        full = review.outlook.bottleneck
        return f"find what keeps {full} from 100 %: one thread, a quota, a hypervisor, its monitor."
    calibration, first = calibration_of(review.configuration), review.outlook.bottleneck
    if calibration is not None and first in calibration.data.assumed:
        return f"add a column servers:{first} to the table; then more can be tried."
    if first == NOT_MEASURED:
        return "measure the waits for locks and pools, and devices that were not recorded."
    return "no option of the rules helps; qmodel size looks at every part."


def mind(review: Review, rest: str = "--findings") -> str:
    """The gravest finding that the numbers do not show, and where the rest is; empty if none."""
    steps = {step.advice.rule for step in review.plan.steps}
    if steps and not review.plan.missed and review.verdict.state != "FITS":
        steps.add("REP001")  # too few servers, as they are
    found = [
        each
        for topic in UNSEEN
        for each in review.findings
        if each.rule.startswith(topic) and each.rule not in steps and each.finding.level != "note"
    ]
    if not found:
        return ""
    most = review.verdict.most  # first of all, what would stop fewer users than the verdict says
    found.sort(key=lambda each: not (most and each.finding.holds_up_to < most.mid))
    more = f"; {len(found) - 1} more: {rest}" if len(found) > 1 else ""
    return f"{found[0].finding.message} ({found[0].rule}){more}."


def _beside(label: str, lines: Iterable[str]) -> Table:
    """Lines beside what they are about."""
    table = Table.grid(padding=(0, 3))
    for i, line in enumerate(lines):
        table.add_row(f"{'' if i else label:8}", line)
    return table


def how_sure(review: Review) -> Iterator[str]:
    """What the numbers rest on, in a few sentences."""
    calibration = calibration_of(review.configuration)
    if said := caveat(review.configuration):
        yield f"{said}."
    if said := check_line(review.checks):
        yield f"{said}."
    yield from _of_the_fit(review)
    if any(c.tails for c in review.outlook.classes) and not (calibration and calibration.shapes):
        within = f"within {percent(COMPUTED)} of simulation ({percent(BEYOND)} beyond p95)"
        measured = "a measured column p95 [ms] improves them"
        yield f"percentiles: {within} if work varies exponentially; {measured}."


def _of_the_fit(review: Review) -> Iterator[str]:
    models = review.outlook.by_member
    settings = review.configuration.settings
    if settings.workload.calibration is None and settings.workload.system is None:
        yield "the demands are as given, not measured; qmodel calibrate fits them to runs."
        if said := writes_in_turn(review.configuration):
            yield f"{said}."
        return
    if len(models) > 1:
        times = [time for _, time in models]
        here = f"{times.count(inf)} of them have no steady state"
        if max(times) < inf:
            here = f"they are {percent(max(times) / min(times) - 1.0)} apart"
        yield f"{len(models)} models fit the measured runs; here {here}."
    else:
        yield "one model fits the measured runs; the intervals assume that model."
    after = review.configuration
    for step in review.plan.steps:
        after = step.advice.option.change.apply(after)
    parts = unmeasured_parts(after) if review.plan.steps else ""
    for said in (unmeasured(review.configuration), parts, side_by_side(review.configuration)):
        if said:
            yield f"{said}."
    if review.outlook.extrapolated:
        yield f"extrapolated beyond the fitted runs, to {review.load}."
    if review.measure:
        yield f"To be surer: {review.measure}."


def footer(review: Review) -> str:
    """What else there is, and the flag that shows it."""
    levels = [located.finding.level for located in review.findings]
    found = ", ".join(
        counted(levels.count(level), level)
        for level in ("error", "warning", "note")
        if level in levels
    )
    silenced = sum(len(each.findings) for each in review.suppressed)
    if silenced:
        found = f"{found or 'no problem found'}, {silenced} suppressed"
    options = len(review.advice) + len(review.trades) + len(review.rejected)
    judged = len(RULES) - len(review.skipped)
    return "   ".join(
        [
            f"{found or 'no problem found'} --findings",
            f"{counted(options, 'option')} --options",
            f"{judged} rules apply --basis",
        ]
    )


def busiest_of(review: Review, resource: ResourceOutlook) -> str:
    """Which of several stations of a resource is shown; empty where there is one."""
    segments = review.configuration.settings.lan.segments
    one_way = (resource.name, resource.stations, segments) == ("lan", 2, 1)
    which = "busier direction" if one_way else f"busiest of {resource.stations}"
    return which if resource.stations > 1 else ""
