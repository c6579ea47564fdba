"""One model at three loads: no penalty in 1995, 10 to 20 % in 1997, mirrors in 2000."""

import runpy

import pytest

from tests.advisor.configurations import EXAMPLES

EXAMPLE = str(EXAMPLES / "raid_three_loads.py")


@pytest.fixture(scope="module")
def story():
    """The names of the example, after it ran."""
    return runpy.run_path(EXAMPLE)


def test_1995(story):
    """The channel carried 4 % of its limit (71 of 1,700 KB/s); 1569 s with and without RAID 5."""
    assert story["volume"] / story["limit_1995"] == pytest.approx(0.04, abs=0.005)
    assert 0.0 <= story["penalty"]("raid5", 1) < 0.5


def test_1997(story):
    """10 to 20 % slower than RAID 0, at a load where RAID 0 itself is far from saturated."""
    found = [story["penalty"]("raid5", groups) for groups in range(16, 21)]
    assert found == sorted(found)
    assert found[0] < 10 < 20 < found[-1]
    assert story["solved"]("raid0", 20)[1] < 0.5


def test_2000(story):
    """Mirrors carry more users than parity: 2 operations for a write against 4."""
    most = story["most"]
    assert most["raid5"] < most["raid10"] < most["raid0"]
    # At half writes a drive does 1.5 operations for one on mirrors, 2.5 on RAID 5.
    assert most["raid10"] / most["raid5"] == pytest.approx(2.5 / 1.5, rel=0.1)
