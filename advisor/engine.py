"""The engine: asks every rule, and the model about every option."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.configuration.suppressions import Standing, day
from advisor.findings import records
from advisor.findings.plan_records import Plan
from advisor.findings.review import Review
from advisor.findings.verdict import verdict_of
from advisor.planning.dominated import without_dominated
from advisor.planning.effects import NOTICEABLE, felt
from advisor.planning.sized import sized
from advisor.planning.steps import plan
from advisor.planning.trial import tried
from advisor.predicting.calibrated import calibration_of
from advisor.predicting.checked import checks_of
from advisor.predicting.most_users import most_users
from advisor.predicting.outlook import WITHOUT_OUTLOOK, Prediction
from advisor.predicting.parts_of_time import parts_of_time
from advisor.predicting.prediction import outlook, predict
from advisor.predicting.solving import solve_network
from advisor.predicting.workload import network_of, system_of, ways_of
from advisor.rule_support.rule import Case, NothingToGoBy, Rule, check_device
from advisor.rules import RULES


def case_of(configuration: Configuration) -> Case:
    """All that rules may see of a configuration."""
    now = predict(configuration)
    return Case(
        configuration=configuration, system=system_of(configuration), outlook=now.outlook,
        alone=outlook(configuration, batch=False), tasks=now.ways[0].tasks,
        shares_alone=lambda place: _shares_alone(configuration, place),
        most_users=lambda moves, excess: most_users(Change("", moves).apply(configuration), excess),
        outlook_with=lambda settings: outlook(Change("", settings).apply(configuration)),
        parts_of_time=lambda name: parts_of_time(configuration, name),
    )  # fmt: skip


def review(
    configuration: Configuration, rules: Sequence[Rule] = RULES, today: date | None = None,
    progress: Callable[[int, int], object] = lambda _, __: None,
) -> Review:  # fmt: skip
    """Ask every rule, solve every option, and rank what helps.

    Parameters
    ----------
    configuration : Configuration
        From `advisor.load_config`.
    rules : sequence of Rule
        The rules to ask.
    today : date, optional
        The day by which suppressions expire; of the clock if not given.
    progress : callable, optional
        Called with how many steps are done, of how many: one a rule, then the plan, the search for
        parts and the verdict.

    Returns
    -------
    Review
        Findings by level; a plan; advice by effect; options that bring something else than speed
        and cost response time; options that the model says are worse, or that change nothing, with
        the reason; rules that had nothing to go by.
    """
    case = case_of(configuration)
    now = predict(configuration)
    findings: list[records.Located] = []
    skipped: list[records.Skipped] = []
    advice: list[records.Advice] = []
    suppressed = _suppressions(configuration, rules, today)
    silenced: dict[str, list[records.Located]] = {
        each.rule: [] for each in suppressed if each.state == "in force"
    }
    rated = configuration.settings.workload.arrival_rate is not None
    count = len(rules) + 3
    for done, rule in enumerate(rules):
        progress(done, count)
        try:
            check_device(configuration, rule)
            judged = rule.judge(case)
        except NothingToGoBy as nothing:
            skipped.append(records.Skipped(rule.code, nothing.state, str(nothing)))
            continue
        except WITHOUT_OUTLOOK as refusal:  # of the change that it would have tried
            reason = getattr(refusal, "problem", str(refusal))
            skipped.append(records.Skipped(rule.code, "no-evidence", reason))
            continue
        for finding in judged:
            if rated and finding.key == ("workload", "users"):
                finding = replace(finding, key=("workload", "arrival_rate"))  # noqa: PLW2901
            line = configuration.line(finding.key)
            mark = records.fingerprint(rule.code, finding, configuration.data)
            located = records.Located(rule.code, rule.slug, finding, line, mark)
            if rule.code in silenced:
                silenced[rule.code].append(located)
                continue
            findings.append(located)
            advice.extend(
                tried(rule.code, finding, option, configuration, now) for option in finding.options
            )
    findings.sort(key=lambda each: records.LEVELS.index(each.finding.level))
    progress(count - 3, count)
    every = without_dominated(_once(advice), configuration)
    steps = plan(configuration, now, every, most_users)
    missed = next((each.finding for each in findings if each.rule == "TGT001"), None)
    progress(count - 2, count)
    if steps.missed and missed:
        for option in sized(configuration, steps):
            more = [*every, tried("TGT001", missed, option, configuration, now)]
            then = plan(configuration, now, more, most_users)
            if not then.missed:
                every, steps = more, then
                break
    for old, less in _with_less(configuration, steps, rules, now):
        more = [each for each in every if each is not old] + [less]
        then = plan(configuration, now, more, most_users)
        if not then.missed:
            every, steps = more, then
    progress(count - 1, count)
    after = _after(configuration, steps)
    calibration = calibration_of(configuration)
    unknown = calibration.unknown if calibration else ()
    found = Review(
        configuration=configuration, outlook=case.outlook, alone=case.alone,
        findings=tuple(findings),
        advice=tuple(sorted((a for a in every if a.recommended), key=_rank)),
        verdict=verdict_of(configuration, case.outlook), plan=steps,
        trades=tuple(sorted((a for a in every if a.trade), key=lambda a: felt(a.effect))),
        rejected=tuple(a for a in every if a.rejected), skipped=tuple(skipped),
        notes=case.system.notes if case.system else (),
        suppressed=tuple(_filled(each, silenced.get(each.rule, ())) for each in suppressed),
        after=outlook(after) if after else None,
        verdict_after=verdict_of(after, outlook(after)) if after else None,
        measure=next(filter(None, (each.measure for each in unknown)), ""),
    )  # fmt: skip
    progress(count, count)
    return found


def _with_less(
    configuration: Configuration, chosen: Plan, rules: Sequence[Rule], now: Prediction
) -> Iterator[tuple[records.Advice, records.Advice]]:
    """Steps that buy more than their rule asks for after the other steps, and what it asks for."""
    steps = [step.advice for step in chosen.steps]
    for step in steps if len(steps) > 1 and not chosen.missed else ():
        (key, value), *others = step.option.change.settings
        if step.option.effort != "part" or others or not isinstance(value, int):
            continue
        changed = configuration
        for other in steps:
            changed = other.option.change.apply(changed) if other is not step else changed
        rule = next((each for each in rules if each.code == step.rule), None)
        try:
            judged = [*rule.judge(case_of(changed))] if rule else []
        except (NothingToGoBy, *WITHOUT_OUTLOOK):
            continue
        for option in [option for finding in judged for option in finding.options]:
            wanted = dict(option.change.settings)
            if [*wanted] == [key] and wanted[key] < value:
                yield step, tried(step.rule, step.finding, option, configuration, now)


def checked(found: Review, progress: Callable[[int, int], None] | None = None) -> Review:
    """The review with its networks, now and after the plan, simulated as well."""
    then = _after(found.configuration, found.plan)
    asked = [("now", found.configuration), *([("after the plan", then)] if then else [])]
    return replace(found, checks=checks_of(asked, progress))


def _after(configuration: Configuration, chosen: Plan) -> Configuration | None:
    """The configuration with all steps taken; None where there are none."""
    changed = configuration
    for step in chosen.steps:
        changed = step.advice.option.change.apply(changed)
    return changed if chosen.steps else None


def _suppressions(
    configuration: Configuration, rules: Sequence[Rule], today: date | None
) -> list[records.Suppressed]:
    """The configuration's suppressions, of the rules that are asked."""
    given = configuration.settings.suppress
    now = day(given, today)
    found = []
    for i, each in enumerate(given):
        rule = next((r for r in rules if each.names(r.code, r.slug)), None)
        if rule is not None:
            until = each.until.isoformat() if each.until else ""
            line = configuration.line(("suppress", i))
            state: Standing = "expired" if each.expired(now) else "in force"
            found.append(records.Suppressed(rule.code, each.reason, until, state, line))
    return found


