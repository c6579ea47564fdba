"""What holds of every rule for hardware: its options are solved, and more load clears nothing."""

import re
from math import inf

import pytest

import advisor
from advisor.configuration.changes import Change
from advisor.engine import case_of
from advisor.findings.printed import change, printed
from advisor.rule_support.fewer_users import night_moves
from advisor.rule_support.rule import NothingToGoBy
from advisor.rule_support.volumes import disk_volume_rate, lan_volume_rate
from calibration.agreements.published import published
from qmodel.errors import FileError
from tests.advisor.cases import BY_CODE, ask
from tests.advisor.configurations import AS_TESTED, batch, configured, example, quiet, varied
from tests.advisor.speaking import NETBENCH, SPEAKING, searching, ten_drives

each_code = pytest.mark.parametrize("code", sorted(SPEAKING))


@pytest.fixture(scope="module")
def reviewed():
    """A review of each configuration in which a rule speaks."""
    return {code: advisor.review(make()) for code, make in SPEAKING.items()}


def tried(review, code):
    return [a for a in (*review.advice, *review.trades, *review.rejected) if a.rule == code]


@each_code
def test_every_option_is_solved_again(reviewed, code):
    """What is said of an option is what the changed configuration is predicted to do."""
    review = reviewed[code]
    for advice in tried(review, code):
        after = advisor.predict(advice.option.change.apply(review.configuration)).outlook
        for effect in advice.effect:
            name = effect.metric.partition(" of ")[2]
            now = after.time_of(name) if effect.unit == "s" else after.resource(name).utilization
            assert effect.after == now


@each_code
def test_nothing_that_is_worse_or_outside_is_recommended(reviewed, code):
    for advice in reviewed[code].advice:
        assert not advice.option.outside
        assert all(e.change.mid <= 0.01 for e in advice.effect if e.unit == "s")


@each_code
def test_applying_what_is_recommended_changes_the_finding(reviewed, code):
    review = reviewed[code]
    for advice in review.advice:
        if advice.rule != code:
            continue
        changed = advice.option.change.apply(review.configuration)
        try:
            left = ask(code, changed)
        except NothingToGoBy:
            left = []
        assert advice.finding not in left


@each_code
def test_a_finding_says_what_was_measured_or_computed_and_where(reviewed, code):
    for located in reviewed[code].findings:
        if located.rule == code:
            assert located.finding.evidence
            assert all(e.source and e.unit and e.metric for e in located.finding.evidence)
            lines = reviewed[code].configuration.document.text.splitlines()
            assert lines[located.line - 1].strip()


def test_a_server_of_today_hears_nothing_of_1995():
    """Busy everywhere, on its own demands: no paper's part, table or name."""
    configuration = quiet(
        disk={"raid": "raid5", "channel_rate": "4 MB/s"},
        lan={"rate": "10 Mb/s"},
        workload={"users": 60},
        user={"cpu": "1 s", "disk_kb": 3000, "lan_kb": 900},
        targets={"response_time": "2 s", "utilization": "70 %"},
    )
    review = advisor.review(configuration)
    assert {f.rule for f in review.findings} >= {"CAP001", "TGT001", "RAID001", "DSK001"}
    said = []
    for located in review.findings:
        said += [located.finding.message, *(e.source for e in located.finding.evidence)]
    for advice in (*review.advice, *review.trades, *review.rejected):
        said += [*advice.option.sources, *advice.option.side_effects, advice.option.valid]
    words = ("TechNote", "Compaq", "Pentium", "IBM", "GroupWise", "Domino", "NetWare", "Notes")
    assert not [text for text in said if any(word in text for word in words)]


