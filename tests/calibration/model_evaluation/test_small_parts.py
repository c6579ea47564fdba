"""Kinds of stations, rates under a quota, places in a pool, and printed numbers, one by one."""

from decimal import Decimal  # noqa: F401, named in the table

import pytest

import qmodel as qm
from calibration.audits.shipped import glossary  # noqa: F401, named in the table
from calibration.audits.wording import change  # noqa: F401, named in the table
from calibration.hardware.hardware import device_kind, is_tier, station_kind  # noqa: F401, named in the table
from calibration.hardware.task import Task
from calibration.model_evaluation.answers import in_use, within
from calibration.model_evaluation.model import blank
from calibration.model_evaluation.network import side_by_side, under_quota  # noqa: F401, named in the table
from calibration.printed_tables.card import base_unit, half_unit, printed_number  # noqa: F401, named in the table
from calibration.printed_tables.table import errata, load_table, sources  # noqa: F401, named in the table
from calibration.structures.structure import Parameter, with_values
from calibration.systems.domino5_raid.users import actions  # noqa: F401, named in the table
from calibration.systems.groupwise52.disk import greatest_disk_share  # noqa: F401, named in the table
from tests.tables import asked, rows


@pytest.mark.parametrize(("found", "expected"), rows(__file__, "a_small_part"))
def test_a_small_part(found, expected):
    assert asked(found, globals()) == asked(expected, globals())


def test_a_volume_at_smaller_blocks():
    task = Task("copy", "copying", "a file", 1.0, 8e6, 0.0, 0.0, block_exponent=0.5)
    assert task.disk_volume_at(4 * 1024.0) == 4000000.0


def test_places_of_a_pool_by_littles_law():
    alone = qm.kernels.OneClassNetwork([0.1], think_time=1.0, delay=0.3)
    limited = within(alone, 1.0, 4)  # one place is held for 0.4 s: X 0.4 s
    throughput = qm.kernels.totals(limited, [4])[0][0]
    assert in_use(limited, 1.0, 4) == pytest.approx(0.8501, abs=1e-4)
    assert in_use(limited, 1.0, 4) == pytest.approx(throughput * 0.4)


def test_values_take_their_places_in_a_model():
    demand = Parameter("demand of cpu", "s", "demand", (0, 0), (1.0,))
    assert with_values(blank(("users",), ("cpu",)), [demand], [0.5]).demand == ((0.5,),)
