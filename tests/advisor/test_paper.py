"""The server of 1995 as it was tested: what the TechNote knew, predicted and advised."""

import pytest

import advisor
from advisor.predicting.load_curve import alone_and_at_peak, populations
from calibration.printed_tables.table import load_table
from calibration.systems import load_system
from tests.advisor.configurations import AS_TESTED, batch, example

COUNTS = (1, 5, 10, 20, 40)


@pytest.fixture(scope="module")
def rows(as_tested):
    counts = populations(as_tested.configuration)
    assert counts == COUNTS
    return alone_and_at_peak(as_tested.configuration, counts)


def source_of(advice):
    return " ".join(advice.option.sources)


def advice_for(review, word):
    return next(a for a in review.advice if word in a.option.change.title)


def test_the_processor_is_the_bottleneck_with_batch_tasks_and_without(as_tested):
    assert as_tested.outlook.bottleneck == "cpu"
    assert as_tested.alone.bottleneck == "cpu"


def test_what_lies_outside_the_fitted_users_is_extrapolated(rows):
    assert [alone.extrapolated for alone, _ in rows] == [n != 10 for n in COUNTS]


def test_both_calibrations_stand_behind_the_interval(rows):
    for alone, _ in rows:
        names = [name for name, _ in alone.by_member]
        assert names == [m.name for m in load_system("notes31").members]
        time = alone.classes[0].response_time
        assert all(time.low <= own <= time.high for _, own in alone.by_member)
        assert time.mid == pytest.approx(sum(own for _, own in alone.by_member) / 2)


def test_the_faster_processor_is_advised_with_its_effect_and_source(as_tested):
    advice = advice_for(as_tested, "Pentium/100")
    effect = advice.effect[0]
    assert effect.metric == "response time of edit"
    assert effect.change.low < effect.change.mid < effect.change.high < 0
    # A processor of 1.2 times the speed can cut no more than a sixth.
    assert effect.change.low > -1 / 6
    assert load_table("notes31/cpu_upgrade").cite("rebuild_p66") in source_of(advice)


def test_sixty_four_megabytes_come_first_where_replication_would_lose_connections():
    replicating = example(AS_TESTED, batch=[batch("replicate", task="replicate_write")])
    assert "64 MB" in advisor.review(replicating).advice[0].option.change.title


@pytest.mark.parametrize(
    ("index", "name", "row"),
    [(0, "rebuild_view", "Rebld View"), (1, "create_index", "Create Indx")],
)
def test_heavy_tasks_are_moved_to_the_night(as_tested, index, name, row):
    advice = advice_for(as_tested, f"run {name} off-peak")
    (setting,) = advice.option.change.settings
    assert setting == (("batch", index, "window"), ("22:00", "06:00"))
    assert advice.effect[0].change.high < 0
    assert load_table("notes31/table_3_2").cite(row) in source_of(advice)


def test_the_plan_does_what_the_paper_did(as_tested):
    titles = " | ".join(s.advice.option.change.title for s in as_tested.plan.steps)
    for word in ("Pentium/100", "rebuild_view", "create_index", "raid5"):
        assert word in titles
    assert as_tested.plan.steps[-1].effect[0].change.high < -0.10


def test_raid5_is_as_fast_as_no_tolerance_as_the_paper_found(as_tested):
    """Table 4-2: 1569 s with and without; the model says so without being told."""
    effect = advice_for(as_tested, "raid5").effect[0]
    assert abs(effect.change.mid) < 0.01


def test_the_overloaded_server_is_named_so(overloaded):
    assert overloaded.outlook.bottleneck == "cpu"
    assert {f.rule for f in overloaded.findings if f.finding.level == "error"} >= {
        "CAP001", "MEM001", "TGT001",
    }  # fmt: skip
