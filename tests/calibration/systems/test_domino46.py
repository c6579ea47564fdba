"""The article of 1997 and its text; one model of mirrors and parity at three loads."""

import runpy

import pytest

from calibration.agreements.agreement import agreement
from calibration.systems import load_system
from calibration.systems.domino46.encryption import surcharge
from calibration.systems.domino46.workload import reference, user
from scripts.paper_agreement.domino46_encryption import rise
from tests.advisor.configurations import EXAMPLES


def test_encryption_raises_utilization_by_nearly_its_surcharge_at_every_load():
    assert (surcharge().low, surcharge().mid, surcharge().high) == (0.05, 0.075, 0.10)
    for users in (500, 800, 1000):
        # A closed network never gains throughput from more work, and loses little below 60 %.
        assert 0.98 * 0.10 < rise(users, 0.10) < 0.10
    assert rise(1000, 0.10) < rise(500, 0.10)
    assert rise(3000, 0.10) < 0.01


def test_the_factor_of_two_is_predicted_and_the_baseline_is_not():
    (factor,) = (c for c in agreement(load_system("domino46")).comparisons if c.status != "fitted")
    assert factor.inside
    assert factor.error == 0.0
    assert factor.error_of(dict(factor.baselines)["all processors"]) == pytest.approx(-0.5)


def test_a_users_demand_is_what_sixty_per_cent_of_three_processors_leave():
    assert user().cpu == pytest.approx(0.60 * 3 / 1000)
    assert reference().processors == 3


def test_memory_is_a_megabyte_for_each_user():
    assert load_system("domino46").memory_per_user.value == 1024.0**2


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
