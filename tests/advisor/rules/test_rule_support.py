"""What rules share, one number each."""

from math import inf

import pytest

from advisor.findings.words import MIB
from advisor.planning.effects import relative_change
from advisor.predicting.overload import offered_loads
from advisor.rule_support.evidence import change, printed
from advisor.rule_support.rule import Rule, documented
from advisor.rule_support.shared_options import next_size
from advisor.rules.test002_short_test import needed
from advisor.scheduling.day import Day
from qmodel import Network, OpenClass, QueueingStation


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (printed("notes31/table_4_2", "raid5", "response_time", "time with RAID 5").value, 1569.0),
        (
            round(change("notes31/table_4_1", "one_drive", "four_drives", "response_time"), 3),
            -0.043,
        ),
        (Rule.of("cap002_headroom", "", "", iter).slug, "headroom"),
        (documented("storage 20 % less"), "documented, not modelled: storage 20 % less"),
        (
            [next_size(need * MIB) / MIB for need in (1, 64, 65, 111.6, 800)],
            [1.0, 64.0, 96.0, 128.0, 1024.0],
        ),
        ((round(needed(0.5)), round(needed(0.8))), (18440, 138298)),
        (
            [relative_change(a, b) for a, b in ((2.0, 3.0), (inf, 3.0), (inf, inf))],
            [0.5, -1.0, 0.0],
        ),
        (
            offered_loads(Network([QueueingStation("cpu", 8)], [OpenClass("x", 600.0)], [[0.02]])),
            [1.5],
        ),
        (Day(60, (1.0,) * 24, (5,) * 24).covered(23 * 60 + 30, 60), (23, 0)),
    ],
)
def test_a_shared_number(found, expected):
    assert found == expected
