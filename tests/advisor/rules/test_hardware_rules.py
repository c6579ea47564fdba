"""What holds of every rule for hardware: its options are solved, and more load clears nothing."""

import re
from math import inf

import pytest

import advisor
from advisor.configuration.changes import Change
from advisor.engine import case_of
from advisor.rule_support.evidence import disk_volume_rate, lan_volume_rate
from advisor.rule_support.shared_options import night_moves
from tests.advisor.cases import BY_CODE, ask
from tests.advisor.configurations import AS_TESTED, batch, example, quiet
from tests.advisor.speaking import NETBENCH, SPEAKING, searching, ten_drives  # noqa: F401, named in the table
from tests.tables import asked, rows


def tried(review, code):
    return [a for a in (*review.advice, *review.trades, *review.rejected) if a.rule == code]


def test_a_server_of_today_hears_nothing_of_1995():
    """Busy everywhere, on its own demands: no paper's part, table or name."""
    configuration = quiet(
        disk={"raid": "raid5", "channel_rate": "4 MB/s"}, lan={"rate": "10 Mb/s"},
        workload={"users": 60}, user={"cpu": "1 s", "disk_kb": 3000, "lan_kb": 900},
        targets={"response_time": "2 s", "utilization": "70 %"},
    )  # fmt: skip
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
    case = case_of(quiet(batch=[batch("copy", cpu="0.1 s", disk_kb=500, lan_kb=40)]))
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


def shown(finding, metric):
    """The value of one evidence as the manual rounds it."""
    (found,) = (e for e in finding.evidence if e.metric == metric)
    return f"{found.value:.0f}"


@pytest.mark.parametrize(("code", "configuration", "metric"), rows(__file__, "manual"))
def test_the_example_of_the_manual_says_what_the_model_says(code, configuration, metric):
    (found,) = ask(code, asked(configuration, globals())())
    said = BY_CODE[code].manual.partition("\nExample\n")[2].partition("\nLimits\n")[0]
    assert shown(found, metric) in re.findall(r"\d+", said)


def test_the_manual_of_block_sizes_says_what_the_model_says():
    """16 KB save 8 % of a search on 4 KB blocks, and 64 KB no more."""
    review = advisor.review(searching(stripe="4 KB"))
    small, large = (a.effect[0].change.mid for a in tried(review, "STR001"))
    assert f"saves {-small * 100:.0f} %" in BY_CODE["STR001"].manual
    assert large > small - 0.005
