"""CPU002: processors busy 60 % with the users alone; one more of them, or faster ones."""

import pytest

from advisor.engine import case_of
from advisor.rules.cpu002_more_processors import COUNTS, FASTER
from tests.advisor.cases import ask, case_with
from tests.advisor.configurations import EXAMPLES, batch, example, quiet
from tests.advisor.speaking import SPEAKING

BUSY = {"server": {"cpus": 3}, "workload": {"users": 30}, "user": {"cpu": "1 s"}}


def offered(configuration):
    """Number and speed that are offered."""
    (found,) = ask("CPU002", configuration)
    changes = dict(setting for option in found.options for setting in option.change.settings)
    return changes.get(("server", "cpus")), changes.get(("server", "cpu_speed"))


def test_the_least_that_is_enough_is_offered():
    """By brute force: what is offered is enough, and the step before it is not."""
    configuration = SPEAKING["CPU002"]()
    count, speed = offered(configuration)

    def enough(**server):
        changed = quiet(server={"cpus": 3, **server}, workload={"users": 30}, user={"cpu": "1 s"})
        return case_of(changed).outlook.resource("cpu").utilization.mid < 0.60

    for key, steps, chosen in (("cpus", COUNTS, count), ("cpu_speed", FASTER, speed)):
        before = max((each for each in steps if each < chosen), default=None)
        assert enough(**{key: chosen})
        assert before is None or not enough(**{key: before})


@pytest.mark.parametrize(
    ("target", "words"), [("85 %", "to keep cpu below 60 %"), ("82 %", "to meet the targets")]
)
def test_missed_targets_decide_before_the_threshold(target, words):
    configuration = quiet(**BUSY, targets={"utilization": target})
    (found,) = ask("CPU002", configuration)
    assert f"offered is the least {words}" in found.message
    assert offered(configuration) == ((6, 1.75) if "below" in words else (4, 1.1))


def test_where_no_step_is_enough_the_first_is_offered_and_it_says_so():
    """A target that the think time alone forbids; more processors than eight times as many."""
    configuration = quiet(server={"cpus": 1}, workload={"users": 2000}, user={"cpu": "1 s"})
    (found,) = ask("CPU002", configuration)
    assert "no step that was tried is enough" in found.message
    assert offered(configuration) == (2, 1.1)


def test_processors_of_the_catalogue_are_the_steps_where_it_is_followed():
    configuration = example(EXAMPLES / "new_server.toml", workload={"users": 700})
    (found,) = ask("CPU002", configuration)
    settings = [option.change.settings for option in found.options]
    assert settings == [((("server", "cpus"), 2),), ((("server", "processor"), "server 16 cores"),)]
    for option in found.options:
        after = case_of(option.change.apply(configuration)).outlook
        assert after.resource("cpu").utilization.mid < 0.60


def test_another_bottleneck_is_left_to_other_rules():
    assert ask("CPU002", case_with(cpu=0.70, disk=0.75)) == []


def test_batch_tasks_at_the_peak_are_no_reason_to_buy():
    assert ask("CPU002", quiet(batch=[batch(cpu="10 s")])) == []
