"""A pool whose size an administrator knows: a column of the table, in every command."""

from dataclasses import replace

import pytest

from calibration.estimation.fit import NotCalibratable
from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import load_calibration, save_calibration
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.predicting.prediction import predict
from calibration.recordings.user_table import parse_user_table
from tests.calibration.synthetic import runs, table

TRUE = replace(
    blank(("users",), ("cpu",), reference=100.0), demand=((0.004,),), hidden_delay=(0.03,),
    pool=(6.0,),
)  # fmt: skip
THINK = 0.4


def with_pools(loads, sizes, seed=5, **columns):
    head, *rows = table(TRUE, runs(loads, THINK, (1,)), seed=seed).splitlines()
    names = ["pool:workers", *columns]
    lines = [",".join([head, *names])]
    for row, size in zip(rows, sizes, strict=True):
        lines.append(",".join([row, f"{size}", *map(str, columns.values())]))
    return parse_user_table("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def fitted():
    return calibrate(with_pools((5, 10, 15, 20, 30), [6] * 5))


@pytest.mark.parametrize("change", [{}, {"pool": 3.0}])
def test_the_pool_of_the_table_holds_at_any_load(fitted, change):
    true = replace(TRUE, pool=(change.get("pool", 6.0),))
    (exact,) = answers(true, runs((120,), THINK, (1,)))
    found = predict(fitted, 120, {"think_time": THINK, **change})["throughput"]
    assert found.low < exact.throughput[0] < found.high
    assert found.mid == pytest.approx(exact.throughput[0], rel=0.03)


def test_none_is_looked_for_beside_it_and_it_is_kept_in_the_file(fitted, tmp_path):
    assert "the table names one, with its size" in dict(fitted.refused)["pool"]
    assert fitted.smallest_pool is None
    save_calibration(fitted, tmp_path / "a.json")
    assert load_calibration(tmp_path / "a.json") == fitted
    assert fitted.service(fitted.best).pool == (6.0,)


def test_runs_at_several_sizes_are_several_systems():
    with pytest.raises(NotCalibratable, match="pool:workers is 8 in one row and 4 in another"):
        calibrate(with_pools((5, 10, 15), [4, 4, 8]))


def test_the_smallest_of_several_pools_holds_all():
    found = calibrate(with_pools((5, 10, 15, 20), [6] * 4, **{"pool:connections": 9}))
    assert found.data.pool == 6
    assert any("the smallest holds all that is inside: workers" in n for n in found.data.notes)
