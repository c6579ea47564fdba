"""Rows that the terminal and the page show alike: of several loads, and of an option."""

from collections.abc import Iterator
from typing import Any

from advisor.findings import words
from advisor.findings.records import Advice, Effect
from advisor.findings.review import Review
from advisor.planning.rejection import waits_longer
from advisor.predicting.outlook import Outlook
from advisor.report.basis import setting
from advisor.report.planning import busiest_then, price_text


def growth_headings(review: Review) -> tuple[str, ...]:
    """Of the table of several loads."""
    names = [c.name for c in review.outlook.classes if not c.batch]
    alone = (f"{names[0]} without batch tasks",) if _has_batch(review) else ()
    busy = f"{review.outlook.bottleneck} busy"
    load = "users" if review.outlook.arrival_rate is None else "requests"
    return (load, *(f"response time of {name}" for name in names), busy, *alone)


def _has_batch(review: Review) -> bool:
    return any(each.batch for each in review.outlook.classes)


def growth_row(review: Review, alone: Outlook, peak: Outlook) -> tuple[str, ...]:
    """One load: at the worst hour of the peak, and the first class without batch tasks."""
    names = [c.name for c in review.outlook.classes if not c.batch]
    times = [peak.time_of(name) for name in names]
    first = alone.time_of(names[0])
    rate = review.outlook.arrival_rate
    load = f"{peak.users}" if rate is None else f"{words.load_text(rate)}/s"
    return (
        f"{load}{'*' if peak.extrapolated else ''}",  # a star outside what was fitted
        *(words.seconds_range(time) if time else "-" for time in times),
        words.percent_range(peak.resource(review.outlook.bottleneck).utilization),
        *([words.seconds_range(first) if first else "-"] if _has_batch(review) else []),
    )


def option_data(number: int, advice: Advice, review: Review) -> dict[str, Any]:
    """All that a page or a terminal shows of an option."""
    option = advice.option
    changes = [
        f"{key}: {setting(old)} \u2192 {setting(new)}"
        for key, old, new in option.change.diff(review.configuration.data)
    ]
    risk = [words.busiest(advice.risk)] if advice.risk else []
    price = waits_longer(advice.effect)
    facts = [
        ("change", changes), ("price", [price_text(price, advice.ends)] if price else []),
        ("rule", [advice.rule]), ("effort", [option.effort]), ("risk afterwards", risk),
        ("beyond the model", [option.benefit] if option.benefit else []),
        ("side effects", option.side_effects),
        ("holds for", [option.valid] if option.valid else []),
        ("outside what was measured", advice.beyond), ("sources", option.sources),
    ]  # fmt: skip
    return {
        "title": words.capital(option.change.title), "said": "", "facts": facts,
        "headings": ("metric", "before", "after", "change"),
        "effects": [effect_texts(each) for each in advice.effect],
        "disagree": [
            f"On the {each.metric} the calibration '{', '.join(each.disagree)}' disagrees."
            for each in advice.effect
            if each.disagree
        ],
        "short": (
            f"{number}. {option.change.title}",
            words.brings_range(advice.effect[0]),
            busiest_then(advice),
        ),
    }  # fmt: skip


def effect_texts(effect: Effect) -> tuple[str, str, str, str]:
    """What changes, before, after, and by how much."""
    show, _ = words.shown_as(effect.unit)
    more = words.points(effect.before.mid, effect.after.mid)
    change = words.brings_range(effect) if effect.unit == "s" else more
    return (effect.metric, show(effect.before), show(effect.after), change)


def suppressed_lines(review: Review) -> Iterator[str]:
    """Suppressed findings, and suppressions that ended or silence nothing."""
    for each in review.suppressed:
        if each.notice:
            yield f"{words.capital(each.notice)} (reason given: {each.reason})."
        until = f" until {each.until}" if each.until else ""
        for located in each.findings:
            finding = located.finding
            yield (
                f"{finding.level} {located.rule} {located.slug}: {finding.message} "
                f"(suppressed{until}: {each.reason})"
            )
