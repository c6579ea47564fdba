"""SOFT001 to SOFT006: releases and features of the server program."""

from dataclasses import replace

import pytest

from advisor.engine import case_of
from advisor.rule_support.rule import LABEL
from calibration.estimation.interval import Range
from calibration.printed_tables.table import load_table
from tests.advisor.cases import ask, reviewed, skipped
from tests.advisor.speaking import SPEAKING, mail_85
from tests.tables import asked, rows

FEATURES = {"SOFT003": "attachments_once", "SOFT004": "document_compression"}


def effect_of(found, code, metric, word=""):
    """The change that an advice of a rule brings, accepted or not."""
    (advice,) = [
        a
        for a in (*found.advice, *found.rejected)
        if a.rule == code and word in a.option.change.title
    ]
    (effect,) = [e for e in advice.effect if e.metric == metric]
    return effect.change


def test_soft001_offers_both_releases_and_the_model_says_what_they_bring():
    found = reviewed("SOFT001", mail_85(users=3000, classes={"mail_release_80": 1.0}))
    # Tables 4 and 5: -10 % and -18 % of the processor, -26 % of the disk operations.
    assert effect_of(found, "SOFT001", "utilization of cpu", "as they are").mid == pytest.approx(
        -0.10, abs=0.01
    )
    assert effect_of(found, "SOFT001", "utilization of disk", "as they are").mid == pytest.approx(
        -0.26, abs=0.01
    )
    new = effect_of(found, "SOFT001", "utilization of cpu", "new templates")
    assert new.mid == pytest.approx(-0.18, abs=0.01)
    # Another demand, with its own uncertainty: the interval has it.
    assert new.low < -0.20 < -0.15 < new.high
    assert "SOFT001" in {a.rule for a in found.advice}


def test_soft001_ends_with_the_release():
    configuration = SPEAKING["SOFT001"]()
    ((first, second),) = [f.options for f in ask("SOFT001", configuration)]
    for option in (first, second):
        assert skipped("SOFT001", option.change.apply(configuration))[0] == "not-applicable"


def test_soft002_buys_processor_time_with_disk_operations():
    found = reviewed("SOFT002", mail_85(3000, {"mail_release_85_old_databases": 1.0}))
    assert effect_of(found, "SOFT002", "utilization of cpu").mid == pytest.approx(-0.09, abs=0.01)
    assert effect_of(found, "SOFT002", "utilization of disk").mid > 0.05


def test_soft002_is_not_advised_where_drives_are_short():
    """The model calls it worse there, so that nothing recommends it."""
    disk = {"drives": 4, "raid": "raid0"}
    classes = {"mail_release_85_old_databases": 1.0}
    found = reviewed("SOFT002", mail_85(2500, classes, disk=disk))
    (rejected,) = [a for a in found.rejected if a.rule == "SOFT002"]
    assert "would grow" in rejected.rejected
    assert "SOFT002" not in {a.rule for a in found.advice}


@pytest.mark.parametrize(("code", "key"), FEATURES.items())
def test_features_that_are_documented_alone(code, key):
    off, on = (mail_85(software={key: value}) for value in (False, True))
    (found,) = ask(code, off)
    (option,) = found.options
    assert option.benefit.startswith(LABEL)
    assert ask(code, option.change.apply(off)) == []
    assert ask(code, on) == []
    state, reason = skipped(code, mail_85())
    assert state == "no-evidence"
    assert f"software.{key}" in reason


def test_soft004_saves_a_third():
    (found,) = ask("SOFT004", SPEAKING["SOFT004"]())
    (saved,) = [e for e in found.evidence if e.metric == "storage saved"]
    assert saved.value == pytest.approx(32.0)
    assert saved.how == "computed"


def test_soft005_moves_a_fifth_and_the_server_is_unloaded():
    cpu = effect_of(reviewed("SOFT005", mail_85(users=3000)), "SOFT005", "utilization of cpu")
    # Half the transactions for a fifth of the users: 0.9 of their load to 0.8.
    assert cpu.mid == pytest.approx(0.8 / 0.9 - 1.0, abs=0.005)


@pytest.mark.parametrize(("classes", "moved"), rows(__file__, "soft005"))
def test_soft005_moves_a_fifth_of_all_users(classes, moved):
    (found,) = ask("SOFT005", mail_85(3000, classes))
    (option,) = found.options
    assert tuple(value for _, value in option.change.settings) == asked(moved, globals())


@pytest.mark.parametrize(
    ("faster", "fires"), [(0.01, True), (0.5, True), (0.0099, False), (0.0, False)]
)
def test_soft005_one_hundredth_of_a_response_time_is_a_gain_by_itself(faster, fires):
    """Even where nothing is less busy for it."""
    case = case_of(mail_85(30, {"mail": 0.8, "mail_local_replica": 0.2}))
    then = [
        replace(c, response_time=Range(0.0, c.response_time.mid * (1.0 - faster), 1e3))
        for c in case.outlook.classes
    ]
    after = replace(case.outlook, classes=tuple(then))
    assert bool(ask("SOFT005", replace(case, outlook_with=lambda _: after))) is fires


@pytest.mark.parametrize("classes", [{"mail": 1.0}, {"mail": 0.8, "mail_local_replica": 0.2}])
def test_soft005_says_what_was_measured_and_does_not_recommend_the_model_s_effect(classes):
    """Table 7 of 2009 has 37 ms with none on local replicas and 31 ms with 20 %: -16.2 %, where the
    model has -1.5 %. It was silent where all users are on the server, which is where that holds.
    """
    configuration = mail_85(3000, classes)
    (found,) = ask("SOFT005", configuration)
    saved = {e.metric.partition(",")[0]: e.value for e in found.evidence if "over none" in e.metric}
    assert saved == pytest.approx(
        {
            "response time": (31 / 37 - 1) * 100,
            "utilization of the processor": (39.5 / 53.4 - 1) * 100,
            "disk operations": (636 / 728 - 1) * 100,
        }
    )
    assert "-16.2 % in response time" in found.message
    review_of = reviewed("SOFT005", configuration)
    (tried,) = (a for a in review_of.rejected if a.rule == "SOFT005")
    assert tried.reason == "outside range"
    assert "E-D09-03" in tried.rejected
    # The model's own effect is shown beside: far from what was measured, which is why.
    assert tried.effect[0].change.low > 31 / 37 - 1


def test_soft005_gives_local_replicas_to_the_first_users():
    configuration = mail_85(3000, {"mail": 1.0})
    (found,) = ask("SOFT005", configuration)
    after = found.options[0].change.apply(configuration)
    assert [(c.task_name, c.share) for c in after.settings.workload.classes] == [
        ("mail", 0.8),
        ("mail_local_replica", 0.2),
    ]


def test_soft006_is_solved_without_encryption():
    found = reviewed("SOFT006", SPEAKING["SOFT006"]())
    assert effect_of(found, "SOFT006", "utilization of cpu").mid == pytest.approx(
        1 / 1.1 - 1, abs=0.02
    )


def test_soft002_concerns_those_on_old_databases_only():
    classes = {"mail": 0.5, "mail_release_85_old_databases": 0.5}
    (found,) = ask("SOFT002", mail_85(classes=classes))
    assert found.key == ("workload", "class", 1, "task")
    (option,) = found.options
    assert option.change.settings == ((("workload", "class", 1, "task"), "mail"),)
    shares = [
        100.0 * load_table(f"domino85/{name}").cell("processor", "variant").value
        for name in ("table_4", "table_5")
    ]
    assert [e.value for e in found.evidence] == pytest.approx(shares, rel=1e-12)
