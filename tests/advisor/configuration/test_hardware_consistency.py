"""Hardware that cannot be, and hardware that was probably not meant, each on its line."""

import pytest

import advisor
from advisor.predicting.hardware import hardware_of
from qmodel import FileError
from qmodel.documents.toml_text import toml_text
from tests.advisor.configurations import QUIET, varied


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


@pytest.mark.parametrize(
    ("disk", "key", "said"),
    [
        ({"drives": 2}, "drives", "raid5 needs at least 3 drives, got 2"),
        ({"raid": "raid1", "drives": 3}, "drives", "even number, got 3 (raid1e allows odd)"),
        ({"drives": 0}, "drives", "must be >= 1, got 0"),
        ({"drives": 6, "arrays": 4}, "arrays", "6 drives do not make 4 equal arrays"),
        ({"drives": 4, "arrays": 2}, "drives", "got 2 (drives of each of 2 arrays)"),
        ({"raid": "raid0", "state": "degraded"}, "state", "it cannot be degraded"),
        ({"stripe": "3 GB", "capacity": "2.1 GB"}, "stripe", "larger than the drive of 2.1 GB"),
        ({"block": "3 GB", "capacity": "2.1 GB"}, "block", "larger than the drive of 2.1 GB"),
        ({"drive": "HP 97560", "stripe": "2 GB"}, "stripe", "larger than the drive of 1.37 GB"),
        ({"read_latency": "1 ms"}, "write_latency", "required for a solid-state drive"),
        ({"drive": "SATA SSD", "seek_time": "1 ms"}, "seek_time", "give one or the other"),
        ({"spread": 0.3}, "spread", "needs arrays of 2 or more"),
        ({"seek_time": "0.01"}, "seek_time", "unit missing"),
        ({"seek_time": "-1 ms"}, "seek_time", "must be >= 0 s"),
        ({"state": "broken"}, "state", 'unknown "broken"; one of normal, degraded, rebuilding'),
    ],
)
def test_no_such_drives(tmp_path, disk, key, said):
    with pytest.raises(FileError) as raised:
        loaded(tmp_path, {"disk": disk})
    error = raised.value
    assert said in str(error)
    assert f"disk.{key}" in str(error)
    assert "\n" not in str(error)
    assert error.line == line_of(tmp_path / "server.toml", "disk", key)


def test_whole_stripes_need_a_cache_that_gathers_them(tmp_path):
    with pytest.raises(FileError, match=r"disk\.cache\.full_stripes: needs write_back = true"):
        loaded(tmp_path, {"disk": {"cache": {"full_stripes": 0.5}}})


@pytest.mark.parametrize(
    ("lan", "key", "said"),
    [
        ({"rate": "10 Gb/s"}, "rate", 'did you mean "10 Mb/s"'),
        ({"rate": "10 MB/s"}, "rate", '10 MB/s = 80 Mb/s is no Ethernet rate; did you mean "10 M'),
        ({"rate": "1 Gb/s", "medium": "shared"}, "medium", "was never shared in practice"),
        ({"rate": "1 Gb/s", "duplex": "half"}, "duplex", "was never half in practice"),
        ({"rate": "1 Gb/s", "usable_share": 0.7}, "usable_share", "a figure of shared Ethernet"),
    ],
)
def test_networks_that_were_probably_not_meant(tmp_path, lan, key, said):
    path, found = loaded(tmp_path, {"lan": lan})
    (warning, *_) = found.warnings
    assert said in warning
    assert warning.startswith(f"{path}:{line_of(path, 'lan', key)}: lan.{key}: ")
    assert warning.endswith("(warning)")


@pytest.mark.parametrize(
    ("disk", "key", "said"),
    [
        ({"seek_time": "10 s"}, "seek_time", "10 s is no disk; ms was meant?"),
        ({"rotation_time": "8 s"}, "rotation_time", "8 s a turn is no disk"),
        ({"stripe": "64 MB"}, "stripe", "64 MB is many tracks; KB was meant?"),
    ],
)
def test_drives_that_were_probably_not_meant(tmp_path, disk, key, said):
    path, found = loaded(tmp_path, {"disk": disk})
    assert said in "".join(found.warnings)
    assert f"{path}:{line_of(path, 'disk', key)}: " in "".join(found.warnings)


@pytest.mark.parametrize(
    "tables",
    [
        {},
        {"lan": {"rate": "100 Mb/s"}},
        {"lan": {"rate": "10 Gb/s"}, "disk": {"drive": "NVMe SSD"}},
        {"lan": {"rate": "25 Gb/s"}, "disk": {"drive": "SATA 7200 rpm"}},
    ],
)
def test_nothing_is_said_of_what_can_be_meant(tmp_path, tables):
    assert loaded(tmp_path, tables)[1].warnings == ()


def test_a_server_that_works_on_few_at_a_time_answers_later(tmp_path):
    user = {"cpu": "1 s", "disk_kb": 400}
    times = []
    for most in (1, 2, 5):
        tables = {"server": {"most_active": most}, "user": user}
        _, found = loaded(tmp_path, tables)
        outlook = advisor.predict(found).outlook
        assert {r.name for r in outlook.resources} == {"cpu", "disk", "lan", "not measured"}
        times.append(outlook.classes[0].response_time.mid)
    assert times[0] > times[1] > times[2]
    _, free = loaded(tmp_path, {"user": user})
    assert times[2] == pytest.approx(advisor.predict(free).outlook.classes[0].response_time.mid)


@pytest.mark.parametrize(
    ("lan", "usable", "duplex"),
    [
        ({"rate": "10 Mb/s"}, 0.70, False),
        ({"rate": "100 Mb/s", "medium": "switched"}, 1.0, True),
        ({"rate": "100 Mb/s", "medium": "switched", "duplex": "half"}, 1.0, False),
        ({"rate": "1 Gb/s"}, 1.0, True),
        ({"network": "100 Mb Ethernet, shared", "rate": None}, 0.90, False),
    ],
)
def test_what_a_network_is_unless_told_otherwise(tmp_path, lan, usable, duplex):
    found = hardware_of(loaded(tmp_path, {"lan": lan})[1]).lan
    assert (found.usable_share, found.full_duplex) == (usable, duplex)
