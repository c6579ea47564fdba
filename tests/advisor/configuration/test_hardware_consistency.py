"""Hardware that cannot be, and hardware that was probably not meant, each on its line."""

import pytest

import advisor
from advisor.configuration.changes import Change
from advisor.predicting.hardware import hardware_of
from qmodel import FileError
from qmodel.documents.toml_text import toml_text
from tests.advisor.configurations import QUIET, varied
from tests.tables import asked, rows


def loaded(tmp_path, tables):
    path = tmp_path / "server.toml"
    path.write_text(toml_text(varied(QUIET, **tables)))
    return path, advisor.load_config(path)


def line_of(path, table, key):
    """Where a key stands, or the head of its table."""
    lines = path.read_text().splitlines()
    start = lines.index(f"[{table}]")
    for number, line in enumerate(lines[start + 1 :], start + 2):
        if line.startswith("["):
            break
        if line.split(" = ")[0] == key:
            return number
    return start + 1


@pytest.mark.parametrize(("disk", "key", "said"), rows(__file__, "impossible"))
def test_no_such_drives(tmp_path, disk, key, said):
    with pytest.raises(FileError) as raised:
        loaded(tmp_path, {"disk": disk})
    error = raised.value
    assert said in str(error)
    assert f"disk.{key}" in str(error)
    assert "\n" not in str(error)
    assert error.line == line_of(tmp_path / "server.toml", "disk", key)


def test_one_drive_needs_no_level(tmp_path):
    one = {"raid": None, "drives": 1}
    for disk in (one, one | {"drives": 4, "drive": "AWS gp3 baseline"}):
        _, found = loaded(tmp_path, {"disk": disk})
        assert Change.of("", "disk.drives", 3).apply(found).settings.disk.raid == "raid0"
    with pytest.raises(FileError, match=r"disk\.raid: required with 2 drives; one of raid0, raid1"):
        loaded(tmp_path, {"disk": one | {"drives": 2}})


def test_whole_stripes_need_a_cache_that_gathers_them(tmp_path):
    with pytest.raises(FileError, match=r"disk\.cache\.full_stripes: needs write_back = true"):
        loaded(tmp_path, {"disk": {"cache": {"full_stripes": 0.5}}})


@pytest.mark.parametrize(("lan", "key", "said"), rows(__file__, "networks"))
def test_networks_that_were_probably_not_meant(tmp_path, lan, key, said):
    path, found = loaded(tmp_path, {"lan": lan})
    (warning, *_) = found.warnings
    assert said in warning
    assert warning.startswith(f"{path}:{line_of(path, 'lan', key)}: lan.{key}: ")
    assert warning.endswith("(warning)")


@pytest.mark.parametrize(("disk", "key", "said"), rows(__file__, "drives"))
def test_drives_that_were_probably_not_meant(tmp_path, disk, key, said):
    path, found = loaded(tmp_path, {"disk": disk})
    assert said in "".join(found.warnings)
    assert f"{path}:{line_of(path, 'disk', key)}: " in "".join(found.warnings)


@pytest.mark.parametrize(("tables", "said"), rows(__file__, "ignored"))
def test_what_has_no_effect_is_said(tmp_path, tables, said):
    _, found = loaded(tmp_path, tables)
    assert [warning.split(": ", 1)[1] for warning in found.warnings] == [*said]


@pytest.mark.parametrize("tables", [tables for (tables,) in rows(__file__, "meant")])
def test_nothing_is_said_of_what_can_be_meant(tmp_path, tables):
    assert loaded(tmp_path, tables)[1].warnings == ()


def test_a_server_that_works_on_few_at_a_time_answers_later(tmp_path):
    user = {"cpu": "1 s", "disk_kb": 400}
    times = []
    for most in (1, 2, 5):
        _, found = loaded(tmp_path, {"server": {"most_active": most}, "user": user})
        outlook = advisor.predict(found).outlook
        assert {r.name for r in outlook.resources} == {"cpu", "disk", "lan", "not measured"}
        times.append(outlook.classes[0].response_time.mid)
    assert times[0] > times[1] > times[2]
    _, free = loaded(tmp_path, {"user": user})
    assert times[2] == pytest.approx(advisor.predict(free).outlook.classes[0].response_time.mid)


@pytest.mark.parametrize(("lan", "usable", "duplex"), rows(__file__, "network"))
def test_what_a_network_is_unless_told_otherwise(tmp_path, lan, usable, duplex):
    found = hardware_of(loaded(tmp_path, {"lan": asked(lan, globals())})[1]).lan
    assert (found.usable_share, found.full_duplex) == (usable, duplex)
