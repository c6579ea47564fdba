"""What stands above the fold of the page and is printed: the first screen, bars and a curve."""

from collections.abc import Iterator
from math import isfinite
from pathlib import PurePath
from typing import Any

from advisor.findings.review import Review
from advisor.findings.targets import limiting_pool
from advisor.findings.words import brings, capital, percent_range, seconds, shown_as
from advisor.planning.what_steps_take import what_steps_take
from advisor.predicting.checked import disagreement
from advisor.report import first_screen
from advisor.report.basis import machine
from advisor.report.curve_picture import response_curve
from advisor.report.screen import MARKS
from calibration.estimation.data import NOT_MEASURED

#: Most rows of numbers; the tables below the fold have all.
MOST = 4


def essentials(review: Review) -> dict[str, Any]:
    """What stands above the fold and on the printed page, in the order of the first screen."""
    from markupsafe import Markup

    configuration, plan = review.configuration, review.plan
    promised = configuration.settings.targets
    state = review.verdict.state
    rows = list(first_screen.number_rows(review))
    return {
        "title": configuration.settings.title or configuration.settings.server.name or "A server",
        "file": PurePath(configuration.document.path).name,
        "machine": machine(review),
        "load": review.load,
        "state": state,
        "mark": MARKS[state][0],
        "differs": capital(disagreement(review.checks)),
        "sentence": capital(review.sentence),
        "number_headings": first_screen.number_headings(review),
        "numbers": [_numbers(row, review.after is not None) for row in rows[:MOST]],
        "more_numbers": len(rows) - MOST,
        "steps": _steps(review),
        "next": capital(first_screen.next_step(review)) if not plan.steps else "",
        "then": first_screen.after_steps(review) if plan.steps else "",
        "mind": capital(first_screen.mind(review, "under Findings")),
        "sure": [capital(line) for line in first_screen.how_sure(review)],
        "curve": Markup(response_curve(review).picture.labelled),  # noqa: S704, escaped there
        "curve_note": _curve_note(review),
        "busy": list(_busy(review)),
        "busy_limit": promised.utilization if promised else None,
    }


def _numbers(
    row: tuple[str, str, Any, Any, float | None], after: bool
) -> tuple[str, list[tuple[str, str, str]], str]:
    """Name, then middle, interval and mark now and afterwards, then the target."""
    name, what, now, then, limit = row
    shown = (now, then) if after else (now,)
    unit = "1" if what == first_screen.BUSY else "s"
    show, alone = shown_as(unit, limit, *filter(None, shown))
    cells = []
    for found in shown:
        both = parts(show(found)) if found else ("-", "")
        cells.append((*both, first_screen.held(found, limit) if found else ""))
    whose = f"{name} {first_screen.BUSY}" if what == first_screen.BUSY else f"{what} of {name}"
    return whose, cells, alone(limit) if limit else "-"


def _steps(review: Review) -> list[dict[str, Any]]:
    """The plan: each step with the response time before and after it, as parts of the longest.

    One without bound is a full bar, and those beside it are no longer than their target's.
    """
    found = []
    steps = review.plan.steps
    targets = review.configuration.settings.targets
    limit = targets.response_time if targets else None
    times = [e.mid for s in steps for e in (s.effect[0].before, s.effect[0].after)]
    if limit and not all(map(isfinite, times)):
        times.append(limit)
    longest = max(filter(isfinite, times), default=1)
    before = steps[0].effect[0].before.mid if steps else 0.0
    for step, takes in zip(steps, what_steps_take(review), strict=True):
        option, after = step.advice.option, step.effect[0].after.mid
        found.append(
            {
                "title": capital(option.change.title), "benefit": option.benefit,
                "brings": brings(step.gain), "takes": takes, "metric": step.effect[0].metric,
                "times": (seconds(before), seconds(after)),
                "bar": (before / longest, after / longest, limit / longest if limit else None),
            }
        )  # fmt: skip
        before = after
    return found


def _busy(review: Review) -> Iterator[tuple[Any, ...]]:
    """Each resource, the busiest first: name, utilization, now and after the steps, and a word."""
    first = "first to fill" if review.verdict.state == "FITS" else "bottleneck"
    if pool := limiting_pool(review.configuration):
        name, taken = pool
        yield name, "", *parts(percent_range(taken)), (taken.mid, None), first
    for each in sorted(review.outlook.resources, key=lambda r: -r.utilization.mid):
        if each.name == NOT_MEASURED and each.utilization.mid == 0.0:
            continue
        more = first_screen.busiest_of(review, each)
        after = review.after.resource(each.name).utilization.mid if review.after else None
        word = "" if pool or each.name != review.outlook.bottleneck else first
        yield (
            each.name, more, *parts(percent_range(each.utilization)), (each.utilization.mid, after),
            word,
        )  # fmt: skip


def parts(text: str) -> tuple[str, str]:
    """Middle and interval of what is printed with both."""
    middle, _, ends = text.partition(" (")
    return middle, ends.removesuffix(")")


def _curve_note(review: Review) -> str:
    verdict = review.verdict
    if verdict.most is None:
        return "Nothing in the model limits the load."
    if not verdict.most.mid:
        return f"No {'number of users' if verdict.counted else 'rate'} meets every target today."
    return ""
