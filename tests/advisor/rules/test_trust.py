"""What must hold of every rule, whoever wrote it: rules are found, not named, here.

Numbers can be recomputed, options do what was said, more load clears nothing, the same input gives
the same bytes, nothing worse is recommended, and what lies outside a range is said to.
"""

from functools import cache
from math import isclose

import advisor
from advisor.engine import case_of
from advisor.report.terminal import show_review
from advisor.rule_support.rule import NothingToGoBy
from advisor.rules import RULES
from calibration.printed_tables.table import load_table, sources, table_names
from tests.advisor.configurations import quiet
from tests.advisor.reports import SERVERS, review_of
from tests.advisor.speaking import SPEAKING

BY_CODE = {rule.code: rule for rule in RULES}
#: Units of evidence, and what one of them is in base units.
TO_BASE = {
    "%": 0.01, "s": 1.0, "ms": 1e-3, "h": 3600.0, "KB": 1024.0, "MB": 1024.0**2, "GB": 1024.0**3,
    "Mb/s": 1e6, "KB/s": 1e3, "MB/s": 1e6,
}  # fmt: skip


@cache
def all_reviews():
    return tuple(review_of(path) for path in SERVERS)


@cache
def every_review():
    """Those of the examples, and of a configuration for each rule that is silent there."""
    asked_alone = (advisor.review(make(), [BY_CODE[code]]) for code, make in SPEAKING.items())
    return (*all_reviews(), *asked_alone)


TAKEN = {}  # by the identity of an advice, whose review is kept


def taken(review, advice):
    """The configuration with an option taken, and what it does."""
    if id(advice) not in TAKEN:
        changed = advice.option.change.apply(review.configuration)
        TAKEN[id(advice)] = changed, advisor.predict(changed).outlook
    return TAKEN[id(advice)]


def asked(rule, case):
    try:
        return rule.judge(case)
    except NothingToGoBy:
        return []


# Numbers


@cache
def printed():
    """Every number of every shipped table, in its own unit and in base units."""
    found = []
    for name in (name for source in sources() for name in table_names(source)):
        table = load_table(name)
        for row in table.rows:
            for column in table.columns:
                cell = table.cell(row, column.name)
                if cell.value is not None:
                    found.append(cell.value)
    return found


def stands_in_a_table(value, unit):
    base = value * TO_BASE.get(unit, 1.0)
    bits = (base / 8.0,) if unit == "Mb/s" else ()  # tables hold rates in bytes
    return any(
        isclose(each, wanted, rel_tol=5e-3) for each in printed() for wanted in (value, base, *bits)
    )


def numbers_given(settings_):
    """Every number of a configuration, in base units."""
    found = []

    def walk(at):
        if isinstance(at, bool | int | float):
            found.append(float(at))
        elif isinstance(at, dict):
            for each in at.values():
                walk(each)
        elif isinstance(at, list | tuple):
            found.append(float(len(at)))
            for each in at:
                walk(each)

    walk(settings_.model_dump())
    return found


def test_every_given_number_stands_in_the_file_and_every_measured_one_in_a_table():
    count, wrong = 0, set()
    for review in all_reviews():
        given_numbers = numbers_given(review.configuration.settings)
        for located in review.findings:
            for each in located.finding.evidence:
                base = each.value * TO_BASE.get(each.unit, 1.0)
                if each.how == "measured":
                    right = stands_in_a_table(each.value, each.unit)
                elif each.how == "given":
                    right = any(
                        isclose(base, number, rel_tol=1e-6, abs_tol=1e-12)
                        or isclose(each.value, number, rel_tol=1e-6)
                        for number in (*given_numbers, 0.0)
                    )
                else:
                    continue
                count += 1
                if not right:
                    wrong.add((located.rule, each.how, each.metric, each.value, each.unit))
    assert count >= 10
    assert not wrong


def test_every_threshold_that_is_held_against_a_number_is_on_its_side():
    """A problem's number lies on or beyond its threshold, whichever side that is, never at NaN."""
    for review in every_review():
        for located in review.findings:
            assert located.finding.evidence
            for each in located.finding.evidence:
                assert each.metric
                assert each.value == each.value
                assert each.threshold is None or each.threshold == each.threshold
                assert each.unit
                assert each.source


# Options


def test_an_option_taken_changes_its_finding_and_does_what_was_said():
    """Applied and asked again: what it does is what was predicted, and the finding has changed."""
    kept = set()
    for review in every_review():
        for advice in (*review.advice, *review.trades, *review.rejected):
            if not advice.effect:
                continue
            changed, outlook = taken(review, advice)
            for effect in advice.effect:
                name = effect.metric.partition(" of ")[2]
                of_time = effect.unit == "s"
                now = outlook.time_of(name) if of_time else outlook.resource(name).utilization
                assert effect.after == now, (advice.rule, advice.option.change.title)
            if advice in review.advice:
                assert not advice.option.outside
                if advice.finding in asked(BY_CODE[advice.rule], case_of(changed)):
                    kept.add((advice.rule, advice.finding.message))
    assert not kept


def test_outside_the_measured_range_every_option_says_so(capsys):
    """A calibration's numbers of users; and no option that is outside its range is recommended."""
    from rich.console import Console

    said = 0
    for review in all_reviews():
        for advice in (*review.advice, *review.trades, *review.rejected):
            assert not advice.option.outside or advice.reason == "outside range"
            if not advice.rejected and taken(review, advice)[1].extrapolated:
                assert advice.beyond, advice.option.change.title
                said += 1
        if any(a.beyond for a in review.advice):
            show_review(Console(width=400), review, (), details=True)
            printed_ = capsys.readouterr().out
            for each in {text for a in review.advice for text in a.beyond}:
                assert f"outside what was measured: {each}" in printed_
    assert said


def test_no_rule_breaks_on_arrivals_and_on_a_server_near_its_limit():
    for rate in ("0.01 /s", "1 /s", "9.9 /s", "50 /s"):
        case = case_of(quiet(workload={"arrival_rate": rate}))
        for rule in RULES:
            asked(rule, case)
