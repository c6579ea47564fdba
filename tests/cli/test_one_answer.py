"""What commands say of one server agrees: a calibrated pool, a task's start, whole users."""

import json
import re
from functools import cache

import pytest

from advisor.loading import load_config
from advisor.predicting.highest_load import first_crossings, limits_of
from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import save_calibration
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from tests.advisor.configurations import ROOT
from tests.tables import text_of

#: Users, requests a second, response time [ms], and how busy the cores are. [%]
RUNS = ((10, 4.76, 100, 1.2), (30, 14.29, 100, 3.6), (60, 28.5, 101, 7.1), (90, 42.6, 111, 10.7),
        (115, 52.9, 176, 13.2), (140, 58.2, 405, 14.6))  # fmt: skip
POOL = text_of(__file__, "pool")


@cache
def calibrated(laws=None):
    """Eight cores behind six workers, each of which is held for 0.1 s: 60 requests a second."""
    lines = ["users,think_time [s],throughput [1/s],response_time [ms],utilization:cpu [%],"
             "servers:cpu,pool:workers"]  # fmt: skip
    lines += [f"{n},2,{x},{r},{u},8,6" for n, x, r, u in RUNS]
    return calibrate(parse_user_table("\n".join(lines)), STRUCTURES[:laws])


#: Two cores, 12 ms, and 60 ms of something else, behind six places that no column names.
UNNAMED = ["users,think_time [s],throughput [1/s],response_time [ms],cpu,servers:cpu"] + [
    f"{n},1,{x},{r},{u},2" for n, x, r, u in ((20, 18.65, 72.14, 11.2), (60, 55.54, 80.3, 33.3),
                                              (90, 77.9, 155.4, 46.7), (140, 81.41, 719.7, 48.8))
]  # fmt: skip


@pytest.fixture
def unnamed(tmp_path):
    def written(laws):
        found = calibrate(parse_user_table("\n".join(UNNAMED)), laws)
        save_calibration(found, tmp_path / "pool.json", force=True)
        (tmp_path / "pool.toml").write_text(POOL.replace("8", "2", 2))
        return found.best

    return written


@pytest.fixture
def pooled(tmp_path):
    save_calibration(calibrated(laws=3), tmp_path / "pool.json")
    (tmp_path / "pool.toml").write_text(POOL)
    return tmp_path / "pool.toml"


def test_a_full_pool_is_missed_by_every_command(run, pooled):
    said = json.loads(run("advise", pooled, "--json").out)
    assert said["verdict"]["state"] == "OVERLOADED"
    assert "utilization of pool" in run("whatif", pooled, "--set", "server.cores=16").out
    assert (
        "no candidate meets the targets" in run("size", pooled, "--vary", "server.cores=8,16").out
    )
    assert "missed today" in run("predict", pooled, "--growth", "3%/month").out
    fewer = pooled.with_name("fewer.toml")
    fewer.write_text(POOL.replace("140", "100"))
    grown = json.loads(run("predict", fewer, "--growth", "3%/month", "--json").out)
    (full,) = [c for c in grown["crossings"] if c["target"] == "utilization of pool"]
    fits = json.loads(run("advise", fewer, "--json").out)["verdict"]["users_that_fit"]["mid"]
    assert 100 * full["load"]["mid"] == pytest.approx(fits, abs=1.0)
    rows = json.loads(run("fleet", pooled.parent, "--json").out)["services"]
    assert [(r["busiest"], 0.7 < r["utilization"] <= 1.0) for r in rows] == [
        ("pool of 6", True)
    ] * 2


def test_a_larger_pool_is_a_step_and_is_tried_by_size(run, unnamed, tmp_path):
    best = unnamed([s for s in STRUCTURES if s.name in {"hidden delay", "pool", "scale factor"}])
    assert {*best.name.split(" and ")} == {"hidden delay", "pool"}
    assert best.value("size of pool") == 6.0
    assert best.value("hidden delay") == pytest.approx(0.060, rel=0.02)
    said = " ".join(run("advise", tmp_path / "pool.toml").out.split())
    for words in ("pool of 6", "After 1 step all fit", "admit 12 interactions at a time",
                  "more than 6 requests inside; what lies behind is assumed"):  # fmt: skip
        assert words in said
    sized = run("size", tmp_path / "pool.toml", "--response", "250ms").out
    assert "server.most_active = 12" in sized


def test_what_is_full_before_its_monitor_says_so_is_full_for_every_command(run, unnamed, tmp_path):
    best = unnamed([s for s in STRUCTURES if s.name in {"hidden delay", "scale factor"}])
    assert best.name == "scale factor of cpu and hidden delay"
    for command, *options in (("advise",), ("predict",), ("whatif", "--set", "server.cores=3")):
        said = " ".join(run(command, tmp_path / "pool.toml", *options).out.split())
        assert "cpu (its monitor shows less)" in said
        assert command != "advise" or "✗ OVERLOADED 140 users do not fit" in said
    assert "missed today" in run("predict", tmp_path / "pool.toml", "--growth", "3%/month").out


def test_a_calibration_that_is_not_usable_is_so_for_every_command(run, tmp_path):
    rows = ("a,10,1,9.4,60,20", "b,50,1,46,85,60", "c,100,1,60,650,88", "d,150,1,95,580,70")
    table = tmp_path / "bad.csv"
    table.write_text("\n".join(["run," + UNNAMED[0].removesuffix(",servers:cpu"), *rows]))
    found = run("calibrate", table, "-o", tmp_path / "pool.json")
    assert found.code == 3
    assert "NOT USABLE" in found.out
    assert "next: qmodel audit" in found.err
    (tmp_path / "pool.toml").write_text(
        POOL.replace("cores = 8", "cpus = 1", 1).replace("measured_on = { cores = 8 }\n", "")
    )
    assert "the calibration is NOT USABLE" in run("advise", tmp_path / "pool.toml").out
    assert "INP006" in run("predict", tmp_path / "pool.toml").err
    refused = run("predict", tmp_path / "pool.toml", "--growth", "3%/month")
    assert refused.code == 3
    assert "off its own runs by" in refused.err


