"""A pool whose size an administrator knows: a column of the table, in every command."""

import re
from dataclasses import replace

import pytest

from calibration.estimation.fit import NotCalibratable
from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import load_calibration, save_calibration
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.predicting.other_servers import HOLDING
from calibration.predicting.prediction import predict, predict_all
from calibration.predicting.reproduction import not_reproduced
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from qmodel.errors import FileError
from tests.calibration.synthetic import runs, table
from tests.tables import text_of

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
    # Of a real server some of the response time is not spent in the pool; of this one all is.
    assert found.mid == pytest.approx(exact.throughput[0] / HOLDING[0], rel=0.03)


def test_none_is_looked_for_beside_it_and_it_is_kept_in_the_file(fitted, tmp_path):
    assert "the table names one, with its size" in dict(fitted.refused)["pool"]
    assert fitted.smallest_pool is None
    save_calibration(fitted, tmp_path / "a.json")
    assert load_calibration(tmp_path / "a.json") == fitted
    assert fitted.service(fitted.best).pool == (6.0,)


def with_use(unit, *, part=1.0, loads=(5, 10, 20, 60)):
    uses = [each.pool_use for each in answers(TRUE, runs(loads, THINK, (1,)))]
    size = 6.0 if unit == "" else 100.0
    head, *rows = table(TRUE, runs(loads, THINK, (1,)), seed=5).splitlines()
    cells = [f"{row},6,{part * size * use:.4g}" for row, use in zip(rows, uses, strict=True)]
    return "\n".join([f"{head},pool:db,pool_use:db{unit}", *cells]) + "\n"


def test_the_use_of_a_pool_is_fitted_as_what_littles_law_has_inside(tmp_path):
    found, same = (
        calibrate(parse_user_table(with_use(unit)), STRUCTURES[:3]) for unit in ("", " [%]")
    )
    assert found.best.values == pytest.approx(same.best.values, rel=1e-3)
    use = {d.run: d.measurement.value for d in found.data.numbers if d.quantity == "pool_use"}
    said = dict(zip(found.data.numbers, found.predicted(found.best), strict=True))
    assert [said[d] for d in said if d.quantity == "pool_use"] == pytest.approx(
        list(use.values()), rel=0.02
    )
    metric = predict(found, 20)["utilization:pool"]
    assert metric.low < use[2] < metric.high < 1.0
    assert predict(found, 300)["utilization:pool"].high == pytest.approx(1.0)
    save_calibration(found, tmp_path / "a.json")
    assert load_calibration(tmp_path / "a.json") == found


def test_the_use_alone_finds_a_think_time_that_nobody_knows():
    head, *rows = with_use("").splitlines()
    names = head.split(",")
    keep = ["population", "pool:db", "pool_use:db", "throughput [1/s]", "utilization:cpu [%]"]
    cells = [dict(zip(names, row.split(","), strict=True)) for row in rows]
    text = "\n".join([",".join(keep), *(",".join(each[k] for k in keep) for each in cells)])
    found = calibrate(parse_user_table(text + "\n"), STRUCTURES[:3])
    delayed = next(m for m in found.models if m.name == "hidden delay")
    assert delayed.value("think time") == pytest.approx(THINK, rel=0.05)


def test_a_pool_that_is_held_for_a_part_of_a_request_is_a_station():
    """Four cores, 30 ms; 60 ms of a connection of six, which no core is busy with."""
    runs_ = ((30, 9.64, 99.3, 7.2, 0.58), (150, 48.12, 103.1, 36.3, 2.88),
             (240, 76.6, 122.3, 57.6, 4.6), (270, 86.03, 145.4, 63.9, 5.14))  # fmt: skip
    head = "users,think_time [s],throughput [1/s],response_time [ms],cpu,pool_use:db,servers:cpu"
    lines = (",".join(map(str, (users, 3, *rest, 4, 6))) for users, *rest in runs_)
    text = "\n".join([f"{head},pool:db", *lines])
    found = calibrate(parse_user_table(text + "\n"), STRUCTURES[:3])
    assert any("pool:db is held for 61 % of a request" in note for note in found.data.notes)
    assert found.best.value("demand of db pool") == pytest.approx(0.06, rel=0.01)
    time = predict(found, 320)["response_time"]  # by `qmodel.solve` of that network 0.279 s
    assert time.low < 0.279 < time.high < 0.3


@pytest.mark.parametrize(("text", "why"), [
    (with_use("", part=6.0), "-:4:8: pool_use:db = 9.612 of a pool of 6: more than there are"),
    (with_use(" [%]", part=6.0), "of a pool of 6: more than there are"),
    (with_use("").replace("pool:db", "pool:web"), "no column has the size of that pool"),
    (with_use("").replace("_use:db", "_use"), "names no pool; write pool_use:workers"),
    (with_use("").replace("_use:db", "_use:db [ms]"), "pool_use:db is no time"),
])  # fmt: skip
def test_uses_that_no_pool_has_are_one_line(text, why):
    with pytest.raises(FileError, match=re.escape(why)) as error:
        parse_user_table(text)
    assert "\n" not in str(error.value)


def test_runs_at_several_sizes_are_several_systems():
    with pytest.raises(NotCalibratable, match="pool:workers is 8 in one row and 4 in another"):
        calibrate(with_pools((5, 10, 15), [4, 4, 8]))


def test_the_smallest_of_several_pools_holds_all():
    several = with_pools((5, 10, 15, 20), [6] * 4, **{"pool:connections": 9})
    found = calibrate(several, STRUCTURES[:3])
    assert found.data.pool == 6
    assert any("only the smallest is taken as the limit: workers" in n for n in found.data.notes)


def test_a_pool_nearly_full_is_near_a_limit_though_the_processor_is_not():
    """20 places of 20 ms at 8 cores and 80 ms elsewhere, exactly; at 860 users it is 317 ms."""
    fit = calibrate(parse_user_table(text_of(__file__, "nearly_full")))
    assert not_reproduced(fit) == ()
    (said,) = (each["response_time"].mid for each in predict_all(fit, [860]))
    assert said == pytest.approx(0.317, rel=0.06)