def _filled(
    suppressed: records.Suppressed, findings: Sequence[records.Located]
) -> records.Suppressed:
    if suppressed.state == "expired":
        return suppressed
    return replace(suppressed, state="in force" if findings else "unused", findings=tuple(findings))


def _once(advice: Iterable[records.Advice]) -> list[records.Advice]:
    """One advice for each set of settings, the first rule's that proposes it."""
    found: list[records.Advice] = []
    for each in advice:
        if all(each.option.change.settings != other.option.change.settings for other in found):
            found.append(each)
    return found


def _rank(advice: records.Advice) -> tuple[float, ...]:
    """Measured failures first, then the largest cut in the mean response time of all users."""
    failure = advice.finding.level == "error" and bool(advice.option.benefit)
    return (
        0.0 if failure else 1.0,
        # Sending users elsewhere helps the users who stay and solves nothing for the others.
        1.0 if advice.option.effort == "server" else 0.0,
        round(felt(advice.effect) / NOTICEABLE),
        float(records.LEVELS.index(advice.finding.level)),
        float(records.EFFORTS.index(advice.option.effort)),
    )


def _shares_alone(configuration: Configuration, place: int) -> dict[str, float]:
    """How busy the batch task of a place keeps each resource when it runs alone."""
    batch = configuration.settings.batch[place]
    server = network_of(configuration, ways_of(configuration)[0], (batch,), users=False)
    busy = solve_network(server.network).station_utilizations
    return {
        name: max(busy[k] for k in stations)
        for name, stations in server.resources
        if name not in {"client", "admission"}
    }
