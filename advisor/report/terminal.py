"""A review in the terminal."""

from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from advisor.findings import words
from advisor.findings.baseline import Baseline
from advisor.findings.plan_records import Plan
from advisor.findings.records import Advice, Located
from advisor.findings.review import Review
from advisor.findings.targets import promised
from advisor.predicting.outlook import Outlook
from advisor.predicting.workload import system_of
from advisor.report import planning
from advisor.report.basis import basis, machine, users_at_work
from advisor.report.first_screen import first_screen
from advisor.report.rows import growth_headings, growth_row, option_data, suppressed_lines
from advisor.rules import RULES
from qmodel.documents.wording import show_key

#: Utilizations that change by less are not shown. [1]
LEAST_SHOWN = 0.01
#: What is printed below the first screen.
Section = Literal["findings", "options", "basis"]
SECTIONS: tuple[Section, ...] = ("findings", "options", "basis")
COLOURS = {"error": "bold red", "warning": "yellow", "note": "cyan"}


def show_review(
    console: Console, review: Review, growth: Sequence[tuple[Outlook, Outlook]], *,
    sections: Collection[Section] = (), details: bool = False, baseline: Baseline | None = None,
) -> None:  # fmt: skip
    """Print a review: the verdict on one screen, and below it what else is asked for.

    ``growth`` has predictions at several numbers of users: users alone, and with the batch tasks of
    the worst peak hour; ``details`` is all of it, every option with changes, limits and sources;
    ``baseline`` what became of an earlier run's findings.
    """
    for part in first_screen(review):
        console.print(part)
    if baseline and not details and "findings" not in sections:
        console.print(Text(_against(baseline)))
    below: list[RenderableType] = []
    if details or "findings" in sections:
        below += _findings(review, baseline, details=details)
    if details or "options" in sections:
        options = [*_plan(review), *_advice(review, details=details)]
        options += [*_trades(review, details=details), *_rejected(review)]
        below += options or [Text("no options", style="dim")]
    if details or "basis" in sections:
        below += [_server(review), _growth(review, growth), _resources(review)]
        below.append(Line("what this rests on", align="left", style="dim"))
        below.append(Group(*(Text(line, style="dim") for line in basis(review))))
    elif growth:
        below.append(_growth(review, growth))
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
    exact = system_of(review.configuration) is None
    title = "Predicted from the demands as given" if exact else "Predicted, 90 % intervals"
    table = Table(
        *growth_headings(review), title=title, title_justify="left", box=None, pad_edge=False
    )
    for alone, peak in growth:
        style = "bold" if alone.users == review.outlook.users else ""
        table.add_row(*growth_row(review, alone, peak), style=style)
    beyond = any(alone.extrapolated for alone, _ in growth)
    note = "* outside the fitted numbers of users: extrapolated" if beyond else ""
    return Group(table, Text(note, style="dim"))


def _resources(review: Review) -> RenderableType:
    table = Table("utilization, users alone", "", "stations", box=None, pad_edge=False)
    for resource in review.alone.resources:
        busy = words.percent_range(resource.utilization)
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
        yield Text("every finding is suppressed" if silenced else none, style="green")
    for located in review.findings:
        standing = baseline.state(located) if baseline else ""
        yield _finding(located, standing, details=details)
    hidden = sum(
        len(f.finding.evidence) - len(words.deciding(f.finding.evidence)) for f in review.findings
    )
    if hidden and not details:
        yield Text(
            f"--details shows {words.counted(hidden, 'more number')} behind them", style="dim"
        )
    if baseline:
        yield Text(_against(baseline))
        for known in baseline.gone:
            yield Text(f"gone    {known.rule} {known.slug}: {known.message}", style="green")
    for line in suppressed_lines(review):
        yield Text(line, style="dim")


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
    shown = finding.evidence if details else words.deciding(finding.evidence)
    lines += [Padding(Text(words.evidence_text(e), style="dim"), (0, 0, 0, 8)) for e in shown]
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
            words.seconds_range(step.effect[0].after),
            words.brings(step.gain),
            words.brings(step.effect[0]),
        ]
        if targets:
            missed = f"{len(step.missed)} missed"
            row.append(Text(missed, "yellow") if step.missed else Text("met", "green"))
        table.add_row(*row)
    lines = planning.plan_lines(review)
    said = (Text(each, "yellow" * each.startswith("still missed")) for each in lines)
    yield Group(table, *said, *_not_in(plan))


def _not_in(plan: Plan) -> Iterator[Text]:
    for line in planning.left_lines(plan):
        yield Text(f"not in the plan: {line}", style="dim")


def _advice(review: Review, *, details: bool) -> Iterator[RenderableType]:
    if not review.advice:
        return
    heading = "options one by one, failures first, then by the mean time of all users"
    yield Line(heading, align="left", style="dim")
    if details:
        for i, advice in enumerate(review.advice, 1):
            yield _one_advice(i, advice, review)
        return
    metric = review.advice[0].effect[0].metric
    table = Table(
        "option", "rule", "effort", metric, "busiest then", "sources", box=None, pad_edge=False
    )
    sources = list(dict.fromkeys(source for a in review.advice for source in a.option.sources))
    for i, advice in enumerate(review.advice, 1):
        table.add_row(
            Text(f"{i}. {planning.priced(advice)}", style="green"), advice.rule,
            advice.option.effort, words.brings_range(advice.effect[0]),
            planning.busiest_then(advice),
            ", ".join(str(sources.index(source) + 1) for source in advice.option.sources),
        )  # fmt: skip
    lines = [Text(f"[{i}] {source}", style="dim") for i, source in enumerate(sources, 1)]
    lines.append(Text("--details shows each option with its changes, limits and sources", "dim"))
    yield Group(table, Text(""), *lines)


def _one_advice(number: int, advice: Advice, review: Review) -> RenderableType:
    data = option_data(number, advice, review)
    lines = [
        Text(f"{metric}: {before} -> {after}, {change}")
        for metric, before, after, change in data["effects"]
    ]
    lines += [Text(each, "yellow") for each in data["disagree"]]
    lines += [Text(f"{name}: {value}") for name, values in data["facts"] for value in values]
    head = Text(f"{number}. {advice.option.change.title}", style="bold green")
    return Group(head, *(Padding(line, (0, 0, 0, 3)) for line in lines))


def _trades(review: Review, *, details: bool) -> Iterator[RenderableType]:
    if not review.trades:
        return
    yield Line("trades, for you to weigh", align="left", style="dim")
    lines: list[RenderableType] = [Text(planning.TRADES, style="dim")]
    for i, each in enumerate(review.trades, 1):
        said = planning.trade_text(each)
        if details:
            lines += [Text(said), _one_advice(i, each, review)]
        else:
            lines.append(Text(f"{i}. {each.option.change.title} ({each.rule}): {said}"))
    yield Group(*lines)


def _rejected(review: Review) -> Iterator[RenderableType]:
    if not review.rejected:
        return
    yield Line("tried and not recommended", align="left", style="dim")
    said = ((a.option.change.title, a.rule, planning.rejection_text(a)) for a in review.rejected)
    yield Group(*(Text(f"{title} ({rule}): {why}", "dim") for title, rule, why in said))
