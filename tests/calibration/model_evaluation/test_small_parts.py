"""Kinds of stations, rates under a quota, places in a pool, and printed numbers, one by one."""

from decimal import Decimal

import pytest

import qmodel as qm
from calibration.audits.shipped import glossary
from calibration.audits.wording import change
from calibration.hardware.hardware import device_kind, is_tier, station_kind
from calibration.hardware.task import Task
from calibration.model_evaluation.answers import in_use, within
from calibration.model_evaluation.model import blank
from calibration.model_evaluation.network import side_by_side, under_quota
from calibration.printed_tables.card import base_unit, half_unit, printed_number
from calibration.printed_tables.table import errata, load_table, sources
from calibration.structures.structure import Parameter, with_values
from calibration.systems.domino5_raid.users import actions
from calibration.systems.groupwise52.disk import greatest_disk_share


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (list(map(station_kind, ("processor", "nvme0n1", "redis"))), ["cpu", "disk", ""]),
        (list(map(device_kind, ("cpu", "web-cpu", "db-disk"))), ["cpu", "cpu", "disk"]),
        (list(map(is_tier, ("web-cpu", "search", "cpu", "db-disk"))), [True, True, False, False]),
        ([round(rate, 3) for rate in under_quota(1, 0.6, 0.005)[:40:13]], [1, 0.602, 0.6, 0.6]),
        (side_by_side(0.5)[:3], (1.0, 1.5, 2.0)),
        (side_by_side(1.0, 2)[:3], (1.0, 2.0, 3.0)),
        (list(map(change, (0.0953, -0.6931, 2.0794))), ["+10 %", "1/2", "8 times"]),
        (base_unit("KB/s"), ("bytes/s", Decimal(1000), Decimal(1))),
        (printed_number("1,569"), Decimal(1569)),
        (printed_number("42MB", "MB"), Decimal(42)),
        (printed_number("NA"), None),
        (list(map(half_unit, ("69", "0.10", "1,569", ""))), [0.5, 0.005, 0.5, None]),
        ("notes31" in sources(), True),
        (errata("notes31")[0].id, "E-N95-01"),
        (glossary([load_table("notes31/table_3_1")])["editing a document"], "Edit"),
        (actions(), 13.0),
        (round(greatest_disk_share(), 3), 0.057),
    ],
)
def test_a_small_part(found, expected):
    assert found == expected


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
