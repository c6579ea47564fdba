"""A review as one HTML file: readable without network and without scripts, and on paper.

The template escapes everything; only pictures and the style sheet, which are made here, pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from advisor.findings.baseline import Baseline
from advisor.findings.records import Advice, Effect, Located
from advisor.findings.review import Review
from advisor.findings.targets import missed, promised
from advisor.findings.words import (
    busiest,
    counted,
    deciding,
    evidence_text,
    percent,
    percent_range,
    points,
    seconds,
    seconds_range,
    signed_range,
)
from advisor.planning.rejection import waits_longer
from advisor.predicting.outlook import Outlook
from advisor.predicting.workload import system_of
from advisor.report.basis import (
    basis,
    load_column,
    load_row,
    machine,
    not_judged,
    setting,
    users_at_work,
)
from advisor.report.pictures import (
    before_and_after,
    hours_of,
    plain,
    response_times,
    timetable,
    utilizations,
)
from advisor.report.planning import (
    ONE_CALIBRATION,
    TRADES,
    busiest_then,
    left_lines,
    plan_lines,
    price_text,
    regret_headings,
    regret_rows,
    regret_verdict,
    rejection_text,
    trade_text,
)
from qmodel.documents.wording import show_key
from qmodel.version import __version__


def html_report(
    review: Review,
    growth: Sequence[tuple[Outlook, Outlook]],
    baseline: Baseline | None = None,
) -> str:
    """The page.

    Parameters
    ----------
    review : Review
        What.
    growth : sequence of (Outlook, Outlook)
        At several numbers of users: users alone, and with the batch tasks of the worst peak hour.
    baseline : Baseline, optional
        What became of an earlier run's findings.

    Raises
    ------
    InvalidInput
        If matplotlib is not installed.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        # A percent sign stays with its number.
        finalize=lambda value: (
            plain(value).replace(" %", "\u00a0%") if type(value) is str else value
        ),
    )
    template = environment.from_string(_resource("report.html.jinja"))
    return template.render(**_content(review, growth, baseline)) + "\n"


def _resource(name: str) -> str:
    return files("advisor.report").joinpath(name).read_text(encoding="utf-8")


def _content(
    review: Review, growth: Sequence[tuple[Outlook, Outlook]], baseline: Baseline | None
) -> dict[str, Any]:
    from markupsafe import Markup

    configuration = review.configuration
    batch, peak = configuration.settings.batch, configuration.settings.workload.peak
    targets = configuration.settings.targets
    limit = targets.response_time if targets else None
    system = system_of(configuration)
    silenced = any(each.findings for each in review.suppressed)
    content = {
        "version": __version__,
        "style": Markup(_resource("report.css")),  # noqa: S704, ours
        "title": configuration.settings.title or configuration.settings.server.name or "A server",
        "file": configuration.document.path,
        "machine": machine(review),
        "users": users_at_work(review),
        "calibrated": f"calibrated on {system.title} ({system.source})" if system else "",
        "figures": list(_figures(review)),
        "growth_picture": Markup(response_times(growth, limit).labelled),  # noqa: S704, escaped there
        "busy_picture": Markup(utilizations(review).labelled),  # noqa: S704
        "growth_note": "; * outside the fitted numbers of users: extrapolated"
        if any(peak.extrapolated for _, peak in growth)
        else "",
        "growth_headings": _growth_headings(review),
        "growth_rows": [_growth_row(review, *each) for each in growth],
        "findings": [_finding(each, review, baseline) for each in review.findings],
        "no_findings": "Every finding is suppressed."
        if silenced
        else "Nothing to report: every rule that could judge is content.",
        "gone": [f"{k.rule} {k.slug}: {k.message}" for k in (baseline.gone if baseline else ())],
        "suppressed": list(_suppressed(review)),
        "plan_headings": ("step", *_plan_headings(review)),
        "plan_rows": list(_plan_rows(review)),
        "plan_lines": list(_plan_lines(review)),
        "left": list(left_lines(review.plan)),
        "regret_headings": regret_headings(review.plan),
        "regret_rows": regret_rows(review.plan),
        "regret_verdict": _capital(regret_verdict(review.plan) or ONE_CALIBRATION),
        "options": [_option(i, each, review) for i, each in enumerate(review.advice, 1)],
        "option_headings": (
            "option",
            review.advice[0].effect[0].metric if review.advice else "",
            "busiest then",
        ),
        "options_picture": Markup(before_and_after(review.advice).labelled)  # noqa: S704
        if review.advice
        else "",
        "trades": [_trade(i, each, review) for i, each in enumerate(review.trades, 1)],
        "trades_note": f"{_capital(TRADES)}.",
        "rejected": [(a.option.change.title, a.rule, rejection_text(a)) for a in review.rejected],
        "day_picture": Markup(timetable(configuration).labelled) if batch else "",  # noqa: S704
        "day_rows": [
            (
                each.name,
                str(hours := hours_of(each, configuration)),
                "yes" if hours.overlaps(peak) else "no",
            )
            for each in batch
        ],
        "skipped": not_judged(review),
        "basis": basis(review, unjudged=False),
        "sources": list(
            dict.fromkeys(s for a in (*review.advice, *review.trades) for s in a.option.sources)
        ),
    }
    return {**content, "contents": list(_contents(content))}


