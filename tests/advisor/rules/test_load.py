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


SPEEDS = 4.0, 2.0, 1.0, 0.5, 0.25
TARGETS = {"response_time": "1400 s", "utilization": "70 %"}


def test_users_of_the_measured_system():
    counts = (1, 5, 10, 14, 15, 16, 17, 18, 22, 30, 40)
    never_clears(
        [
            cs.measured(
                disk={"raid": "raid0"},
                workload={"users": users},
                targets=TARGETS,
                batch=[cs.batch("index", task="create_index")],
            )
            for users in counts
        ],
        ["CAP001", "CPU001", "RAID001", "SCH001", "TGT001"],
    )


@pytest.mark.parametrize(("user", "codes"), [
    ({"cpu": "1 s"}, ["CAP001", "TGT001"]),
    ({"disk_kb": 4000}, ["CAP001", "DSK001", "RAID001", "TGT001"]),
    ({"lan_kb": 1000}, ["CAP001", "LAN001", "TGT001"]),
])  # fmt: skip
def test_users_at_each_bottleneck(user, codes):
    targets = {"response_time": "3 s", "utilization": "70 %"}
    never_clears(
        [cs.quiet(user=user, workload={"users": n}, targets=targets) for n in range(1, 41, 6)],
        codes,
    )


@pytest.mark.parametrize(
    ("codes", "configurations"), rows(__file__, "users_of_whom_other_rules_speak")
)
def test_users_of_whom_other_rules_speak(codes, configurations):
    never_clears(asked(configurations, globals()), codes)


def test_users_of_three_classes():
    """Shares of users are whole users; rounding must not take anybody away when one more comes."""
    classes = [
        {"name": "edit", "cpu": "0.001 s", "share": 6 / 14},
        {"name": "read", "cpu": "0.001 s", "share": 6 / 14},
        {"name": "index", "cpu": "30 s", "share": 2 / 14},
    ]
    targets = {"response_time": "40 s", "utilization": "80 %"}
    never_clears(
        [cs.quiet(workload={"users": n, "class": classes}, targets=targets) for n in range(3, 22)],
        ["CAP001", "TGT001"],
    )


def test_arrivals():
    rates = [f"{rate / 10} /s" for rate in range(1, 10)]
    targets = {"response_time": "3 s", "utilization": "70 %"}
    never_clears(
        [
            cs.quiet(workload={"arrival_rate": rate}, user={"cpu": "1 s"}, targets=targets)
            for rate in rates
        ],
        ["CAP001", "TGT001"],
    )


#: At work without pause, as batch tasks are: one at the processor, where users need 0.1 s, the
#: others at the LAN, where they need 0.02 s.
HEAVY = cs.batch("heavy", cpu="10 s")
LIGHT = [cs.batch(name, ("14:00", "15:00"), cpu="0 s", lan_kb=100) for name in ("one", "two")]


def test_more_batch_tasks():
    """A heavy task at one hour; light ones join at another, where nobody would notice them."""
    targets = {"response_time": "0.25 s"}
    never_clears(
        [cs.quiet(batch=[HEAVY, *LIGHT[:count]], targets=targets) for count in range(3)],
        ["SCH001", "TGT001"],
    )


def test_longer_batch_tasks():
    """From a window that ends where the peak starts to one that covers all of it."""
    ends = ("08:00", "08:01", "08:10", "09:00", "12:00", "18:00", "06:00")
    targets = {"response_time": "0.25 s"}
    never_clears(
        [cs.quiet(batch=[{**HEAVY, "window": ["07:00", end]}], targets=targets) for end in ends],
        ["SCH001", "TGT001"],
    )


def test_moving_a_task_off_the_peak_is_worth_as_much_whoever_else_runs():
    """What the rule offers for the heavy task is not called useless because of light ones."""
    alone = advisor.review(cs.quiet(batch=[HEAVY])).advice[0]
    review = advisor.review(cs.quiet(batch=[HEAVY, *LIGHT]))
    (found,) = (a for a in review.advice if a.option.change == alone.option.change)
    assert found.effect[0].before == alone.effect[0].before


def test_a_task_that_users_feel_more_does_not_hide_one_that_fills_the_processor():
    """Users live at the drives: a task there is felt, a task at the processor misses the target."""
    users = {"cpu": "0.02 s", "disk_kb": 160, "write_share": 0}
    fills = cs.batch("fills", cpu="10 s")
    felt = cs.batch("felt", ("14:00", "15:00"), cpu="0.3 s", disk_kb=160, lan_kb=400, write_share=0)
    never_clears(
        [
            cs.quiet(user=users, batch=tasks, targets={"utilization": "95 %"})
            for tasks in ([fills], [fills, felt])
        ],
        ["SCH001", "TGT001"],
    )


def test_a_slower_part_never_clears_a_warning():
    base = cs.quiet(user={"cpu": "1 s"}, targets={"response_time": "2 s"}).data
    never_clears(
        [
            cs.configured(cs.varied(base, server={"cpu_speed": s}))
            for s in (4.0, 2.0, 1.0, 0.5, 0.2)
        ],
        ["CAP001", "TGT001"],
    )
