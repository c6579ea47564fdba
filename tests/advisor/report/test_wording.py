"""What a reader sees: whole numbers, the right load, sources, and the class that waits longest."""

import copy
import io

import pytest
from rich.console import Console

from advisor import review
from advisor.findings.words import seconds
from advisor.predicting.load_curve import alone_and_at_peak, populations
from advisor.report.basis import basis
from advisor.report.html_report import html_report
from advisor.report.screen import whole
from advisor.report.terminal import SECTIONS, show_review
from tests.advisor.cases import ask, skipped
from tests.advisor.configurations import EXAMPLES, QUIET, batch, configured, measured, quiet
from tests.advisor.reports import reviewed


def lines_of(found, growth, width):
    stream = io.StringIO()
    show_review(Console(file=stream, width=width, no_color=True), found, growth, sections=SECTIONS)
    return stream.getvalue().splitlines()


def printed(configuration, width=120):
    growth = alone_and_at_peak(configuration, populations(configuration))
    return "\n".join(lines_of(review(configuration), growth, width))


@pytest.mark.parametrize("name", ["nightly_jobs", "overloaded", "proliant2000_as_tested"])
def test_nothing_is_cut_short_on_eighty_columns(name):
    found, growth = reviewed(EXAMPLES / f"{name}.toml")
    text = lines_of(found, growth, 80)
    assert max(map(len, text)) <= 80
    assert not [line for line in text if "…" in line]
    assert any("by this step" in line and "so far" in line and "targets" in line for line in text)


def test_every_option_names_a_source_whoever_gave_the_demands():
    found = review(quiet(batch=[batch("index", cpu="1 s", disk_kb=100)]))
    (option,) = (
        a.option for a in (*found.advice, *found.trades, *found.rejected) if a.rule == "SCH001"
    )
    assert option.sources == ("batch[0] as given",)


@pytest.mark.parametrize(
    ("raid", "words"), [("raid5", "another failure may lose data"), ("raid6", "a third loses data")]
)
def test_raid_six_survives_a_second_failure(raid, words):
    (found,) = ask("RAID002", quiet(disk={"raid": raid, "drives": 6, "state": "degraded"}))
    assert words in found.message


def test_one_user_is_no_users():
    text = printed(quiet(workload={"users": 1}, disk={"raid": "raid0", "drives": 1}))
    assert "1 user:" in text
    assert "raid0 on 1 drive " in text
    assert "1 users" not in text


def test_users_who_arrive_are_no_number_of_users():
    arriving = quiet(workload={"arrival_rate": "7 /s", "users": 1})
    text = printed(arriving)
    assert "7 requests/s: 100 % edit" in text
    assert "requests  response time of edit" in text
    assert "1 user" not in text
    growth = alone_and_at_peak(arriving, populations(arriving))
    page = html_report(review(arriving), growth).replace("\u00a0", " ")
    assert "7 requests/s: 100 % edit" in page


def test_memory_of_today_and_of_1995():
    assert "| 2048 GB |" in printed(quiet(server={"memory": "2048 GB"}))
    assert "| 64 MB |" in printed(quiet(server={"memory": "64 MB"}))


def test_where_no_step_is_taken_the_plan_says_so():
    found, growth = reviewed(EXAMPLES / "mail_server_calibrated.toml")
    assert found.plan.left
    assert not found.plan.steps
    text = "\n".join(lines_of(found, growth, 120))
    assert "plan: no step is worth taking" in text
    title = found.plan.left[0].advice.option.change.title
    assert f"not in the plan: {title}" in text
    assert "after the steps" not in text
    assert "Why no step is worth taking" in html_report(found, growth)


def test_what_an_own_measurement_does_not_say():
    found, _ = reviewed(EXAMPLES / "mail_server_calibrated.toml")
    reasons = {each.rule: each.reason for each in found.skipped}
    assert reasons["MEM001"] == "your own measurement names no memory need"
    assert reasons["SET001"] == "your own measurement does not document it"
    assert skipped("SOFT001", measured())[1] == "the source of notes31 does not document it"


def test_cuts_that_add_up_to_more_than_all_are_not_added_up():
    class_ = {"cpu": "0.01 s", "disk_kb": 0, "lan_kb": 0}
    busy = quiet(server={"cpus": 8}, workload={"users": 8500, "think_time": "10 s"}, user=class_,
                 targets={"response_time": "1 ms"})  # fmt: skip
    text = printed(busy)
    assert "the steps one by one add up to more than 100 %: they overlap" in text


def two_classes(target):
    data = copy.deepcopy(QUIET)
    data["workload"]["class"] = [
        {"name": "mail", "share": 0.6, "cpu": "0.1 s", "disk_kb": 80, "write_share": "50 %"},
        {"name": "report", "share": 0.4, "cpu": "0.2 s", "disk_kb": 900, "write_share": "20 %"},
    ]
    return configured(data | {"targets": {"response_time": target}})


@pytest.mark.parametrize(("target", "shown"), [("1 s", "report"), ("0.01 s", "report")])
def test_the_class_that_misses_its_target_by_most_comes_first(target, shown):
    found = review(two_classes(target))
    assert found.plan.steps
    metric = f"response time of {shown}"
    assert {a.effect[0].metric for a in (*found.advice, *found.rejected) if a.effect} == {metric}
    for step in found.plan.steps:
        assert step.effect[0].metric == step.gain.metric == metric
        assert {e.metric for e in step.effect if e.unit == "s"} == {
            "response time of mail",
            "response time of report",
        }


def test_where_no_time_misses_its_target_the_first_class_does():
    found = review(two_classes("100 s"))
    shown = {a.effect[0].metric for a in (*found.advice, *found.rejected) if a.effect}
    assert shown <= {"response time of mail"}


def test_the_basis_has_the_time_of_the_first_screen():
    found, _ = reviewed(EXAMPLES / "proliant2000_as_tested.toml")
    times = ", ".join(f"{name} {seconds(time)}" for name, time in found.outlook.by_member)
    assert f"; response time of edit at 20 users by calibration: {times}" in basis(found)[0]


def test_no_line_ends_between_a_number_and_its_unit():
    said = whole(Console(width=20), "throughput is 114.4 /s at 80 % at most").plain
    assert said == "throughput is\n114.4 /s at 80 % at\nmost"
