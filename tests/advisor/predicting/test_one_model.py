"""One calibrated model: what was calibrated is what every command speaks of."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest

import advisor
from advisor.configuration.changed_keys import change_of
from advisor.configuration.of_calibration import configuration_text
from advisor.engine import review
from advisor.findings.verdict import verdict_of
from advisor.planning.alternatives import whatif
from advisor.predicting.highest_load import first_crossings, highest_loads, limits_of
from advisor.predicting.load_curve import predict_users
from advisor.predicting.prediction import outlook
from advisor.predicting.reproduced import check_reproduced
from advisor.predicting.workload import network_of, ways_of
from advisor.report.curve_picture import response_curve
from advisor.sizing.search import size
from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import save_calibration
from calibration.model_evaluation.answers import answers
from calibration.predicting.prediction import predict
from calibration.predicting.reproduction import not_reproduced
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from qmodel import NotApplicable
from qmodel.errors import FileError, InvalidInput
from tests.advisor.configurations import quiet
from tests.calibration.synthetic import model, runs, table

BY_NAME = {s.name: s for s in STRUCTURES}

#: Every structure that can be fitted, as it is true of some server.
STRUCTURED = {
    "product form": {}, "hidden delay": {"hidden_delay": (0.5,)},
    "hidden queue": {"hidden_queue": (0.15,)}, "variable service": {"scv": (1.0, 4.0)},
    "scale factor": {"scale": (1.3, 1.0)},
    "waking": {"waking": (0.1, 0.0)}, "idling": {"idling": (0.1, 0.0)},
    "background load": {"background": (0.2, 0.0)}, "quota": {"quota": (0.6, 1.0)},
}  # fmt: skip


@cache
def fitted_to(structure, servers=(2, 1)):
    true = model(**STRUCTURED[structure])
    text = table(true, runs((2, 8, 16, 24, 32), servers=servers), digits=6)
    some = [BY_NAME["product form"], BY_NAME[structure]]
    return calibrate(parse_user_table(text, "server.csv"), candidates=dict.fromkeys(some))


def configured(folder, fitted, more=""):
    save_calibration(fitted, folder / "server.json", force=True)
    path = folder / "server.toml"
    path.write_text(configuration_text(fitted, "server.json") + more, encoding="utf-8")
    return advisor.load_config(path)


def numbers(found):
    (users,) = (c for c in found.classes if not c.batch)
    return (users.response_time, users.throughput, found.resource("cpu").utilization)


def same(found, said):
    for one, name in zip(found, ("response_time", "throughput", "utilization:cpu"), strict=True):
        for end in ("low", "mid", "high"):
            assert getattr(one, end) == pytest.approx(getattr(said[name], end), rel=1e-9), name


@pytest.mark.parametrize("structure", STRUCTURED)
def test_every_command_says_the_same(structure, tmp_path):
    fitted = fitted_to(structure)
    configuration = configured(tmp_path, fitted)
    more = predict(fitted, 48)
    curve = predict_users(configuration, [48])
    same(numbers(curve.outlooks[0]), more)
    for what in ("users", "throughput") if more.saturation else ():
        one, other = getattr(curve.saturation, what), getattr(more.saturation, what)
        assert (one.low, one.mid, one.high) == pytest.approx((other.low, other.mid, other.high))
    assert bool(curve.saturation) is bool(more.saturation)
    (changed,) = whatif(configuration, {"more": ["workload.users=48"]}).alternatives
    same(numbers(changed.outlook), more)
    same(numbers(review(configuration.with_users(48)).outlook), more)
    twice = predict(fitted, 32, {"servers:cpu": 4.0})
    (changed,) = whatif(configuration, {"twice": ["server.cores=4"]}).alternatives
    same(numbers(changed.outlook), twice)
    sized = size(configuration, vary=["server.cores=4"], response_time=1e6, utilization=0.9999)
    assert sized.front[0].response_time.mid == pytest.approx(twice["response_time"].mid, rel=1e-9)


def test_demands_of_each_replica_are_those_of_its_part_of_the_load(tmp_path):
    one = configured(tmp_path, fitted_to("waking"))
    four = change_of(one, ["server.replicas=4", "workload.users=64"]).apply(one)
    way = ways_of(one)[0]
    assert network_of(four, way).derivation == network_of(one.with_users(16), way).derivation


def test_an_hour_without_users_has_no_demand_of_a_load():
    assert model(waking=(0.1, 0.0)).demand_at(0.0) == model().demand


def test_measured_traffic_keeps_the_lan_busy_and_adds_no_time(tmp_path):
    text = Path("examples/order_server_calibrated.toml").read_text().partition("[[batch]]")[0]
    text = text.replace("10 Gb Ethernet", "100 Mb Ethernet, switched")
    copytree("examples/calibrated", tmp_path / "calibrated")
    (tmp_path / "slow.toml").write_text(text)
    said = outlook(advisor.load_config(tmp_path / "slow.toml").with_users(100))
    per_way = 0.5 * 0.2115e6 * 8 / 100e6 * 16.3  # of the run with 100 users
    assert said.resource("lan").utilization.mid == pytest.approx(per_way, rel=0.02)
    assert said.response_time.mid == pytest.approx(0.1204, rel=0.03)  # 17 ms of it on the LAN


def test_a_faster_processor_is_that_much_faster(tmp_path):
    fitted = fitted_to("hidden delay")
    configuration = configured(tmp_path, fitted)
    (changed,) = whatif(configuration, {"fast": ["server.cpu_speed=1.5"]}).alternatives
    same(numbers(changed.outlook), predict(fitted, 32, {"speed:cpu": 1.5}))


def test_what_was_measured_is_reproduced(tmp_path):
    fitted = fitted_to("hidden queue")
    assert not not_reproduced(fitted)
    configuration = configured(tmp_path, fitted)
    for run, answer in zip(
        fitted.data.runs, answers(fitted.service(fitted.best), fitted.data.runs), strict=True
    ):
        found = outlook(configuration.with_users(sum(run.population)))
        assert found.response_time.mid == pytest.approx(answer.response_time[0], rel=1e-3)


def edited(folder, fitted):
    """The calibration with one measured number changed by hand."""
    first = fitted.data.numbers[0]
    wrong = replace(first, measurement=replace(first.measurement, value=9.0))
    data = replace(fitted.data, numbers=(wrong, *fitted.data.numbers[1:]))
    return configured(folder, replace(fitted, data=data))


def test_a_run_that_is_not_reproduced_is_an_error_and_stops_what_goes_beyond(tmp_path):
    configuration = edited(tmp_path, fitted_to("product form"))
    (found,) = (f for f in review(configuration).findings if f.rule == "INP006")
    assert found.finding.level == "error"
    with pytest.raises(NotApplicable, match=r"server.json: INP006 .* use --anyway"):
        check_reproduced(configuration)
    check_reproduced(configuration, anyway=True)


def test_a_device_of_which_nobody_said_what_was_measured_does_not_change(tmp_path):
    disk = '\n[disk]\nraid = "raid1"\ndrives = 2\n'
    configuration = configured(tmp_path, fitted_to("product form"), disk)
    with pytest.raises(FileError, match=r"disk.drives: .* add \[disk.measured_on\] with drive"):
        whatif(configuration, {"more": ["disk.drives=4"]})
    measured = f"{disk}[disk.measured_on]\nraid = 'raid1'\ndrives = 2\n"
    configuration = configured(tmp_path, fitted_to("product form"), measured)
    (changed,) = whatif(configuration, {"more": ["disk.drives=4"]}).alternatives
    before = outlook(configuration).resource("disk").utilization.mid
    after = changed.outlook.resource("disk").utilization.mid
    assert after == pytest.approx(before / 2.0, rel=0.1)


def test_drives_whose_writes_nobody_counted_are_advised_on(tmp_path):
    """Another disk brings the share of writes in as one more axis of what is not known."""
    text = table(model(hidden_delay=(0.5,)), runs((1, 4, 8, 16)), seed=3)
    some = [BY_NAME[name] for name in ("product form", "hidden delay", "hidden queue")]
    fitted = calibrate(parse_user_table(text, "server.csv"), candidates=some)
    disk = "\n[disk]\nraid = 'raid1'\ndrives = 2\nmeasured_on = {raid = 'raid1', drives = 2}\n"
    configuration = configured(tmp_path, fitted, disk)
    (changed,) = whatif(configuration, {"more": ["disk.drives=4", "disk.raid=raid5"]}).alternatives
    busy = changed.outlook.resource("disk").utilization
    assert busy.low < busy.mid < busy.high
    assert review(configuration).advice


def test_more_cores_than_were_measured_are_refused_without_a_word_of_what_was(tmp_path):
    text = configured(tmp_path, fitted_to("product form")).document.path
    from pathlib import Path

    written = Path(text).read_text(encoding="utf-8")
    Path(text).write_text(written.replace("_on]\ncores = 2", "_on]\ncores = 4"), encoding="utf-8")
    with pytest.raises(
        FileError, match=r"measured_on.cores: the runs of .* had 2 processors, not 4"
    ):
        outlook(advisor.load_config(text))
    plain = written.replace("[server.measured_on]\ncores = 2\n", "")
    Path(text).write_text(plain, encoding="utf-8")
    with pytest.raises(FileError, match=r"server.cores: .* add \[server.measured_on\] with cores"):
        whatif(advisor.load_config(text), {"more": ["server.cores=4"]})


def test_a_quota_of_the_file_is_not_what_was_measured(tmp_path):
    configuration = configured(tmp_path, fitted_to("product form"))
    (changed,) = whatif(configuration, {"": ["server.cpu_quota=1"]}).alternatives
    path = tmp_path / "server.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("cores = 2\n", "cores = 2\ncpu_quota = 1\n", 1), encoding="utf-8")
    assert numbers(outlook(advisor.load_config(path))) == numbers(changed.outlook)


def test_a_calibration_may_be_set_where_the_file_has_demands(tmp_path):
    configured(tmp_path, fitted_to("product form"))
    own = "server = { cores = 2, measured_on = { cores = 2 } }\nworkload = { users = 4, "
    own += 'think_time = "1 s", class = [{ name = "users", cpu = "0.1 s" }] }\n'
    (tmp_path / "own.toml").write_text(own, encoding="utf-8")
    own_server = advisor.load_config(tmp_path / "own.toml")
    with pytest.raises(InvalidInput, match="cannot be compared"):
        whatif(own_server, {"": ["workload.calibration=server.json"]})


def test_a_station_that_is_no_device_stays_what_it_is(tmp_path):
    text = "users,think_time [s],throughput [1/s],utilization:redis [%]\n"
    text += "1,2,0.400,20.0\n4,2,1.379,68.9\n8,2,1.939,97.0\n"
    fitted = calibrate(parse_user_table(text, "redis.csv"), candidates=[BY_NAME["product form"]])
    found = outlook(configured(tmp_path, fitted))
    assert found.bottleneck == "redis"
    assert found.resource("redis").utilization.mid == pytest.approx(0.97, abs=0.01)


def test_what_was_not_measured_is_a_resource(tmp_path):
    fitted = fitted_to("hidden queue", servers=(8, 4))
    configuration = configured(tmp_path, fitted)
    found = outlook(configuration)
    assert found.bottleneck == "not measured"
    verdict = verdict_of(configuration, found)
    assert verdict.limited_by == "utilization of not measured"
    said = predict(fitted, 32)
    assert said.saturation.station == "not measured"
    assert said["utilization:not measured"].mid == pytest.approx(
        found.resource("not measured").utilization.mid, rel=1e-6
    )


def test_how_many_fit_is_where_the_target_is_reached(tmp_path):
    configuration = configured(tmp_path, fitted_to("product form"))
    verdict = verdict_of(configuration, outlook(configuration))
    most = int(verdict.most.mid)
    limit = configuration.settings.targets.utilization

    def busiest(users):
        return max(r.utilization.mid for r in outlook(configuration.with_users(users)).resources)

    assert busiest(most) <= limit < busiest(most + 1)
    assert verdict.state == "OVERLOADED"
    assert verdict_of(configuration.with_users(5), outlook(configuration.with_users(5))).fits


def test_growth_and_advice_have_one_crossing_where_two_targets_meet(tmp_path):
    """Of few users: wherever the search begins, and whichever target is the first to be missed."""
    more = 'targets.response_time = "2 s"\ntargets.utilization = "90 %"\n'
    fitted = fitted_to("variable service")
    text = configuration_text(fitted, "server.json").split("[targets]")[0]
    save_calibration(fitted, tmp_path / "server.json")
    (tmp_path / "server.toml").write_text(more + text.replace("schema = 1\n", "", 1))
    loads = []
    for users in (4, 9, 30):
        there = advisor.load_config(tmp_path / "server.toml").with_users(users)
        limits = limits_of(there)
        each = zip(*(target.of_ways for target in highest_loads(there, limits)), strict=True)
        found = [load for _, load, _ in first_crossings(there, limits)]
        assert found == pytest.approx([min(some) for some in each], rel=1e-9)
        loads.append([users * load for load in found])
    assert loads[0] == pytest.approx(loads[1], rel=1e-9)
    assert loads[0] == pytest.approx(loads[2], rel=1e-9)


def test_a_percentile_is_crossed_where_the_next_arrivals_are_too_many():
    late = quiet(workload={"arrival_rate": "1000 /s"}, targets={"response_time": {"p95": "8 s"}})
    (found,) = highest_loads(late, limits_of(late))
    assert found.of_ways == (0.009, 0.009, 0.009)


def test_a_search_ends_where_percentiles_near_saturation_have_no_answer():
    """Two classes by rate: as near as that to a full processor their percentiles are refused."""
    two = {"cpu": "2 ms"}, {"cpu": "20 ms"}
    classes = [{"name": f"c{i}", "share": 0.5, **each} for i, each in enumerate(two)]
    late = quiet(
        workload={"arrival_rate": "40 /s", "class": classes, "users": None, "think_time": None},
        targets={"response_time": {"p95": "60 s"}},
    )
    verdict = verdict_of(late, outlook(late))
    assert verdict.state == "FITS"
    assert verdict.most.mid > 40.0


def test_production_rows_by_rate_are_a_configuration_too(tmp_path):
    text = "throughput [1/s],response_time [s],cpu,servers:cpu\n"
    text += "2,0.22,20.1,2\n5,0.27,49.8,2\n7,0.41,70.2,2\n"
    fitted = calibrate(parse_user_table(text, "rates.csv"), candidates=[BY_NAME["product form"]])
    configuration = configured(tmp_path, fitted)
    found = outlook(configuration)
    assert found.throughput.mid == pytest.approx(7.0, rel=0.02)
    assert found.resource("cpu").utilization.mid == pytest.approx(0.70, rel=0.02)
    verdict = verdict_of(configuration, found)
    assert not verdict.counted
    assert verdict.most.mid == pytest.approx(8.0, rel=0.05)


@pytest.mark.parametrize(("change", "words"), [
    (lambda data: data.update(schema=7), "server.json:"),
    (lambda data: data["models"].clear(), "models"),
    (lambda data: data["runs"][0].pop("servers"), "servers"),
    (lambda data: data["stations"].append("gpu"), "server.json"),
])  # fmt: skip
def test_a_calibration_edited_by_hand_is_one_line(change, words, tmp_path):
    configured(tmp_path, fitted_to("product form"))
    file = tmp_path / "server.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    change(data)
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises((FileError, InvalidInput)) as caught:
        outlook(advisor.load_config(tmp_path / "server.toml"))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_quota_that_is_used_up_is_full_though_its_processor_is_not(tmp_path):
    server = configured(tmp_path, fitted_to("quota")).with_users(2_000)
    found = verdict_of(server, outlook(server))
    assert (found.state, found.limited_by) == ("OVERLOADED", "utilization of quota")
    assert found.most.mid < 100.0
    looked = review(server)
    idle = replace(looked, plan=replace(looked.plan, steps=()))
    assert "after the steps" not in str(response_curve(idle))