def test_the_case_solves_settings_on_request():
    case = case_of(quiet())
    settings = ((("server", "cpu_speed"), 0.5),)
    slower = advisor.predict(Change("", settings).apply(quiet())).outlook
    assert case.outlook_with(settings) == slower
    busy = case_of(quiet(workload={"arrival_rate": "5 /s"}, user={"cpu": "0.1 s"}))
    beyond = busy.outlook_with(((("workload", "arrival_rate"), "50 /s"),))
    assert beyond.response_time.mid == inf
    assert beyond.throughput.mid == pytest.approx(10.0)


def test_only_measured_systems_are_of_a_paper():
    assert case_of(example(AS_TESTED)).of_a_paper
    assert not case_of(quiet()).of_a_paper


def test_volumes_follow_from_throughputs():
    """Users and a batch task: interactions a second times what each moves."""
    configuration = quiet(batch=[batch("copy", cpu="0.1 s", disk_kb=500, lan_kb=40)])
    case = case_of(configuration)
    edit, copy = (each.throughput.mid for each in case.outlook.classes)
    assert disk_volume_rate(case) == pytest.approx(16e3 * edit + 500e3 * copy)
    assert lan_volume_rate(case) == pytest.approx(16e3 * edit + 40e3 * copy)


def test_what_fits_into_the_night_moves_there():
    tasks = [
        batch("short", cpu="1 s", duration="2 h"),
        batch("long", cpu="1 s", duration="9 h", window=("08:00", "18:00")),
    ]
    moves = night_moves(case_of(quiet(batch=tasks)))
    assert [key for key, _ in moves] == [("batch", 0, "window")]


def test_printed_numbers_are_the_papers():
    found = printed("groupwise52/claims", "raid0_gain", "value", "gain")
    assert (found.value, found.unit, found.how) == (15.0, "%", "measured")  # 10 to 20 %
    minutes = printed("notes31/table_4_7", "16 KB", "response_time", "time", "s")
    assert minutes.value == pytest.approx(19.66 * 60)
    ends = [
        published("notes31/table_4_1", row, "response_time").value
        for row in ("one_drive", "four_drives")
    ]
    assert change("notes31/table_4_1", "one_drive", "four_drives", "response_time") == (
        pytest.approx(ends[1] / ends[0] - 1)
    )


def test_threads_must_be_a_whole_number():
    data = varied(quiet().data, server={"threads": 0})
    with pytest.raises(FileError, match=r"server\.threads"):
        configured(data)


def shown(finding, metric):
    """The value of one evidence as the manual rounds it."""
    (found,) = (e for e in finding.evidence if e.metric == metric)
    return f"{found.value:.0f}"


@pytest.mark.parametrize(("code", "configuration", "metric"), [
    ("CPU002", SPEAKING["CPU002"], "utilization of cpu"),
    ("CPU003", lambda: example(AS_TESTED), "time of edit at the workstation"),
    ("CTL002", lambda: quiet(user={"disk_kb": 3000}), "utilization of the busiest drive"),
    ("DSK002", ten_drives, "utilization of the busiest drive"),
    ("DSK003", SPEAKING["DSK003"], "busiest array over the least busy one"),
    ("MEM002", lambda: example(NETBENCH, server={"memory": "96 MB"}, workload={"users": 500}),
     "memory by the rule of thumb"),
    ("RAID002", SPEAKING["RAID002"], "utilization of the busiest drive with one missing"),
])  # fmt: skip
def test_the_example_of_the_manual_says_what_the_model_says(code, configuration, metric):
    (found,) = ask(code, configuration())
    said = BY_CODE[code].manual.partition("\nExample\n")[2].partition("\nLimits\n")[0]
    assert shown(found, metric) in re.findall(r"\d+", said)


def test_the_manual_of_block_sizes_says_what_the_model_says():
    """16 KB save 8 % of a search on 4 KB blocks, and 64 KB no more."""
    review = advisor.review(searching(stripe="4 KB"))
    small, large = (a.effect[0].change.mid for a in tried(review, "STR001"))
    assert f"saves {-small * 100:.0f} %" in BY_CODE["STR001"].manual
    assert large > small - 0.005
