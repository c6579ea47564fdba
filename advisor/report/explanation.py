"""A finding's derivation with the numbers put in: how it is known, and what each option brings."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from advisor.explanation import Derived, Sum, derivations
from advisor.findings import words
from advisor.findings.records import Advice, Located
from advisor.findings.review import Review
from advisor.report.basis import setting
from advisor.report.json_report import advice_data, finding_data
from advisor.report.planning import rejection_text, trade_text
from advisor.report.rows import effect_texts
from advisor.rule_support.rule import Rule
from qmodel.documents.wording import show_key


def explanation_lines(review: Review, rule: Rule, wanted: Sequence[Located]) -> Iterator[str]:
    """What a rule found in a configuration and how, line by line.

    ``wanted`` are its findings, suppressed ones too; none where it has nothing to say.
    """
    yield f"{rule.code} {rule.slug} on {review.configuration.document.path}"
    if not wanted:
        yield _silence(review, rule)
    for located in wanted:
        finding = located.finding
        line = f", line {located.line}" if located.line else ""
        yield ""
        yield f"{finding.level}: {finding.message}"
        yield f"  about {show_key(finding.key)}{line}; fingerprint {located.fingerprint}"
        for suppressed in review.suppressed:
            if located in suppressed.findings:
                until = f" until {suppressed.until}" if suppressed.until else ""
                yield f"  suppressed{until}: {suppressed.reason}; its options are not tried"
        for evidence in finding.evidence:
            yield f"  {words.evidence_text(evidence)}"
        for derived in derivations(review, finding.evidence):
            yield from _derived(derived)
        for advice in _options(review, located):
            yield from _option(review, advice)


def explanation_data(review: Review, rule: Rule, wanted: Sequence[Located]) -> dict[str, Any]:
    """The same for programs, in base units."""
    return {
        "code": rule.code, "slug": rule.slug, "silent": "" if wanted else _silence(review, rule),
        "findings": [
            {
                **finding_data(located),
                "derivations": [asdict(d) for d in derivations(review, located.finding.evidence)],
                "options": [advice_data(a, review) for a in _options(review, located)],
            }
            for located in wanted
        ],
    }  # fmt: skip


def _silence(review: Review, rule: Rule) -> str:
    for skipped in review.skipped:
        if skipped.rule == rule.code:
            return f"not checked ({skipped.state}): {skipped.reason}"
    return f"no problem found: {rule.claim}"


def _options(review: Review, located: Located) -> list[Advice]:
    changes = {option.change for option in located.finding.options}
    every = (*review.advice, *review.trades, *review.rejected)
    return [a for a in every if a.option.change in changes]


def _derived(derived: Derived) -> Iterator[str]:
    is_time = derived.evidence.unit == "s"
    show = words.seconds_range if is_time else words.percent_range
    yield f"  {derived.evidence.metric}, solved for {derived.hour}:"
    for each in derived.sums:
        beside = f", beside {' and '.join(each.beside)}" if each.beside else ""
        yield f"    calibration '{each.calibration}'{beside}:"
        yield from (_time_lines(each) if is_time else _busy_lines(each))
    how = "middle of the calibrations, with their 90 % interval"
    yield f"    {how}: {show(derived.predicted)}"


def _busy_lines(found: Sum) -> Iterator[str]:
    working = [part for part in found.parts if part.value > 0.0]
    over = f" / {found.servers:g} servers" if found.servers > 1 else ""
    for part in working:
        product = (
            f"throughput {part.throughput:.5g} /s x demand {part.demand:.5g} s{over} = "
            if found.servers
            else "share of the time, by the solver: "
        )
        yield f"      {part.name}: {product}{part.value:.5g}"
        if part.formula:
            yield f"        demand: {part.formula}"
    terms = " + ".join(f"{part.value:.5g}" for part in working) or "0"
    yield f"      sum: {terms} = {found.total:.5g}, {words.percent(found.total)}"


def _time_lines(found: Sum) -> Iterator[str]:
    terms = " + ".join(f"{words.resource_name(p.name)} {p.value:.5g} s" for p in found.parts)
    yield f"      residence times: {terms} = {found.total:.5g} s"
    if found.population:
        yield (
            f"      check: {found.population} customers / {found.throughput:.5g} /s - think time "
            f"{found.think_time:.5g} s = "
            f"{found.population / found.throughput - found.think_time:.5g} s"
        )


def _option(review: Review, advice: Advice) -> Iterator[str]:
    option, taken = advice.option, [step.advice.option for step in review.plan.steps]
    verdict = "recommended" if option in taken else "of use, not in the plan"
    if advice.trade or advice.rejected:
        trade = f"a trade: {trade_text(advice)}"
        verdict = trade if advice.trade else f"not recommended, {rejection_text(advice)}"
    yield f"  option: {option.change.title} ({verdict})"
    for key, old, new in option.change.diff(review.configuration.data):
        yield f"    {key}: {setting(old)} -> {setting(new)}"
    for effect in advice.effect:
        metric, before, after, change = effect_texts(effect)
        yield f"    {metric}, solved again: {before} -> {after}, {change}"
        if effect.disagree:
            yield f"      the calibration '{', '.join(effect.disagree)}' disagrees"
    if advice.risk:
        yield f"    afterwards {words.busiest(advice.risk)}"
    if option.benefit:
        yield f"    beyond the model: {option.benefit}"
    if option.valid:
        yield f"    holds for: {option.valid}"
    yield from (f"    outside what was measured: {each}" for each in advice.beyond)
    yield from (f"    source: {source}" for source in option.sources)
