"""LAN001: the busiest segment carries 60 % of what it can."""

import pytest

from advisor.engine import case_of
from calibration.printed_tables.table import load_table
from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import example
from tests.advisor.speaking import NETBENCH


@pytest.mark.parametrize(("row", "given"), [("10_4", None), ("10_10", None), ("10_10", 0.933)])
def test_clients_move_what_table_3_measured_also_where_nobody_gives_a_usable_share(row, given):
    """Table 3 of 1997: 9.3 and 9.4 Mb/s; with the TechNote's 70 % for short frames it was 7.2."""
    table = load_table("groupwise52/table_3")
    configuration = example(
        NETBENCH,
        lan={"usable_share": given},
        workload={"users": int(table.cell(row, "clients").value)},
    )
    rate = case_of(configuration).outlook.throughput
    megabits = table.cell(row, "throughput").value * 1e-6 * 8.0
    assert 8.0 * rate.low < megabits < 8.0 * rate.high


def test_the_share_of_the_nominal_rate_is_what_the_clients_move():
    """Table 3: 9.4 Mb/s of 10 with ten clients."""
    (found,) = ask("LAN001", example(NETBENCH))
    share = next(e for e in found.evidence if e.metric == "share of the nominal LAN rate")
    assert share.value == pytest.approx(94, abs=1)


def test_a_switch_ends_collisions_and_no_more():
    found = reviewed("LAN001", example(NETBENCH))
    tried = (*found.advice, *found.rejected)
    (switch,) = (a for a in tried if "switch" in a.option.change.title)
    (faster,) = (a for a in tried if "100 Mb/s" in a.option.change.title)
    assert -0.07 < switch.effect[0].change.mid < 0.0
    assert faster.effect[0].change.mid < -0.85