def test_a_limit_of_the_configuration_is_that_of_the_pool(run, pooled):
    def missed(most):
        said = run("whatif", pooled, "--set", f"server.most_active={most}", "--json").out
        (after,) = json.loads(said)["alternatives"]
        busy = after["after"]["metrics"]["throughput"]["mid"]
        return [each["predicted"]["mid"] for each in after["missed"]], busy

    assert missed(30) == ([], pytest.approx(140 / 2.1, rel=0.02))
    (taken,), busy = missed(3)
    assert (taken, busy) == pytest.approx((140 / 2.1 / 30, 30), rel=0.04)


def test_the_time_of_too_many_arrivals_is_spent_before_the_pool(run, pooled):
    """Nowhere inside, where none takes longer than alone."""
    text = POOL.replace("users = 140", 'arrival_rate = "80 /s"') + 'response_time = "1 s"\n'
    pooled.write_text(text)
    save_calibration(calibrated(), pooled.with_name("pool.json"), force=True)
    said = " ".join(run("advise", pooled, "--findings").out.split())
    assert "nearly all of it is spent outside, waiting to be let in" in said
    assert "here 3 of them have no steady state" in said


TASK = text_of(__file__, "task")


def test_a_start_says_when_a_task_runs_today(run, written):
    times = {}
    for start in ("11:00", "18:00"):
        path = written("task.toml", TASK.replace("{start}", start))
        settings = load_config(path).settings
        times[start] = settings.batch[0].hours(settings.workload.off_peak)
        moved = run("whatif", path, "--set", 'batch.export.window=["20:00", "23:00"]').out
        assert ("(-0.0 %)" in moved or "(+0.0 %)" in moved) == (start == "18:00")
    assert [str(each) for each in times.values()] == ["11:00-12:00", "18:00-19:00"]


def test_the_users_that_fit_fit_and_one_more_does_not(run, tmp_path):
    path = tmp_path / "classes.toml"
    head = TASK.split("[[workload.class]]", maxsplit=1)[0].replace("100", "700")
    cells = 'delay = "0 s"\ndisk_kb = 0\nlan_kb = 0\n'
    path.write_text(head + "".join(
        f'[[workload.class]]\nname = "{n}"\nshare = {s}\ncpu = "{c} ms"\n{cells}'
        for n, s, c in (("a", 0.9, 15), ("b", 0.095, 40), ("c", 0.005, 600))
    ) + '[targets]\nutilization = "60 %"\n')  # fmt: skip
    found = load_config(path)
    ((_, share, _),) = first_crossings(found, limits_of(found))
    fits = round(700 * share)
    for users in (fits, fits + 1):
        path.write_text(path.read_text().replace("users = 700", f"users = {users}"))
        rows = json.loads(run("predict", path, "--users", f"{users}", "--json").out)
        busy = rows["predictions"][0]["metrics"]["utilization:cpu"]["mid"]
        assert (busy <= 0.6) == (users == fits)


def test_a_percentile_at_risk_is_no_sure_miss(run, tmp_path):
    path = tmp_path / "risk.toml"
    head = TASK.split("[[batch]]", maxsplit=1)[0].replace("users = 100", "users = 333")
    path.write_text(head + '[targets]\nresponse_time = { p99 = "580 ms" }\n')
    assert json.loads(run("advise", path, "--json").out)["verdict"]["state"] == "AT RISK"
    grown = json.loads(run("predict", path, "--growth", "1%/month", "--json").out)
    load = grown["crossings"][0]["load"]
    assert load["low"] < 1.0 < load["mid"] < load["high"]


def test_hardware_threads_count_alike_for_users_and_arrivals(run):
    found = []
    for more in ((), ("--rate", "100")):
        said = json.loads(run("predict", "examples/new_server.toml", "--json", *more).out)
        found.append(said["saturation"]["throughput"]["mid"])
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_rules_of_pools_are_explained_with_a_configuration_or_without(run):
    for words in (("POOL001", "examples/shop.toml"), ("pool-too-small",)):
        done = run("explain", *words)
        assert done.out.startswith("POOL001 pool-too-small")
        assert done.err.endswith(f"qmodel advise {words[1]}\n" if len(words) > 1 else "")


@pytest.mark.usefixtures("few_laws")
def test_a_colon_in_the_name_of_a_class_is_a_letter(run, tmp_path):
    head = "task,users,think_time [s],throughput [1/s],response_time [s],utilization:cpu [%]"
    rows = ("a:b,10,2,4.7,0.12,20", "a:b,20,2,9.4,0.13,41", "c,10,2,4.5,0.2,25", "c,20,2,9,0.22,50")
    (tmp_path / "t.csv").write_text("\n".join((head, *rows)) + "\n")
    assert run("calibrate", tmp_path / "t.csv", "-o", tmp_path / "t.json", "--anyway").code == 0
    assert run("predict", tmp_path / "t.json", "--users", "5,5").code == 0


def test_as_many_fit_after_a_plan_as_its_verdict_says(run, tmp_path):
    """Where nothing is promised a plan misses no target, and yet not all need fit after it."""
    path, text = tmp_path / "a.toml", (ROOT / "examples/overloaded.toml").read_text()
    path.write_text(text.partition("[targets]")[0])
    screen = " ".join(run("advise", path).out.split())
    said, then = re.search(r"After \d steps? (\d+) do\. .* After that (\d+) fit", screen).groups()
    assert said == then
