"""Whatever figure is put in, a device refuses it or gives a finite number that is not negative."""

from itertools import product
from math import inf, isfinite, nan

import pytest

from qmodel import InvalidInput
from qmodel.devices import (
    buffer_pool,
    controller_cache,
    disk,
    drive_capacity,
    frames,
    lan,
    memory_limit,
    paging,
    processor,
    raid,
    raid_failure,
    ssd,
)
from qmodel.devices.raid import LEVELS

DISK = disk.Disk(0.01, 0.01, 4e6)
SSD = ssd.SolidStateDrive(1e-4, 5e-5, 5e8, 11)
CACHE = controller_cache.ControllerCache(0.5, True, 0.5, 0.5, 4.0)
LIFETIME = paging.Lifetime(1e6, 0.02, 4e6)
CALLS = [
    (processor.speed_ratio, (1.5, 1.0, 0.5)), (processor.memory_share, (1.5, 1.0, 1.2)),
    (processor.processor_demand, (1.0, 2.0, 0.1)), (processor.thread_rates, (4, 1.21)),
    (DISK.random_time, (4096.0,)), (DISK.sequential_time, (4096.0,)),
    (lambda *a: disk.Disk(*a).random_time(4096.0), (0.01, 0.01, 4e6)),
    (SSD.lone_time, (4096.0, 0.5)), (SSD.capacity, (4096.0, 0.5)), (SSD.servers, (4096.0,)),
    (SSD.service_time, (4096.0, 0.5, 11)),
    (lambda *a: ssd.SolidStateDrive(*a).lone_time(4096.0), (1e-4, 5e-5, 5e8, 11)),
    *((level.operations, (4, 10.0, 5.0)) for level in LEVELS.values()),
    (LEVELS["raid5"].usable_share, (4,)),
    (lambda *a: raid_failure.degraded_operations(LEVELS["raid5"], *a), (4, 10.0, 5.0)),
    (lambda *a: raid_failure.degraded_operations(LEVELS["raid10"], *a), (4, 10.0, 5.0)),
    (raid_failure.rebuild_time, (1e12, 1e8, 0.5)), (raid.array_shares, (3, 0.3)),
    (lambda a, b: raid.drive_operations([(a,), (b,)], (0.5, 0.5)), (1.0, 2.0)),
    (drive_capacity.RAID_1E_MAIL.capacity, (5,)),
    (drive_capacity.RAID_1E_MAIL.drives_for, (3000.0,)), (CACHE.reads, (10.0,)),
    (CACHE.writes, (10.0,)),
    (lambda *a: controller_cache.ControllerCache(a[0], True, *a[1:]).reads(1.0),
     (0.5, 0.5, 0.5, 4.0)),
    (lambda *a: buffer_pool.PowerLawMisses(*a).miss(1e6), (1e6, 0.5, 0.5, 0.1)),
    (buffer_pool.PowerLawMisses(1e6, 0.5).miss, (1e6,)), (buffer_pool.disk_volume, (1e6, 0.5, 0.5)),
    (lambda *a: paging.Lifetime(*a).faults(1.0, 1e6), (1e6, 0.02, 4e6, 1.0)),
    (LIFETIME.faults, (1.0, 1e6)),
    (lambda *a: paging.paging_volume(LIFETIME, *a), (1.0, 16e6, 8, 4096.0, 0.5)),
    (memory_limit.most_active, (128e6, 30e6, 2e6)), (lan.transfer_time, (1e6, 1e7, 0.7)),
    (lambda *a: lan.Segment(a[0], frame=a[1]).time(1e6), (1e7, 1538.0)), (lan.acquisition, (10,)),
    (lan.efficiency, (1538.0, 10, 64.0)), (lan.saturated_efficiency, (1538.0, 64.0)),
    (lan.frame_of_share, (0.7, 64.0)), (frames.wire_bytes, (1e4, 40.0, 1500.0, 0.5)),
    (frames.frame_count, (1e4, 40.0, 1500.0)),
]  # fmt: skip
BAD = (nan, inf, -inf, -1.0, 0.0, 1e-300, 1e300)
EACH = pytest.mark.parametrize(("call", "arguments"), CALLS, ids=range(len(CALLS)))


def numbers(found):
    return found if isinstance(found, tuple) else (found,)


@EACH
def test_good_figures_give_good_numbers(call, arguments):
    assert all(isfinite(number) and number >= 0 for number in numbers(call(*arguments)))


@EACH
def test_bad_figures_give_no_bad_numbers(call, arguments):
    for i, bad in product(range(len(arguments)), BAD):
        changed = [*arguments[:i], bad, *arguments[i + 1 :]]
        try:
            found = call(*changed)
        except InvalidInput:
            continue
        assert all(number >= 0 for number in numbers(found)), (changed, found)  # NaN is not
