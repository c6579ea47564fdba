"""What the models of groupwise52 say of published numbers: disk."""

from collections.abc import Iterator
from functools import partial

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.published import Published, published
from calibration.estimation.interval import Range
from calibration.printed_tables.table import load_table
from calibration.systems.groupwise52.disk import DRIVE, NOISE, greatest_disk_share
from qmodel.devices.raid import LEVELS

#: The runs of 1995 behind the share at the drives.
SEARCHES = ("notes31/table_4_1:one_drive", "notes31/table_4_1:four_drives")
#: All that is said of the drives was seen by no fit.
_compared = partial(Comparison, subject="drives", case="", status="held out")
_SPACE = (
    ("raid5_usable_3", "raid5", 3, 0.0),
    ("raid5_usable_14", "raid5", 14, 0.0),
    ("raid1_overhead", "raid1", 2, 100.0),
)


def relative_time(share: float, drives: int, work: float = 1.0) -> float:
    """Time with several drives over that with one drive and RAID 0. [1]

    ``share`` is that of the time with one drive which is spent there [1], ``work`` the physical
    operations for each logical one.

    Examples
    --------
    >>> relative_time(0.5, drives=4), relative_time(0.5, drives=4, work=4.0)
    (0.625, 1.0)
    """
    return 1.0 - share + share * work / drives


def compare() -> Iterator[Comparison]:
    """Space, spindles, fault tolerance, and the speed of the cache."""
    for row, level, drives, whole in _SPACE:
        usable = LEVELS[level].usable_share(drives) * 100.0
        share = abs(whole - usable)
        number = published("groupwise52/claims", row, "value")
        yield _compared(
            published=number,
            metric="usable space" if not whole else "space for fault tolerance",
            model="RAID geometry",
            predicted=Range(share - number.half_unit, share, share + number.half_unit),
            baselines=(("half", 50.0),),
        )
    yield _spindles()
    yield _fault_tolerance()
    yield _cache()


def _spindles() -> Comparison:
    one = published("groupwise52/table_2", "one_drive", "response_time").value
    number = published("groupwise52/table_2", "eight_drives", "response_time")
    least = relative_time(greatest_disk_share(), drives=8)
    return _compared(
        published=number,
        metric="response time with eight drives",
        model="drives, as in 1995",
        predicted=_response(number, Range(least * one, (least + 1.0) / 2.0 * one, one)),
        fitted_on=tuple(f"{run}:response_time" for run in SEARCHES),
        baselines=(("an eighth of one drive's", one / 8.0), ("one drive's", one)),
        extrapolated="another server and other software",
    )


def _fault_tolerance() -> Comparison:
    """RAID 0 over RAID 5, between a load that hardly waits for the drives and one that only does.

    The load behind the paper's figure is not printed. That of Table 2 would be of the first kind;
    for the second the paper gives the best split of the controller's cache, three parts reads and
    one part writes, as the only word on its operations.
    """
    share = greatest_disk_share()
    work = LEVELS["raid5"].write_operations
    light = relative_time(share, drives=8) / relative_time(share, drives=8, work=work)
    claims = load_table("groupwise52/claims")
    writes = claims.value("accelerator_write_share")
    heavy = 1.0 / (1.0 - writes + writes * work)
    gain = published(claims, "raid0_gain", "value")
    number = gain.converted("1", lambda percent: 1.0 - percent / 100.0)
    middle = ((light + 1.0) / 2.0 + heavy) / 2.0
    return _compared(
        published=number,
        metric="response time of RAID 0 over RAID 5",
        model="light and heavy on the drives",
        predicted=_response(number, Range(heavy, middle, 1.0)),
        fitted_on=tuple(f"{run}:response_time" for run in SEARCHES),
        by_model=(("as in 1995", (light + 1.0) / 2.0), ("nothing but drives", heavy)),
        baselines=(("operations of a small write", 1.0 / work), ("no difference", 1.0)),
        extrapolated="another server and other software",
        note="the load is not printed; that of Table 2 would gain under 3 % (E-G97-05)",
    )


def _cache() -> Comparison:
    """How many times faster the controller's cache is than a drive."""
    bus = load_table("groupwise52/hardware").value("pci_rate")
    ratios = [DRIVE.random_time(size) / (size / bus) for size in (64 * 1024.0, 4 * 1024.0)]
    return _compared(
        published=published("groupwise52/claims", "accelerator_speed", "value"),
        metric="time at the drive over time at the cache",
        model="drive and bus",
        predicted=Range(ratios[0], (ratios[0] * ratios[1]) ** 0.5, ratios[1]),
        note="for operations of 64 KB to 4 KB",
    )


def _response(number: Published, found: Range) -> Range:
    """With the noise of the two measurements that a change of response time takes."""
    noise = (2.0 * (found.mid * NOISE) ** 2 + number.half_unit**2 / 3.0) ** 0.5
    return for_one_more(found, noise)
