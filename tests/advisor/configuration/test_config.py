"""A configuration: units, defaults, the same in TOML and JSON, and back again."""

import copy
import json
import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

import advisor
from advisor.configuration.hours import Window
from advisor.configuration.key_texts import example_of, key_texts
from advisor.configuration.schema import ServerConfig
from advisor.machines.tables import MachinesFile
from advisor.predicting.hardware import hardware_of
from calibration.hardware.hardware import Lan
from qmodel.documents.toml_text import toml_text
from qmodel.errors import FileError
from tests.advisor import configurations as cs

EVERY_KEY = Path(__file__).with_name("test_config.toml").read_text(encoding="utf-8")


def loaded(tmp_path, text, name="server.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return advisor.load_config(path)


def test_everything_arrives_in_base_units(tmp_path):
    found = loaded(tmp_path, EVERY_KEY).settings
    assert found.title == "all of it"
    assert (found.server.cpu_speed, found.server.cpus) == (1.5, 2)
    assert found.server.memory == 512 * 1024**2
    disk = found.disk
    assert (disk.raid, disk.drives, disk.stripe, disk.block) == ("raid10", 6, 65536.0, 4096.0)
    assert disk.controller == "SMART"
    assert (disk.seek_time, disk.rotation_time, disk.transfer_rate) == (0.0085, 0.008333, 1e7)
    assert (found.lan.rate, found.lan.segments, found.lan.usable_share) == (1e8, 3, 0.9)
    workload = found.workload
    assert (workload.users, workload.think_time, workload.arrival_rate) == (250, 90.0, None)
    assert workload.peak == Window(9 * 60, 17 * 60 + 30)
    assert workload.off_peak == Window(23 * 60, 5 * 60)
    edit, search = workload.classes
    assert (edit.share, edit.cpu, edit.disk_kb, edit.lan_kb) == (0.75, 0.2, 12.5, 30.0)
    assert (edit.write_share, search.write_share, search.cpu) == (0.4, 0.0, 1.2)
    index, backup = found.batch
    assert (index.window, index.duration) == (Window(22 * 60, 23 * 60 + 30), 5400.0)
    assert (backup.after, backup.window, backup.cpu) == (("index",), None, None)
    assert found.targets.response_time == 120.0
    assert found.targets.utilization == 0.8


def test_the_examples_of_keys_are_right():
    for key in filter(example_of, key_texts()):
        table, _, name = key.rpartition(".")
        several = table in {"machine", "service"}
        array = several or table in {"batch", "tier", "workload.class"}
        head = f"[[{table}]]" if array else f"[{table}]"
        file = MachinesFile if several else ServerConfig
        with pytest.raises(ValidationError) as caught:  # of what else a file needs
            file.model_validate(tomllib.loads(f"{head * bool(table)}\n{example_of(key)}"))
        assert name not in [error["loc"][-1] for error in caught.value.errors()]


def test_what_may_be_left_out(tmp_path):
    found = loaded(tmp_path, toml_text(cs.QUIET)).settings
    assert (found.lan.segments, found.lan.usable_share) == (1, None)
    assert hardware_of(advisor.load_config(tmp_path / "server.toml")).lan == Lan(10e6, 1, 0.70)
    assert (found.disk.seek_time, found.disk.rotation_time) == (0.010, 60 / 5400)
    assert (found.disk.transfer_rate, found.disk.block) == (4e6, None)
    assert (found.workload.peak, found.workload.off_peak) == (
        Window(8 * 60, 18 * 60),
        Window(22 * 60, 6 * 60),
    )
    assert found.workload.classes[0].share == 1.0
    assert found.workload.classes[0].write_share is None
    assert found.targets is None
    assert found.batch == ()


@pytest.mark.parametrize("path", sorted(cs.EXAMPLES.glob("*.toml")), ids=lambda p: p.stem)
def test_every_example_of_a_server_loads_without_a_warning(path):
    if "server" in tomllib.loads(path.read_text(encoding="utf-8")):
        assert advisor.load_config(path).warnings == ()


@pytest.mark.parametrize(
    "text", [EVERY_KEY, *(p.read_text(encoding="utf-8") for p in (cs.AS_TESTED, cs.OVERLOADED))]
)
def test_toml_and_json_are_the_same(tmp_path, text):
    written = loaded(tmp_path, text)
    same = loaded(tmp_path, json.dumps(tomllib.loads(text)), "server.json")
    assert same.settings == written.settings
    assert same.data == written.data


def test_a_change_and_its_opposite(reviews):
    for review in reviews:
        for advice in review.advice:
            change = advice.option.change
            data = copy.deepcopy(review.configuration.data)
            changed = change.apply(review.configuration)
            assert changed.settings != review.configuration.settings
            assert review.configuration.data == data
            assert changed.data != data
            opposite = tuple(
                (key, old)
                for (key, _), (_, old, _) in zip(change.settings, change.diff(data), strict=True)
            )
            back = type(change)("back", opposite).apply(changed)
            assert back.settings == review.configuration.settings


def test_lines(tmp_path):
    configuration = loaded(tmp_path, EVERY_KEY)
    lines = EVERY_KEY.splitlines()
    for key, text in [
        (("server", "memory"), "memory ="),
        (("workload", "class", 1, "cpu"), "cpu = "),
        (("workload", "class", 1), "[[workload.class]]"),
        (("batch", 0, "window"), "window ="),
        (("batch", 1, "window"), "[[batch]]"),  # not given: the table it is missing from
        (("targets", "utilization"), "utilization ="),
    ]:
        line = configuration.line(key)
        assert lines[line - 1].startswith(text), key
    assert configuration.line(("workload", "class", 1)) > configuration.line(
        ("workload", "class", 0)
    )


def test_another_number_of_users():
    base = cs.quiet()
    more = base.with_users(77)
    assert more.settings.workload.users == 77
    assert base.settings.workload.users == 5
    assert more.settings.server is base.settings.server
    assert advisor.predict(more).outlook.users == 77


def test_the_json_schema_is_complete():
    schema = ServerConfig.model_json_schema()
    assert set(schema["required"]) == {"workload"}
    assert schema["additionalProperties"] is False
    assert json.loads(json.dumps(schema)) == schema
    memory = schema["$defs"]["Server"]["properties"]["memory"]
    assert "64 MB" in json.dumps(memory)


def test_names_given_to_tasks_do_not_reach_into_the_measured_system():
    """A night task of the user's own, called as a measured task is, changes nobody's day."""
    people = {"workload": {"class": [{"name": "people", "task": "edit"}]}}
    before = advisor.predict(cs.measured(**people)).outlook
    own = cs.batch("edit", None, cpu="5000 s")
    after = advisor.predict(cs.measured(**people, batch=[own])).outlook
    assert after.classes[0].response_time == before.classes[0].response_time


@pytest.mark.parametrize("key", ["cpus", "cores"])
def test_processors_beyond_what_is_solved_are_refused(key):
    """Each is a rate of the station: a thousand million of them would never come to an end."""
    with pytest.raises(FileError, match=rf"server\.{key}: must be <= 1024, got 1000000000"):
        cs.quiet(server={key: 1_000_000_000})