def _contents(content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "prediction", "What is predicted"
    yield "findings", f"Findings ({len(content['findings'])})"
    if content["plan_rows"] or content["left"]:
        yield "plan", "Plan"
    if content["options"]:
        yield "options", f"Options ({len(content['options'])})"
    if content["trades"]:
        yield "trades", f"Trades ({len(content['trades'])})"
    if content["rejected"]:
        yield "rejected", "Not recommended"
    if content["day_picture"]:
        yield "timetable", "Timetable"
    yield "skipped", "What was not judged"
    yield "basis", "What this rests on"


def _figures(review: Review) -> Iterator[tuple[str, str, str]]:
    """The few numbers that matter most: name, value, and what else is to be said."""
    first = next(c for c in review.outlook.classes if not c.batch)
    time = first.response_time
    low, high = seconds(time.low), seconds(time.high)
    between = f"{low} to {high}, 90 % interval" if low != high else ""
    yield f"Response time of {first.name}", seconds(time.mid), between
    busy = review.outlook.resource(review.outlook.bottleneck)
    low, high = percent(busy.utilization.low), percent(busy.utilization.high)
    between = f"{low} to {high}, 90 % interval" if low != high else ""
    yield f"Bottleneck: {busy.name}", f"{percent(busy.utilization.mid)} busy", between
    levels = [f.finding.level for f in review.findings]
    counts = [counted(levels.count(level), level) for level in dict.fromkeys(levels)]
    yield "Findings", str(len(levels)), ", ".join(counts)
    if promised(review.configuration):
        still = missed(review.configuration, review.outlook)
        after = review.plan.missed
        yield (
            "Targets",
            f"{len(still)} missed" if still else "met",
            (f"{len(after)} missed after the plan" if after else "met after the plan")
            if still
            else "",
        )
    if review.plan.steps:
        effect = review.plan.steps[-1].effect[0]
        yield (
            f"{_capital(effect.metric)} after the plan",
            seconds(effect.after.mid),
            f"{signed_range(effect.change)} with {counted(len(review.plan.steps), 'step')}",
        )


def _growth_headings(review: Review) -> tuple[str, ...]:
    names = [c.name for c in review.outlook.classes if not c.batch]
    alone = (f"{names[0]} without batch tasks",) if _has_batch(review) else ()
    busy = f"{review.outlook.bottleneck} busy"
    return (load_column(review), *(f"response time of {name}" for name in names), busy, *alone)


def _has_batch(review: Review) -> bool:
    return any(each.batch for each in review.outlook.classes)


def _growth_row(review: Review, alone: Outlook, peak: Outlook) -> tuple[str, ...]:
    names = [c.name for c in review.outlook.classes if not c.batch]
    times = [peak.time_of(name) for name in names]
    first = alone.time_of(names[0])
    return (
        load_row(review, peak),
        *(seconds_range(time) if time else "nobody" for time in times),
        percent_range(peak.resource(review.outlook.bottleneck).utilization),
        *([seconds_range(first) if first else "nobody"] if _has_batch(review) else []),
    )


def _finding(located: Located, review: Review, baseline: Baseline | None) -> dict[str, Any]:
    finding = located.finding
    first = deciding(finding.evidence)
    offered = {option.change for option in finding.options}
    return {
        "level": finding.level,
        "message": finding.message,
        "rule": located.rule,
        "slug": located.slug,
        "where": show_key(finding.key) + (f", line {located.line}" if located.line else ""),
        "known": baseline.state(located) if baseline else "",
        "evidence": [evidence_text(each) for each in first],
        "more_evidence": [evidence_text(each) for each in finding.evidence if each not in first],
        "options": [
            (i, a.option.change.title)
            for i, a in enumerate(review.advice, 1)
            if a.option.change in offered
        ],
        "trades": [
            (i, a.option.change.title)
            for i, a in enumerate(review.trades, 1)
            if a.option.change in offered
        ],
    }


def _suppressed(review: Review) -> Iterator[str]:
    for each in review.suppressed:
        if each.notice:
            yield f"{_capital(each.notice)} (reason given: {each.reason})."
        until = f" until {each.until}" if each.until else ""
        for located in each.findings:
            finding = located.finding
            yield (
                f"{finding.level} {located.rule} {located.slug}: {finding.message} "
                f"(suppressed{until}: {each.reason})"
            )


def _plan_headings(review: Review) -> tuple[str, ...]:
    steps = review.plan.steps
    metric = steps[-1].effect[0].metric if steps else ""
    targets = ("targets",) if promised(review.configuration) else ()
    return (f"{metric} so far", "by this step", "so far", *targets)


def _plan_rows(review: Review) -> Iterator[tuple[str, ...]]:
    for i, step in enumerate(review.plan.steps, 1):
        row = [
            f"{i}. {step.advice.option.change.title}",
            seconds_range(step.effect[0].after),
            signed_range(step.gain.change),
            signed_range(step.effect[0].change),
        ]
        if promised(review.configuration):
            row.append(f"{len(step.missed)} missed" if step.missed else "met")
        yield tuple(row)


def _plan_lines(review: Review) -> Iterator[str]:
    for line in plan_lines(review):
        yield f"{_capital(line)}."


def _option(number: int, advice: Advice, review: Review) -> dict[str, Any]:
    option = advice.option
    changes = [
        f"{key}: {setting(old)} \u2192 {setting(new)}"
        for key, old, new in option.change.diff(review.configuration.data)
    ]
    risk = [busiest(advice.risk)] if advice.risk else []
    price = waits_longer(advice.effect)
    facts = [
        ("change", changes),
        ("price", [price_text(price, advice.ends)] if price else []),
        ("rule", [advice.rule]),
        ("effort", [option.effort]),
        ("risk afterwards", risk),
        ("beyond the model", [option.benefit] if option.benefit else []),
        ("side effects", option.side_effects),
        ("holds for", [option.valid] if option.valid else []),
        ("outside what was measured", advice.beyond),
        ("sources", option.sources),
    ]
    return {
        "title": _capital(option.change.title),
        "said": "",
        "facts": facts,
        "headings": ("metric", "before", "after", "change"),
        "effects": [_effect(each) for each in advice.effect],
        "disagree": [
            f"On the {each.metric} the calibration '{', '.join(each.disagree)}' disagrees."
            for each in advice.effect
            if each.disagree
        ],
        "short": (
            f"{number}. {option.change.title}",
            signed_range(advice.effect[0].change),
            busiest_then(advice),
        ),
    }


def _trade(number: int, advice: Advice, review: Review) -> dict[str, Any]:
    return {**_option(number, advice, review), "said": f"{_capital(trade_text(advice))}."}


def _effect(effect: Effect) -> tuple[str, ...]:
    show = seconds_range if effect.unit == "s" else percent_range
    more = points(effect.before.mid, effect.after.mid)
    change = signed_range(effect.change) if effect.unit == "s" else more
    return (
        effect.metric,
        show(effect.before),
        show(effect.after),
        change,
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
