"""STR001 and STR002: blocks smaller than recommended, or larger than the stripe unit."""

import pytest

from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import example, measured, quiet
from tests.advisor.speaking import NETBENCH, searching


def editing(users: int = 10, **disk):
    return measured(disk={"raid": "raid0", **disk}, workload={"users": users})


def test_the_measured_savings_are_those_of_the_tables():
    (found,) = ask("STR001", editing(stripe="4 KB"))
    values = [e.value for e in found.evidence if e.how == "computed"]
    assert values == pytest.approx([-1.35, -8.70, 0.25], abs=0.005)


def test_a_search_gains_what_was_measured_and_the_small_block_is_recommended():
    """Table 4-8: 92 to 84 s, -8.7 %; 64 KB were never measured with this load."""
    found = reviewed("STR001", searching(stripe="4 KB"))
    small, large = (
        next(
            a
            for a in (*found.advice, *found.rejected)
            if f"blocks of {size} KB" in a.option.change.title
        )
        for size in (16, 64)
    )
    assert not small.rejected
    assert small.effect[0].change.low <= -0.087 <= small.effect[0].change.high
    assert "no block over 32 KB was measured" in large.rejected


def test_beside_a_full_processor_blocks_do_not_matter():
    """Twenty editing users: the model says 0.4 %, which nobody would notice."""
    found = reviewed("STR001", editing(20, stripe="4 KB"))
    (small,) = (
        a for a in (*found.advice, *found.rejected) if "blocks of 16 KB" in a.option.change.title
    )
    assert abs(small.effect[0].change.mid) < 0.01


def test_the_claim_of_1997_is_passed_on_and_not_promised():
    found = reviewed("STR001", example(NETBENCH, disk={"stripe": "16 KB"}))
    (located,) = (f for f in found.findings if f.rule == "STR001")
    assert located.finding.state == "no-evidence"
    assert [e.value for e in located.finding.evidence if e.how == "measured"] == [100.0]
    (advice,) = (a for a in (*found.advice, *found.rejected) if a.rule == "STR001")
    assert advice.rejected


def test_a_stripe_of_a_whole_block_takes_one_operation():
    """One positioning for 64 KB instead of four."""
    configuration = quiet(disk={"block": "64 KB"}, user={"disk_kb": 800})
    found = reviewed("STR002", configuration)
    (advice,) = (a for a in found.advice if a.rule == "STR002")
    assert advice.option.change.settings == ((("disk", "stripe"), "64 KB"),)
    busy = next(e for e in advice.effect if e.metric == "utilization of disk")
    # Seek and half a turn of 15.6 ms for each piece; 4.1 ms of transfer, or four times as much.
    time = [0.010 + 60 / 5400 / 2 + kib * 1024 / 4e6 for kib in (16, 64)]
    demand = [size / 16 * each for size, each in ((16, time[0]), (4, time[1]))]
    assert demand[1] / demand[0] < 0.5
    assert busy.change.mid < -0.4
    assert ask("STR002", advice.option.change.apply(configuration)) == []
