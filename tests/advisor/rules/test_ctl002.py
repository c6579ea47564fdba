"""CTL002: writes that a cache could answer."""

import pytest

from advisor.planning.alternatives import whatif
from tests.advisor.cases import ask, below, case_with, reviewed
from tests.advisor.configurations import example, measured, quiet
from tests.advisor.speaking import NETBENCH


def test_the_paper_s_own_server_gets_its_split_as_documented():
    (found,) = ask("CTL002", example(NETBENCH))
    said = {e.metric: e.value for e in found.evidence if e.how == "measured"}
    assert said == {
        "drive over cache, time of an access": 100.0,
        "best share of cache for reads": 75.0,
        "best share of cache for writes": 25.0,
    }


@pytest.mark.parametrize(
    ("raid", "share", "fires"),
    [("raid5", below(0.40), False), ("raid5", 0.40, True), ("raid10", 0.90, False)],
)
def test_boundary(raid, share, fires):
    found = ask("CTL002", case_with(quiet(disk={"raid": raid}), disk=share))
    assert bool(found) is fires
    for finding in found:
        assert not [e for e in finding.evidence if e.how == "measured"]
        assert finding.options == ()
        assert "disk.cache.rewritten" in finding.message


def test_what_it_says_to_try_can_be_tried():
    """Half of the writes replaced: the drives have less to do."""
    configuration = quiet(user={"disk_kb": 4000})
    (found,) = ask("CTL002", configuration)
    assert "disk.cache.write_back=true" in found.message
    tried = ("disk.cache.write_back=true", "disk.cache.rewritten=50 %")
    (alternative,) = whatif(configuration, {"a cache": tried}).alternatives
    busy = next(d for d in alternative.differences if (d.quantity, d.of) == ("utilization", "disk"))
    assert busy.difference.mid < -0.01


def test_drives_that_idle_have_nothing_to_gain():
    """On the paper's system too, where somebody says what its load asks of the drives."""
    own = {"name": "mail", "cpu": "10 ms", "disk_kb": 10, "lan_kb": 10}
    configuration = example(NETBENCH, workload={"class": [own], "users": 2, "think_time": "5 s"})
    assert ask("CTL002", configuration) == []


def test_a_cache_that_is_there_is_passed():
    configuration = quiet(disk={"raid": "raid5", "cache": {"write_back": True}})
    assert ask("CTL002", case_with(configuration, disk=0.9)) == []


def test_no_gain_is_promised_that_nobody_measured():
    """Without a share of writes that are replaced the drives have as much to do."""
    found = reviewed("CTL002", quiet(user={"disk_kb": 4000}))
    every = (*found.advice, *found.trades, *found.rejected)
    assert not [a for a in every if a.rule == "CTL002"]


def test_drives_without_work_on_another_system_hear_nothing_of_it():
    assert ask("CTL002", case_with(measured(), disk=0.0)) == []
