"""CTL003: the disk channel carries 60 % of its rate."""

import pytest

from advisor.engine import case_of
from tests.advisor.cases import ask, reviewed
from tests.advisor.configurations import RECOMMENDED, example, measured
from tests.advisor.speaking import SPEAKING, searching


def test_twice_the_rate_is_offered_and_solved():
    configuration = SPEAKING["CTL003"]()
    (found,) = ask("CTL003", configuration)
    (option,) = found.options
    assert option.change.settings == ((("disk", "channel_rate"), "0.2 MB/s"),)
    (advice,) = (a for a in reviewed("CTL003", configuration).advice if a.rule == "CTL003")
    assert advice.effect[0].change.mid < -0.01


def test_the_limit_of_1995_is_held_against_the_volume():
    """One search on 16 KB blocks takes 55 % of 1,700 KB/s (Table 4-8); four at once take more."""
    assert ask("CTL003", searching()) == []
    configuration = measured(
        disk={"raid": "raid0", "stripe": "64 KB", "drives": 8},
        server={"processor": "Pentium/100"},
        workload={"users": 4},
        user={"name": "search"},
    )
    (found,) = ask("CTL003", configuration)
    case = case_of(configuration)
    search = case.outlook.classes[0].throughput.mid
    volume = case.tasks["search"].disk_volume_at(64 * 1024.0)
    assert found.evidence[0].value == pytest.approx(search * volume / 1.7e6 * 100)
    assert not found.options  # without disk.channel_rate the model has no channel


def test_editing_leaves_the_channel_alone():
    assert ask("CTL003", example(RECOMMENDED)) == []
