"""Whatever figure is put in, a device refuses it or gives a finite number that is not negative."""

from itertools import product
from math import inf, isfinite, nan

import pytest

from qmodel import InvalidInput
from qmodel.devices import (  # noqa: F401, named in the table
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
from tests.tables import asked, rows

DISK = disk.Disk(0.01, 0.01, 4e6)
SSD = ssd.SolidStateDrive(1e-4, 5e-5, 5e8, 11)
CACHE = controller_cache.ControllerCache(0.5, True, 0.5, 0.5, 4.0)
LIFETIME = paging.Lifetime(1e6, 0.02, 4e6)
CALLS = [(asked(call, globals()), arguments) for call, arguments in rows(__file__, "calls")]
CALLS += [(level.operations, (4, 10.0, 5.0)) for level in LEVELS.values()]
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
