"""The noise of a run, from rows of the same conditions."""

import random

import pytest

from calibration.fitting.replicates import noise_within, of_replicates
from calibration.recordings.user_table import parse_user_table
from qmodel.errors import InvalidInput
from tests.tables import rows


def test_the_standard_deviation_that_was_put_in_comes_out():
    generator = random.Random(4)
    users = [n for n in (4, 8, 16, 32) for _ in range(200)]
    found = noise_within(
        users,
        [
            ("throughput", "", [n * generator.gauss(1.0, 0.03) for n in users]),
            ("response_time", "", [0.01 * n**2 * generator.gauss(1.0, 0.08) for n in users]),
        ],
    )
    assert found.throughput == pytest.approx(0.03, rel=0.08)
    assert found.response_time == pytest.approx(0.08, rel=0.08)
    assert found.utilization == found.response_time  # nobody measured it: the noisier of the two


def test_each_station_has_its_own_where_it_was_measured_often_enough():
    cpu, disk = [0.9, 1.0, 1.1, 1.0], [0.5, 0.5, None, None]
    same = "operations", "disk", [0.57] * 4  # as printed
    found = noise_within(
        [1] * 4, [("utilization", "cpu", cpu), ("utilization", "disk", disk), same]
    )
    assert found.of("operations", "disk") == found.of("utilization", "cpu")
    assert found.of("utilization", "cpu") == pytest.approx((0.02 / 3) ** 0.5)
    assert found.of("utilization", "disk") == found.utilization == pytest.approx((0.02 / 4) ** 0.5)
    assert found.scaled(2.0).of("utilization", "cpu") == pytest.approx(2.0 * (0.02 / 3) ** 0.5)


@pytest.mark.parametrize(("rows", "same"), rows(__file__, "which_rows_repeat_one_another"))
def test_which_rows_repeat_one_another(rows, same):
    table = parse_user_table(
        f"users,think_time [s],configuration,throughput [1/s]\n{rows}", "TABLE.csv"
    )
    if same:
        assert 0.03 < of_replicates(table).throughput < 0.05
    else:
        with pytest.raises(InvalidInput, match="measured again under the same conditions"):
            of_replicates(table)


@pytest.mark.parametrize("column", ["class", "share:b [%]", "pool:db"])
def test_rows_of_another_class_mix_or_pool_repeat_nothing(column):
    cells = "".join(f"4,{10 + i},{30 + i}\n" for i in range(4))
    with pytest.raises(InvalidInput, match="measured again under the same conditions"):
        of_replicates(parse_user_table(f"users,{column},throughput [1/s]\n{cells}"))
