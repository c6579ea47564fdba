"""A review as one HTML file: readable without network and without scripts, and on paper.

The template escapes everything; only the curve and the style sheet, which are made here, pass.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from importlib.resources import files
from typing import Any

from advisor.configuration.configuration import Configuration
from advisor.configuration.hours import DAY, Window
from advisor.findings.baseline import Baseline
from advisor.findings.records import Advice, Located
from advisor.findings.review import Review
from advisor.findings.words import capital, counted, deciding, evidence_text
from advisor.predicting.outlook import Outlook
from advisor.predicting.workload import system_of
from advisor.report import planning
from advisor.report.basis import basis, not_judged, users_at_work
from advisor.report.html_essentials import essentials
from advisor.report.rows import growth_headings, growth_row, option_data, suppressed_lines
from qmodel.documents.wording import show_key
from qmodel.pictures.chart import printable
from qmodel.version import __version__

#: What a mark says to who does not see it.
SAID = {"✓": "target met", "?": "target at risk", "✗": "target missed"}
NO_PROBLEM = "No problem found by the rules that apply."


def html_report(
    review: Review, growth: Sequence[tuple[Outlook, Outlook]], baseline: Baseline | None = None,
    today: date | None = None,
) -> str:  # fmt: skip
    """The page, of a day.

    ``growth`` has predictions at several numbers of users: users alone, and with the batch tasks of
    the worst peak hour; ``baseline`` what became of an earlier run's findings.
    """
    day = today or datetime.now(UTC).astimezone().date()
    data = {**essentials(review), **_rest(review, growth, baseline)}
    return page("report.html.jinja", {"today": day.isoformat(), **data})


def page(template: str, data: Mapping[str, Any]) -> str:
    """A template of this folder with its data, in our style."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FunctionLoader(_resource),
        autoescape=True,
        undefined=StrictUndefined,
        # A percent sign stays with its number.
        finalize=lambda value: (
            printable(value).replace(" %", "\u00a0%") if type(value) is str else value
        ),
    )
    style = Markup(_resource("report.css"))  # noqa: S704, ours
    ours = {"version": __version__, "style": style, "said": SAID}
    return environment.get_template(template).render(**ours, **data) + "\n"


def _resource(name: str) -> str:
    return files("advisor.report").joinpath(name).read_text(encoding="utf-8")


def _rest(
    review: Review, growth: Sequence[tuple[Outlook, Outlook]], baseline: Baseline | None
) -> dict[str, Any]:
    """What is folded."""
    configuration = review.configuration
    peak = configuration.settings.workload.peak
    system = system_of(configuration)
    silenced = any(each.findings for each in review.suppressed)
    beyond = any(at_peak.extrapolated for _, at_peak in growth)
    levels = [f.finding.level for f in review.findings]
    metric = [each.effect[0].metric for each in review.advice] or [""]
    return {
        "users": users_at_work(review),
        "calibrated": f"calibrated on {system.title} ({system.source})" if system else "",
        "growth_note": "; * outside the fitted numbers of users: extrapolated" * beyond,
        "growth_headings": growth_headings(review),
        "growth_rows": [growth_row(review, *each) for each in growth],
        "found": ", ".join(counted(levels.count(each), each) for each in dict.fromkeys(levels)),
        "findings": [_finding(each, review, baseline) for each in review.findings],
        "no_findings": "Every finding is suppressed." if silenced else NO_PROBLEM,
        "gone": [f"{k.rule} {k.slug}: {k.message}" for k in (baseline.gone if baseline else ())],
        "suppressed": list(suppressed_lines(review)),
        "plan_lines": [f"{capital(line)}." for line in planning.plan_lines(review)],
        "left": list(planning.left_lines(review.plan)),
        "options": [option_data(i, each, review) for i, each in enumerate(review.advice, 1)],
        "option_headings": ("option", metric[0], "busiest then"),
        "trades": [
            {**option_data(i, each, review), "said": f"{capital(planning.trade_text(each))}."}
            for i, each in enumerate(review.trades, 1)
        ],
        "trades_note": f"{capital(planning.TRADES)}.",
        "rejected": [
            (a.option.change.title, a.rule, planning.rejection_text(a)) for a in review.rejected
        ],
        "day": DAY, "day_peak": (str(peak), list(_pieces(peak))),
        "day_rows": list(_day(configuration)), "skipped": not_judged(review),
        "basis": basis(review, unjudged=False),
        "sources": list(
            dict.fromkeys(s for a in (*review.advice, *review.trades) for s in a.option.sources)
        ),
    }  # fmt: skip


def _day(configuration: Configuration) -> Iterator[tuple[str, str, str, list[tuple[int, int]]]]:
    """Each batch task: name, hours, whether at the users' peak, and the hours' parts of the day."""
    workload = configuration.settings.workload
    for each in configuration.settings.batch:
        hours = each.hours(workload.off_peak)
        at_peak = "yes" if hours.overlaps(workload.peak) else "no"
        yield each.name, str(hours), at_peak, list(_pieces(hours))


def _pieces(window: Window) -> Iterator[tuple[int, int]]:
    """Start and length of the parts of a window that lie in one day, in minutes."""
    first = min(window.length, DAY - window.start)
    yield window.start, first
    if window.length > first:
        yield 0, window.length - first


def _finding(located: Located, review: Review, baseline: Baseline | None) -> dict[str, Any]:
    finding = located.finding
    first = deciding(finding.evidence)
    offered = {option.change for option in finding.options}

    def titles(some: Sequence[Advice]) -> list[tuple[int, str]]:
        changes = enumerate((each.option.change for each in some), 1)
        return [(i, change.title) for i, change in changes if change in offered]

    return {
        "level": finding.level, "message": finding.message, "rule": located.rule,
        "slug": located.slug,
        "where": show_key(finding.key) + (f", line {located.line}" if located.line else ""),
        "known": baseline.state(located) if baseline else "",
        "evidence": [evidence_text(each) for each in first],
        "more_evidence": [evidence_text(each) for each in finding.evidence if each not in first],
        "options": titles(review.advice), "trades": titles(review.trades),
    }  # fmt: skip
