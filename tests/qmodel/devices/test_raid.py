"""RAID against published numbers, by counting, and at its limits."""

import pytest

from qmodel import InvalidInput
from qmodel.devices.drive_capacity import RAID_1E_MAIL, CapacityLaw, crowded  # noqa: F401, named in the table
from qmodel.devices.raid import LEVELS, array_shares, drive_operations
from qmodel.devices.raid_failure import degraded_operations, rebuild_time
from tests.tables import asked, rows


def test_space_of_the_1997_paper():
    """67 % with three drives, 93 % with fourteen; mirrors leave 50 %."""
    assert [round(LEVELS["raid5"].usable_share(n) * 100) for n in (3, 14)] == [67, 93]
    assert LEVELS["raid1"].usable_share(2) == 0.5
    assert LEVELS["raid0"].usable_share(1) == 1.0


@pytest.mark.parametrize("drives", [3, 4, 5, 8, 16, 25])
def test_throughput_per_drive_of_chen_and_others(drives):
    """Their table 1, relative to RAID 0 of the same cost, for a parity group of G drives: reads 1;
    space 1/2 mirrored, (G - 1)/G with one parity, (G - 2)/G with two."""
    assert LEVELS["raid5"].usable_share(drives) == pytest.approx((drives - 1) / drives)
    if drives > 3:
        assert LEVELS["raid6"].usable_share(drives) == pytest.approx((drives - 2) / drives)
    for name in ("raid0", "raid5"):
        assert sum(LEVELS[name].operations(drives, 12.0, 0.0)) == pytest.approx(12.0)


def test_small_write_costs_by_level():
    costs = {name: sum(LEVELS[name].operations(6, 0.0, 1.0)) for name in LEVELS}
    assert costs == pytest.approx(
        {"raid0": 1, "raid1": 2, "raid1e": 2, "raid10": 2, "raid4": 4, "raid5": 4, "raid6": 6}
    )


def test_the_parity_drive_of_raid4_is_the_bottleneck_of_writes_only():
    *data, parity = LEVELS["raid4"].operations(5, reads=0.0, writes=100.0)
    assert parity == 200.0
    assert parity > 3 * max(data)
    *data, parity = LEVELS["raid4"].operations(5, reads=100.0, writes=0.0)
    assert (parity, data) == (0.0, [25.0] * 4)
    # RAID 5 spreads the same work.
    assert sum(LEVELS["raid5"].operations(5, 0.0, 100.0)) == pytest.approx(200.0 + 4 * 50.0)


def test_reads_double_on_the_survivors_of_raid5():
    """Muntz and Lui 1990: the load of reads on each survivor is twice the usual."""
    for drives in (3, 5, 14):
        usual = LEVELS["raid5"].operations(drives, 100.0, 0.0)[0]
        assert degraded_operations(LEVELS["raid5"], drives, 100.0, 0.0) == pytest.approx(
            [2 * usual] * (drives - 1)
        )


def by_counting(name, drives, reads, writes):
    """Every block of a whole turn of the parity, drive 0 missing (of RAID 4, drive 0 of data)."""
    found = [0.0] * drives
    blocks = 0
    for stripe in range(drives if name == "raid5" else 1):
        parity = (drives - 1 - stripe) % drives if name == "raid5" else drives - 1
        for drive in set(range(drives)) - {parity}:
            blocks += 1
            others = set(range(drives)) - {drive}
            for each in others if drive == 0 else {drive}:
                found[each] += reads
            if drive == 0:  # read the rest of the data, write the parity
                for each in others - {parity}:
                    found[each] += writes
                found[parity] += writes
            elif parity == 0:
                found[drive] += writes
            else:
                found[drive] += 2 * writes
                found[parity] += 2 * writes
    assert found[0] == 0.0
    return [each / blocks for each in found[1:]]


@pytest.mark.parametrize("name", ["raid4", "raid5"])
@pytest.mark.parametrize(("reads", "writes"), [(1.0, 0.0), (0.0, 1.0), (0.7, 0.3)])
@pytest.mark.parametrize("drives", [3, 4, 7])
def test_a_failed_drive_by_counting(name, drives, reads, writes):
    assert degraded_operations(LEVELS[name], drives, reads, writes) == pytest.approx(
        by_counting(name, drives, reads, writes)
    )


def test_the_other_copy_takes_the_reads_of_the_one_that_is_gone():
    for name in ("raid1", "raid10", "raid1e"):
        survivors = degraded_operations(LEVELS[name], 6, 120.0, 0.0)
        assert sum(survivors) == pytest.approx(120.0)
        assert len(survivors) == 5
    assert degraded_operations(LEVELS["raid1"], 2, 10.0, 10.0) == (20.0,)


def test_two_parities_survive_more_cheaply_for_reads_than_for_writes():
    one = degraded_operations(LEVELS["raid6"], 6, 60.0, 0.0)
    assert len(one) == 5
    # Of 60 reads, 10 miss their drive and take 4 others each.
    assert sum(one) == pytest.approx(50 + 10 * 4)
    # Of 60 writes 10 miss data (3 reads, 2 parities), 20 miss a parity (4), 30 nothing (6).
    assert sum(degraded_operations(LEVELS["raid6"], 6, 0.0, 60.0)) == pytest.approx(
        10 * 5 + 20 * 4 + 30 * 6
    )


def test_a_rebuild_takes_longer_beside_users():
    assert rebuild_time(4e12, 160e6) == pytest.approx(25_000)
    assert rebuild_time(4e12, 160e6, 0.75) == pytest.approx(100_000)


def test_several_arrays():
    """The 2000 study: 5 arrays grew 24 to 29 % unevenly, 2 arrays 3 to 6 %; one cannot."""
    for arrays, spread in ((5, 0.29), (2, 0.06)):
        shares = array_shares(arrays, spread)
        assert sum(shares) == pytest.approx(1.0)
        assert shares[0] / shares[-1] - 1 == pytest.approx(spread)
    assert array_shares(1, 0.29) == (1.0,)
    even = drive_operations([LEVELS["raid1e"].operations(5, 10.0, 0.0)] * 2, array_shares(2))
    assert even == pytest.approx(LEVELS["raid1e"].operations(10, 10.0, 0.0))


def test_the_drives_for_a_capacity_are_those_that_have_it():
    """The law is held against its table in `tests/calibration/systems/test_domino5_raid.py`."""
    assert [n for n in range(1, 12) if RAID_1E_MAIL.extrapolated(n)] == [1, 10, 11]
    for drives in range(1, 40):
        assert RAID_1E_MAIL.drives_for(RAID_1E_MAIL.capacity(drives)) == drives


@pytest.mark.parametrize("drives", range(1, 11))
def test_an_array_worth_fewer_drives_is_full_as_soon_as_the_law_says(drives):
    """Its work stays the same, and the busiest drive has it in proportion to the law's capacity."""
    found = crowded((6.0 / drives,) * drives, drives**-0.5)
    assert sum(found) == pytest.approx(6.0)
    assert max(found) == pytest.approx(6.0 / drives**0.5)
    assert len(found) == drives
    assert list(found) == sorted(found, reverse=True)


def test_drives_that_are_all_worth_something_keep_their_operations():
    assert crowded((1.0, 3.0, 2.0), 1.0) == (3.0, 2.0, 1.0)


@pytest.mark.parametrize(("call", "text"), rows(__file__, "what_no_array_can_be"))
def test_what_no_array_can_be(call, text):
    with pytest.raises(InvalidInput, match=text):
        asked(call, globals())
