"""CPU003: a promised time that passes at the workstation."""

import pytest

from tests.advisor.cases import ask
from tests.advisor.configurations import AS_TESTED, example, quiet


def test_the_paper_s_server_leaves_two_thirds_to_the_workstation():
    (found,) = ask("CPU003", example(AS_TESTED))
    assert (found.level, found.state, found.key) == (
        "note",
        "symptom",
        ("targets", "response_time"),
    )
    time, share = found.evidence
    assert time.value == pytest.approx(1035, abs=1)
    assert time.threshold == 1600
    assert share.value == pytest.approx(time.value / 16)
    assert not found.options


@pytest.mark.parametrize(("target", "level"), [("1030 s", "error"), ("1040 s", "note")])
def test_no_server_meets_what_the_workstation_alone_takes(target, level):
    (found,) = ask("CPU003", example(AS_TESTED, targets={"response_time": target}))
    assert found.level == level


def test_boundary_of_half_the_target():
    """1035 s are half of 2070 s; so many users miss both targets."""
    for target, fires in (("2060 s", True), ("2080 s", False)):
        configuration = example(
            AS_TESTED, workload={"users": 40}, targets={"response_time": target}
        )
        assert bool(ask("CPU003", configuration)) is fires


def test_demands_without_a_workstation_are_the_server_s():
    configuration = quiet(user={"cpu": "5 s"}, targets={"response_time": "1 s"})
    assert ask("CPU003", configuration) == []
