"""A review in the terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from advisor.findings.baseline import Baseline
from advisor.findings.plan_records import Plan
from advisor.findings.records import Advice, Located
from advisor.findings.review import Review
from advisor.findings.targets import promised
from advisor.findings.words import (
    busiest,
    counted,
    deciding,
    evidence_text,
    percent_range,
    points,
    seconds_range,
    signed,
    signed_range,
)
from advisor.predicting.outlook import Outlook
from advisor.predicting.workload import system_of
from advisor.report.basis import basis, load_column, load_row, machine, setting, users_at_work
from advisor.report.first_screen import first_screen
from advisor.report.planning import (
    ONE_CALIBRATION,
    TRADES,
    busiest_then,
    left_lines,
    plan_lines,
    priced,
    regret_headings,
    regret_rows,
    regret_verdict,
    rejection_text,
    trade_text,
)
from advisor.rules import RULES
from calibration.estimation.interval import Range
from qmodel.documents.wording import show_key

#: Utilizations that change by less are not shown. [1]
LEAST_SHOWN = 0.01
#: What is printed below the first screen.
Section = Literal["findings", "options", "basis"]
SECTIONS: tuple[Section, ...] = ("findings", "options", "basis")
COLOURS = {"error": "bold red", "warning": "yellow", "note": "cyan"}


def show_review(
    console: Console,
    review: Review,
    growth: Sequence[tuple[Outlook, Outlook]],
    *,
    sections: Collection[Section] = (),
    details: bool = False,
    baseline: Baseline | None = None,
) -> None:
    """Print a review: the verdict on one screen, and what else is asked for.

    Parameters
    ----------
    console : rich.console.Console
        Where to.
    review : Review
        What.
    growth : sequence of (Outlook, Outlook)
        At several numbers of users: users alone, and with the batch tasks of the worst peak hour.
    sections : collection of {"findings", "options", "basis"}
        What is printed below the first screen.
    details : bool
        Whether all of it is, and every option with its changes, limits and sources.
    baseline : Baseline, optional
        What became of an earlier run's findings.
    """
    for part in first_screen(review):
        console.print(part)
    if baseline and not details and "findings" not in sections:
        console.print(Text(_against(baseline)))
    below: list[RenderableType] = []
    if details or "findings" in sections:
        below += _findings(review, baseline, details=details)
    if details or "options" in sections:
        below += [*_plan(review), *_regrets(review), *_advice(review, details=details)]
        below += [*_trades(review, details=details), *_rejected(review)]
    if details or "basis" in sections:
        below += [_server(review), _growth(review, growth), _resources(review), *_basis(review)]
    for part in below:
        console.print()
        console.print(part)


def _server(review: Review) -> RenderableType:
    system = system_of(review.configuration)
    lines = [Text(" | ".join(machine(review))), Text(users_at_work(review))]
    if system:
        lines.append(Text(f"calibrated on {system.title} ({system.source})", style="dim"))
    return Group(*lines)


def _growth(review: Review, growth: Sequence[tuple[Outlook, Outlook]]) -> RenderableType:
    busy = [c.name for c in review.outlook.classes if c.batch]
    user = review.configuration.settings.workload.classes[0].name
    exact = system_of(review.configuration) is None
    title = "Predicted from the demands as given" if exact else "Predicted, 90 % intervals"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column(load_column(review), justify="right")
    table.add_column(f"response time of {user}")
    table.add_column("CPU busy")
    if busy:
        table.add_column("worst peak hour")
        table.add_column("slower by", justify="right")
    for alone, peak in growth:
        row = [
            load_row(review, alone),
            _time(alone.time_of(user)),
            percent_range(alone.resource("cpu").utilization),
        ]
        if busy:
            before, after = alone.time_of(user), peak.time_of(user)
            slower = f"{(after.mid / before.mid - 1) * 100:+.0f} %" if before and after else ""
            row += [_time(after), slower]
        table.add_row(*row, style="bold" if alone.users == review.outlook.users else "")
    notes = []
    if busy:
        notes.append(Text(f"worst peak hour: beside {', '.join(busy)}", style="dim"))
    if any(alone.extrapolated for alone, _ in growth):
        notes.append(Text("* outside the fitted numbers of users: extrapolated", style="dim"))
    return Group(table, *notes)


def _resources(review: Review) -> RenderableType:
    table = Table(box=None, pad_edge=False)
    for heading in ("utilization, users alone", "", "stations"):
        table.add_column(heading)
    for resource in review.alone.resources:
        busy = percent_range(resource.utilization)
        table.add_row(resource.name, busy, str(resource.stations))
    return table


def _findings(
    review: Review, baseline: Baseline | None, *, details: bool
) -> Iterator[RenderableType]:
    yield Line("findings", align="left", style="dim")
    if not review.findings:
        silenced = sum(len(each.findings) for each in review.suppressed)
        applies = len(RULES) - len(review.skipped)
        none = f"no problem found by the {applies} rules that apply"
        text = "every finding is suppressed" if silenced else none
        yield Text(text, style="green")
    for located in review.findings:
        standing = baseline.state(located) if baseline else ""
        yield _finding(located, standing, details=details)
    hidden = sum(
        len(f.finding.evidence) - len(deciding(f.finding.evidence)) for f in review.findings
    )
    if hidden and not details:
        yield Text(f"--details shows {counted(hidden, 'more number')} behind them", style="dim")
    if baseline:
        yield Text(_against(baseline))
        for known in baseline.gone:
            yield Text(f"gone    {known.rule} {known.slug}: {known.message}", style="green")
    for each in review.suppressed:
        until = f" until {each.until}" if each.until else ""
        if each.notice:
            place = f", line {each.line}" if each.line else ""
            yield Text(f"{each.notice} (suppress{place}; reason given: {each.reason})", "yellow")
        for located in each.findings:
            yield Text(
                f"suppressed{until}: {located.finding.level} {located.rule} {located.slug}: "
                f"{located.finding.message} (reason: {each.reason})",
                style="dim",
            )


def _against(baseline: Baseline) -> str:
    return (
        f"against the earlier run: {len(baseline.new)} new, {len(baseline.unchanged)} "
        f"unchanged, {len(baseline.gone)} gone"
    )


def _finding(located: Located, known: str, *, details: bool) -> RenderableType:
    finding = located.finding
    head = Text()
    head.append(f"{finding.level:<8}", style=COLOURS[finding.level])
    head.append(f"{located.rule} {located.slug}", style="bold")
    where = show_key(finding.key) + (f", line {located.line}" if located.line else "")
    head.append(f"  ({where})", style="dim")
    if known:
        head.append(f"  {known}", style="bold" if known == "new" else "dim")
    lines: list[RenderableType] = [head, Padding(Text(finding.message), (0, 0, 0, 8))]
    shown = finding.evidence if details else deciding(finding.evidence)
    lines += [Padding(Text(evidence_text(e), style="dim"), (0, 0, 0, 8)) for e in shown]
    return Group(*lines)


def _plan(review: Review) -> Iterator[RenderableType]:
    plan = review.plan
    if not plan.steps:
        if plan.left:
            yield Line("plan: no step is worth taking", align="left", style="dim")
            yield Group(*_not_in(plan))
        return
    yield Line("plan: do these together", align="left", style="dim")
    last = plan.steps[-1].effect[0]
    targets = promised(review.configuration)
    table = Table(box=None, pad_edge=False)
    # What is narrow folds at its words, and no number is cut short.
    table.add_column("step")
    table.add_column(last.metric)
    for heading in ("by this step", "so far", *(["targets"] if targets else [])):
        table.add_column(heading, no_wrap=True)
    for i, step in enumerate(plan.steps, 1):
        row: list[RenderableType] = [
            Text(f"{i}. {step.advice.option.change.title}", style="bold green"),
            seconds_range(step.effect[0].after),
            signed(step.gain.change.mid),
            signed(step.effect[0].change.mid),
        ]
        if targets:
            row.append(
                Text(f"{len(step.missed)} missed", style="yellow")
                if step.missed
                else Text("met", style="green")
            )
        table.add_row(*row)
    lines: list[RenderableType] = [table]
    for line in plan_lines(review):
        missed = line.startswith("still missed")
        lines.append(Text(line, style="yellow" if missed else ""))
    yield Group(*lines, *_not_in(plan))


def _not_in(plan: Plan) -> Iterator[Text]:
    for line in left_lines(plan):
        yield Text(f"not in the plan: {line}", style="dim")


def _regrets(review: Review) -> Iterator[RenderableType]:
    plan = review.plan
    if not plan.steps and not plan.left:
        return
    yield Line("what the plan costs if a model is wrong", align="left", style="dim")
    rows = regret_rows(plan)
    if not rows:
        yield Text(ONE_CALIBRATION, style="dim")
        return
    table = Table(box=None, pad_edge=False)
    for heading in regret_headings(plan):
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    yield Group(table, Text(regret_verdict(plan), style="bold"))


def _advice(review: Review, *, details: bool) -> Iterator[RenderableType]:
    if not review.advice:
        return
    heading = "options one by one, failures first, then by the mean time of all users"
    yield Line(heading, align="left", style="dim")
    if details:
        for i, advice in enumerate(review.advice, 1):
            yield _one_advice(i, advice, review)
        return
    table = Table(box=None, pad_edge=False)
    metric = review.advice[0].effect[0].metric
    for heading in ("option", "rule", "effort", metric, "busiest then", "sources"):
        table.add_column(heading)
    sources = list(dict.fromkeys(source for a in review.advice for source in a.option.sources))
    for i, advice in enumerate(review.advice, 1):
        table.add_row(
            Text(f"{i}. {priced(advice)}", style="green"),
            advice.rule,
            advice.option.effort,
            signed_range(advice.effect[0].change),
            busiest_then(advice),
            ", ".join(str(sources.index(source) + 1) for source in advice.option.sources),
        )
    lines = [Text(f"[{i}] {source}", style="dim") for i, source in enumerate(sources, 1)]
    lines.append(Text("--details shows each option with its changes, limits and sources", "dim"))
    yield Group(table, Text(""), *lines)


def _one_advice(number: int, advice: Advice, review: Review) -> RenderableType:
    head = Text()
    head.append(f"{number}. {advice.option.change.title}", style="bold green")
    head.append(f"   {advice.rule}, {advice.option.effort}", style="dim")
    lines: list[Text] = []
    for effect in advice.effect:
        if effect.unit != "s" and abs(effect.after.mid - effect.before.mid) < LEAST_SHOWN:
            continue
        show = seconds_range if effect.unit == "s" else percent_range
        text = Text(f"{effect.metric}: {show(effect.before)} -> {show(effect.after)}, ")
        more = points(effect.before.mid, effect.after.mid)
        change = signed_range(effect.change) if effect.unit == "s" else more
        text.append(change, style="bold")
        if effect.disagree:
            text.append(f"  the calibration '{', '.join(effect.disagree)}' disagrees", "yellow")
        lines.append(text)
    if advice.option.benefit:
        lines.append(Text(f"beyond the model: {advice.option.benefit}"))
    for key, old, new in advice.option.change.diff(review.configuration.data):
        lines.append(Text(f"{key}: {setting(old)} -> {setting(new)}", style="cyan"))
    if advice.risk:
        lines.append(Text(f"afterwards {busiest(advice.risk)}"))
    lines += [Text(f"note: {effect}") for effect in advice.option.side_effects]
    if advice.option.valid:
        lines.append(Text(f"holds for: {advice.option.valid}"))
    lines += [Text(f"outside what was measured: {each}", "yellow") for each in advice.beyond]
    lines += [Text(f"source: {source}", style="dim") for source in advice.option.sources]
    return Group(head, *(Padding(line, (0, 0, 0, 3)) for line in lines))


def _trades(review: Review, *, details: bool) -> Iterator[RenderableType]:
    if not review.trades:
        return
    yield Line("trades, for you to weigh", align="left", style="dim")
    lines: list[RenderableType] = [Text(TRADES, style="dim")]
    for i, each in enumerate(review.trades, 1):
        said = trade_text(each)
        if details:
            lines += [Text(said), _one_advice(i, each, review)]
        else:
            lines.append(Text(f"{i}. {each.option.change.title} ({each.rule}): {said}"))
    yield Group(*lines)


def _rejected(review: Review) -> Iterator[RenderableType]:
    if not review.rejected:
        return
    yield Line("tried and not recommended", align="left", style="dim")
    yield Group(
        *(
            Text(f"{a.option.change.title} ({a.rule}): {rejection_text(a)}", style="dim")
            for a in review.rejected
        )
    )


def _basis(review: Review) -> Iterator[RenderableType]:
    yield Line("what this rests on", align="left", style="dim")
    yield Group(*(Text(line, style="dim") for line in basis(review)))


def _time(found: Range | None) -> str:
    return seconds_range(found) if found else "no users"
