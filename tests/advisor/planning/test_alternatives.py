"""What-if: differences within each calibration, keys as in the file, errors in one line."""

import io
import re
from dataclasses import astuple
from math import inf, isnan

import pytest
from rich.console import Console

import advisor
from advisor.configuration.changed_keys import all_keys, change_of, key_of
from advisor.planning.alternatives import differences
from advisor.predicting.prediction import predict
from advisor.predicting.saturation import saturation
from advisor.report.alternatives import show_whatif, whatif_data
from qmodel.errors import InvalidInput
from tests.advisor.configurations import EXAMPLES, measured, quiet
from tests.tables import rows

NEW = advisor.load_config(EXAMPLES / "new_server.toml")
CALIBRATED = advisor.load_config(EXAMPLES / "mail_server_calibrated.toml")


def only(found):
    (alternative,) = found.alternatives
    return {(d.quantity, d.of): d for d in alternative.differences}


@pytest.mark.parametrize(
    "configuration", [quiet(), measured(), CALIBRATED, NEW], ids=["given", "system", "own", "new"]
)
def test_no_change_changes_nothing(configuration):
    same = f"disk.raid={configuration.settings.disk.raid}"
    for each in only(advisor.whatif(configuration, {"the same": [same]})).values():
        assert (each.difference.low, each.difference.mid, each.difference.high) == (0.0, 0.0, 0.0)
        assert each.before == each.after
        assert each.change is None or each.change.low == each.change.high == 0.0
        assert not each.disagree


def test_alternatives_stand_side_by_side():
    found = advisor.whatif(NEW, {"a": ["server.cpus=2"], "b": ["disk.raid=raid5", "disk.drives=6"]})
    assert [each.title for each in found.alternatives] == ["a", "b"]
    assert found.alternatives[1].settings == (
        ("disk.raid", "raid10", "raid5"),
        ("disk.drives", 4, 6),
    )
    assert found.before == predict(NEW).outlook
    assert {d.of for d in found.alternatives[0].differences} == {"mail", "cpu", "disk", "lan"}


def test_a_new_part_brings_its_own_figures():
    slow = change_of(NEW, ("disk.seek_time=20 ms",))
    assert slow.settings == ((("disk", "seek_time"), "20 ms"),)
    old = quiet(disk={"seek_time": "20 ms", "rotation_time": "8 ms", "transfer_rate": "9 MB/s"})
    named = change_of(old, ("disk.drive=SATA 7200 rpm",)).apply(old).settings.disk
    assert named.seek_time == 0.0082
    kept = change_of(old, ("disk.drive=SATA 7200 rpm", "disk.seek_time=1 ms")).apply(old)
    assert kept.settings.disk.seek_time == 0.001


def test_no_steady_state_is_said_beside_the_numbers():
    configuration = quiet(
        workload={"arrival_rate": "1 /s"}, targets={"response_time": {"mean": "1 s", "p95": "3 s"}}
    )
    result = advisor.whatif(configuration, {"": ["workload.class.edit.cpu=2 s"]})
    (found,) = result.alternatives
    assert found.unstable
    console = Console(width=200, record=True, file=io.StringIO())
    show_whatif(console, result)
    said = console.export_text()
    assert "unstable. Largest stable rate 0.5 /s; misses response time of edit, p95 of edit" in said
    assert re.search(r"response time +\d.* unbounded +starts overload", said)
    assert re.search(r"p95 +\d.* unbounded +starts overload", said)
    assert "nan" not in said
    assert whatif_data(result)["alternatives"][0]["after"]["metrics"]


@pytest.mark.parametrize("part", [0.999, 1.001])
def test_the_end_of_an_overload_is_a_number_or_without_a_bound(part):
    """Where some of a calibration's worlds have no steady state before, and all have one after."""
    rate = part * saturation(CALIBRATED).throughput.mid
    before = change_of(CALIBRATED, [f"workload.arrival_rate={rate!r} /s"]).apply(CALIBRATED)
    found = only(advisor.whatif(before, {"": ["server.cpus=4"]}))
    was = found["response time", "users"].before
    assert was.low < was.high == inf
    for each in found.values():
        for some in (each.before, each.after, each.difference, each.change or each.after):
            assert not any(map(isnan, astuple(some))), each


def test_other_demands_are_held_against_their_own_calibration():
    """A task of the calibration for another: variants that one alone has stand against the rest."""
    found = only(advisor.whatif(measured(), {"": ["workload.class[0].task=rebuild_view"]}))
    time = found["response time", "edit"]
    assert time.before.low < time.before.mid < time.before.high
    assert time.difference.low <= time.difference.mid <= time.difference.high
    with pytest.raises(InvalidInput, match="cannot be compared"):
        list(differences(predict(measured()), predict(quiet())))


def test_classes_by_name_and_by_place():
    assert key_of(NEW, "workload.class.mail.cpu") == ("workload", "class", 0, "cpu")
    assert key_of(NEW, "workload.class[0].cpu") == ("workload", "class", 0, "cpu")
    assert key_of(NEW, 'workload.class."mail".cpu') == ("workload", "class", 0, "cpu")
    other = change_of(NEW, ("workload.class[0].name=GET /a.b",)).apply(NEW)
    assert key_of(other, "workload.class.GET /a.b.cpu") == ("workload", "class", 0, "cpu")


def test_every_key_of_the_examples_is_known():
    known = set(all_keys())
    for path in sorted(EXAMPLES.glob("*.toml")):
        data = advisor.configuration.changed_keys.ServerConfig.model_fields
        assert data
        if "[server]" not in path.read_text(encoding="utf-8"):
            continue
        found = advisor.load_config(path).data
        for table in ("server", "disk", "lan"):
            for key, value in found.get(table, {}).items():
                inside = [f".{k}" for k in value] if isinstance(value, dict) else [""]
                assert {f"{table}.{key}{each}" for each in inside} <= known


def test_values_are_toml_or_plain_text():
    texts = ("disk.drives=8", "disk.stripe=64 KB", 'lan.network="1 Gb Ethernet"')
    change = change_of(NEW, (*texts, "server.hyper_threads=false"))
    assert [value for _, value in change.settings] == [8, "64 KB", "1 Gb Ethernet", False]


@pytest.mark.parametrize(("setting", "problem"), rows(__file__, "what_cannot_be_set"))
def test_what_cannot_be_set(setting, problem):
    with pytest.raises(InvalidInput) as caught:
        advisor.whatif(NEW, {"": [setting]})
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_to_compare():
    with pytest.raises(InvalidInput, match="no alternative"):
        advisor.whatif(NEW, {})


def test_a_certain_miss_is_told_from_a_possible_one():
    """Nothing is uncertain in a server whose demands are given: 2 s are missed, or they are not."""
    late = advisor.whatif(quiet(targets={"response_time": "10 ms"}), {"": ["server.cpus=2"]})
    console = Console(width=200, record=True, file=io.StringIO())
    show_whatif(console, late)
    said = console.export_text()
    assert "; misses response time of edit" in said
    assert "may miss" not in said
