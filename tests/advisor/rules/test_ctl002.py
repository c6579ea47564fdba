"""CTL002: writes that a cache could answer."""

import pytest

from advisor import review
from tests.advisor.cases import ask, below, case_with
from tests.advisor.configurations import example, quiet
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
        (option,) = finding.options
        assert option.change.settings == ((("disk", "cache", "write_back"), True),)


def test_a_cache_that_is_there_is_passed():
    configuration = quiet(disk={"raid": "raid5", "cache": {"write_back": True}})
    assert ask("CTL002", case_with(configuration, disk=0.9)) == []


def test_no_gain_is_promised_that_nobody_measured():
    """Without a share of writes that are replaced the drives have as much to do."""
    found = review(quiet(user={"disk_kb": 4000}))
    (tried,) = (a for a in (*found.advice, *found.rejected) if a.rule == "CTL002")
    assert tried.rejected
    assert all(e.change.mid == 0.0 for e in tried.effect)


def test_with_shares_given_the_model_shows_what_it_brings():
    with_cache = quiet(
        user={"disk_kb": 4000}, disk={"cache": {"write_back": True, "rewritten": "50 %"}}
    )
    busy = [
        review(each).outlook.response_time("edit").mid
        for each in (with_cache, quiet(user={"disk_kb": 4000}))
    ]
    assert busy[0] < busy[1]
