"""More load never clears a warning."""

import pytest

import advisor
from advisor.engine import case_of
from advisor.rule_support.rule import NothingToGoBy
from advisor.rules import RULES
from tests.advisor import configurations as cs
from tests.advisor.speaking import searching, ten_drives  # noqa: F401, named in the table
from tests.tables import asked, rows

GRAVITY = {"note": 1, "warning": 2, "error": 3}


def gravity(configuration) -> dict[tuple[str, str], int]:
    """How grave each rule takes each thing it measures."""
    case = case_of(configuration)
    found: dict[tuple[str, str], int] = {}
    for rule in RULES:
        try:
            for finding in rule.judge(case):
                metrics = [evidence.metric for evidence in finding.evidence]
                where = (rule.code, metrics[0] if metrics else str(finding.key))
                found[where] = max(found.get(where, 0), GRAVITY[finding.level])
        except NothingToGoBy:
            continue
    return found


def never_clears(configurations, codes):
    """Each finding of one configuration is as grave in the next; the last has every code."""
    before: dict[tuple[str, str], int] = {}
    for configuration in configurations:
        now = {where: level for where, level in gravity(configuration).items() if where[0] in codes}
        cleared = {where for where, level in before.items() if now.get(where, 0) < level}
        assert not cleared, configuration.settings.workload
        before = now
    assert {code for code, _ in before} == set(codes)


#: Users of whom one task in seven is long: shares are whole users.
CLASSES = [{"name": name, "cpu": cpu, "share": share} for name, cpu, share in (
    ("edit", "0.001 s", 6 / 14), ("read", "0.001 s", 6 / 14), ("index", "30 s", 2 / 14),
)]  # fmt: skip
#: At work without pause, as batch tasks are: one at the processor, where users need 0.1 s, the
#: others at the LAN, where they need 0.02 s.
HEAVY = cs.batch("heavy", cpu="10 s")
LIGHT = [cs.batch(name, ("14:00", "15:00"), cpu="0 s", lan_kb=100) for name in ("one", "two")]


@pytest.mark.parametrize(("codes", "configurations"), rows(__file__, "more_load"))
def test_more_load_never_clears(codes, configurations):
    never_clears(asked(configurations, globals()), codes)


def test_moving_a_task_off_the_peak_is_worth_as_much_whoever_else_runs():
    """What the rule offers for the heavy task is not called useless because of light ones."""
    alone = advisor.review(cs.quiet(batch=[HEAVY])).advice[0]
    review = advisor.review(cs.quiet(batch=[HEAVY, *LIGHT]))
    (found,) = (a for a in review.advice if a.option.change == alone.option.change)
    assert found.effect[0].before == alone.effect[0].before
