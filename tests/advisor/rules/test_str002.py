"""STR002: a block larger than the stripe unit."""

import pytest

from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import quiet


@pytest.mark.parametrize(
    ("block", "fires"), [(None, False), ("16 KB", False), ("17 KB", True), ("64 KB", True)]
)
def test_boundary(block, fires):
    found = ask("STR002", quiet(disk={"block": block}))
    assert bool(found) is fires


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


@pytest.mark.parametrize(
    ("block", "stripe", "said"),
    [("64 KB", "16 KB", "4 stripe units of 16 KB"), ("64 KB", "12.5 KB", "6 stripe units of 12.5")],
)
def test_it_says_how_many_pieces_a_block_falls_into(block, stripe, said):
    (found,) = ask("STR002", quiet(disk={"block": block, "stripe": stripe}))
    assert found.message.startswith(f"a block of 64 KB falls into {said}")
    (evidence,) = found.evidence
    assert (evidence.value, evidence.threshold) == (float(stripe.removesuffix(" KB")), 64.0)
