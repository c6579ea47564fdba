"""Runs against predictions: what a comparison takes from its run, and what it must not."""

from dataclasses import replace

import pytest

from calibration.agreements.run_comparison import models_of, run_cells
from calibration.systems import load_system
from calibration.systems.notes31.laboratory import editing, searching
from scripts.paper_agreement.notes31_laboratory import held_out
from scripts.paper_agreement.run_comparison import compare_runs


def compared(runs, fitted=None, scatter=0.03):
    members = load_system("notes31").members
    base = fitted or (*editing(), *searching())
    cells = {"edit": ("one",), "search": ("two",)}
    return [c for c in compare_runs(members, base, runs, cells, scatter) if c.status == "held out"]


def row(name, task="edit"):
    (each,) = (m for m in held_out() if m.run.row == name and m.task == task)
    return each


def test_a_run_gives_its_numbers_and_volumes_of_one_interaction():
    each = row("no_fault_tolerance")
    found = {c.metric: c for c in compared([each])}
    assert set(found) == {
        "completion time", "utilization", "LAN volume", "LAN rate", "disk volume",
    }  # fmt: skip
    # 146.25 KB/s over 20 workstations for 1569 s.
    assert found["LAN volume"].published.value == pytest.approx(146.25 * 1569 / 20)
    assert found["disk volume"].published.value == pytest.approx(70.63 * 1569 / 20)
    assert found["LAN rate"].published.value == 146.25
    assert {c.fitted_on for c in found.values()} == {("one",)}
    assert run_cells(each)[0] == "notes31/table_4_2:no_fault_tolerance:response_time"


def test_chatter_of_the_channel_is_not_compared():
    found = {c.metric for c in compared([row("one_drive", "search")])}
    assert found == {"completion time", "utilization", "disk volume"}


def test_an_unknown_setting_widens_the_interval_and_leaves_the_middle():
    each = row("four_drives", "search")
    wide = {c.metric: c for c in compared([each])}
    narrow = {c.metric: c for c in compared([replace(each, unknown=())])}
    for metric, c in narrow.items():
        assert wide[metric].predicted.mid == pytest.approx(c.predicted.mid)
        assert wide[metric].half_width > 1.2 * c.half_width


def test_scatter_of_disk_volumes_widens_theirs_alone():
    each = row("four_drives", "search")
    widths = [{c.metric: c.half_width for c in compared([each], scatter=s)} for s in (0.01, 0.1)]
    assert widths[1]["disk volume"] > 1.5 * widths[0]["disk volume"]
    assert widths[1]["utilization"] == pytest.approx(widths[0]["utilization"])


def test_the_prediction_is_the_same_whatever_was_measured():
    each = row("raid5")
    other = replace(
        each,
        run=replace(
            each.run,
            response_time=replace(each.run.response_time, value=1000.0),
            utilization=replace(each.run.utilization, value=0.5),
        ),
    )
    for one, two in zip(compared([each]), compared([other]), strict=True):
        assert (one.predicted.low, one.predicted.mid, one.predicted.high) == pytest.approx(
            (two.predicted.low, two.predicted.mid, two.predicted.high)
        )


def test_baselines_are_the_fitted_mean_and_the_rule_of_three():
    each = row("no_fault_tolerance")
    (time,) = (c for c in compared([each]) if c.metric == "completion time")
    mean = sum(m.run.response_time.value for m in editing()) / 4
    assert dict(time.baselines) == pytest.approx({"no contention": mean, "linear": 2 * mean})


def test_models_name_their_parameters_with_units():
    models = models_of(load_system("notes31").members, {"edit": ("a",), "search": ("b",)})
    assert [m.name for m in models] == [
        "client delay, edit", "client delay, search", "unseen queue, edit", "unseen queue, search",
    ]  # fmt: skip
    assert [(p.name, p.unit) for p in models[0].parameters] == [
        ("processor demand", "s"), ("client time", "s"),
    ]  # fmt: skip
    assert models[0].fitted_on == ("a",)
